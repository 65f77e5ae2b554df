"""What a rebalance brings a Streams group on the broker's protocol (KIP-1071)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.certainty import joined
from assignors.placements import Placement
from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.strategies import STICKY, STICKY_4_3, BrokerStrategy
from assignors.streams.tasks import MemberTasks, Task
from evaluation.kinds.forecast import (
    NO_CHANGE,
    Forecast,
    Held,
    OtherMembers,
    RoundCause,
    Stage,
    UnpredictedReleaseError,
    counts,
    drawn_certainty,
    require_known,
    steps_of,
)
from evaluation.kinds.orders import certainty_of, likely_orders
from evaluation.kinds.share import new_id

AS_ONE: Final = "Threads that come and go together are one change, as within 1 s they are."
STANDBYS_SEEN: Final = (
    "Sub-topologies with standbys are taken for those with state, and the most standbys of a task "
    "for streams.num.standby.replicas: {standbys}."
)


def tasks_forecast(
    group: StreamsGroup,
    what_if: OtherMembers = NO_CHANGE,
    strategy: BrokerStrategy = STICKY,
    condition: str = "",
) -> Forecast:
    """Return which thread runs which tasks and keeps which copies, now and after the next target.

    On a condition if one is given.

    Raises UnknownMemberError.
    """
    known = {name for each in group.members for name in (each.id, each.process)}
    require_known(what_if.without, known)
    gone = set(what_if.without)
    stay = [each for each in group.members if not {each.id, each.process} & gone]
    now = {each.id: MemberTasks(each.active, each.standby) for each in group.members}
    orders = likely_orders(
        [each.id for each in group.members],
        lambda order: strategy.assign(_ordered(group, order)).members == now,
    )
    usual = _usual_threads(group)
    kept = list(dict.fromkeys(each.process for each in stay))
    homes = [*kept * bool(what_if.threads), *(f"new-{at + 1}" for at in range(what_if.more))]
    labels = {
        (at, thread): f"{home} {'new thread' if home in kept else 'thread'} {thread + 1}"
        for at, home in enumerate(homes)
        for thread in range(what_if.threads + (0 if home in kept else usual))
    }

    def asked(order: list[int], draw: int = 0) -> StreamsGroup:
        members = [each for each in _ordered(group, order).members if each in stay]
        new = (
            StreamsMember(
                _new(draw, at, thread),
                homes[at]
                if homes[at] in kept
                else str(uuid5(NAMESPACE_OID, f"process {draw} {homes[at]}")),
                offsets={},
            )
            for at, thread in labels
        )
        return replace(group, members=[*members, *new])

    def answer(order: list[int], draw: int = 0) -> Mapping[str, Held]:
        found = strategy.assign(asked(order, draw)).members
        return {label: _held(found[name]) for name, label in names_of(draw).items()}

    def names_of(draw: int) -> dict[str, str]:
        new = {_new(draw, *each): label for each, label in labels.items()}
        return {each.id: each.id for each in stay} | new

    first = orders.positions[0]

    def steps() -> Sequence[Placement]:
        return strategy.steps(asked(first))

    answers = [answer(order) for order in orders.positions]
    certainty = certainty_of(answers, orders, strategy.certainty_for(asked(first)))
    if labels:
        certainty = drawn_certainty(lambda draw: counts(answer(first, draw)))
    return Forecast(
        strategy.name,
        certainty.on(joined(_if_standbys(group), condition)),
        {name: _held(tasks) for name, tasks in now.items()},
        answers[0],
        (
            STANDBYS_SEEN.format(standbys=group.standbys),
            *((AS_ONE,) if what_if != NO_CHANGE else ()),
        ),
        more={"processes": {each.id: each.process for each in group.members}},
        stages=(Stage(RoundCause.CHANGE, 0, answers[0], steps_of(steps, names_of(0))),),
        homes={each.id: each.process for each in group.members}
        | {label: homes[at] for (at, _), label in labels.items()},
        labels={
            label: f"new thread {thread + 1}" if homes[at] in kept else f"thread-{thread + 1}"
            for (at, thread), label in labels.items()
        },
    )


def broker_strategy(release: tuple[int, int]) -> BrokerStrategy:
    """Return the strategy of a release of the brokers, such as (4, 3).

    Raises UnpredictedReleaseError: 4.0 has no such groups, and 4.1 iterates sets by identity, so
    that the same input gave it different answers.
    """
    if release < (4, 2):
        message = (
            f"streams groups (KIP-1071) of Kafka {release[0]}.{release[1]} cannot be predicted: "
            "there the same group may get different answers; from 4.2 on it gets one"
        )
        raise UnpredictedReleaseError(message)
    return STICKY if release >= (4, 4) else STICKY_4_3


def _if_standbys(group: StreamsGroup) -> str:
    """Return on which number of standbys a forecast hangs, where more had found no instance."""
    instances = len({each.process for each in group.members})
    setting = f"if streams.num.standby.replicas is {group.standbys}"
    return setting if group.standbys + 1 >= instances else ""


def _ordered(group: StreamsGroup, order: list[int]) -> StreamsGroup:
    return replace(group, members=[group.members[at] for at in order])


def _new(draw: int, instance: int, thread: int) -> str:
    return new_id(f"thread {draw} {instance} {thread}")


def _usual_threads(group: StreamsGroup) -> int:
    """Return how many threads most instances have."""
    of_instances = Counter(Counter(each.process for each in group.members).values())
    return of_instances.most_common(1)[0][0] if of_instances else 1


def _held(tasks: MemberTasks) -> Held:
    return {"active": _names(tasks.active), "standby": _names(tasks.standby)}


def _names(tasks: Iterable[Task]) -> list[str]:
    return [each.name for each in sorted(tasks)]
