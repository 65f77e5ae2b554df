"""What a rebalance brings a Streams group on the broker's protocol (KIP-1071)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.certainty import joined
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
from evaluation.kinds.orders import certainty_of, in_order, likely_orders
from evaluation.kinds.share import new_id

AS_ONE: Final = "Threads that come and go together are one change, as within 1 s they are."
STANDBYS_SEEN: Final = (
    "Sub-topologies with standbys are taken for those with state, and the most standbys of a task "
    "for streams.num.standby.replicas: {standbys}."
)


@dataclass(frozen=True, kw_only=True)
class _Changed:
    """A group with other members, whose new threads have other ids in each draw."""

    group: StreamsGroup
    strategy: BrokerStrategy
    stay: Mapping[str, str]
    """The instance of each thread that stays, by its id."""
    homes: Sequence[str]
    """The instances that get threads: those that stay, by process, then new ones."""
    labels: Mapping[tuple[int, int], str]
    """What new threads are called, by the place of their home and their number there."""

    def asked(self, order: Sequence[int], draw: int = 0) -> StreamsGroup:
        """Return the group as the broker sees it."""
        members = [each for each in in_order(self.group, order).members if each.id in self.stay]
        new = (
            StreamsMember(_new(draw, at, thread), self._process(at, draw), offsets={})
            for at, thread in self.labels
        )
        return replace(self.group, members=[*members, *new])

    @cached_property
    def kept(self) -> frozenset[str]:
        """The instances that have threads already."""
        return frozenset(self.stay.values())

    def _process(self, at: int, draw: int) -> str:
        home = self.homes[at]
        return home if home in self.kept else str(uuid5(NAMESPACE_OID, f"process {draw} {home}"))

    @property
    def beside_home(self) -> dict[str, str]:
        """What each new thread is called next to the name of its instance, by its label."""
        return {
            label: f"{'new thread ' if self.homes[at] in self.kept else 'thread-'}{thread + 1}"
            for (at, thread), label in self.labels.items()
        }

    def answer(self, order: Sequence[int], draw: int = 0) -> Mapping[str, Held]:
        """Return what each thread has then, by its label."""
        found = self.strategy.assign(self.asked(order, draw)).members
        return {label: held_of(found[name]) for name, label in self.names(draw).items()}

    def names(self, draw: int) -> dict[str, str]:
        """Return the label of each thread by its id."""
        new = {_new(draw, *each): label for each, label in self.labels.items()}
        return {name: name for name in self.stay} | new


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
    now = {each.id: MemberTasks(each.active, each.standby) for each in group.members}
    orders = likely_orders(
        [each.id for each in group.members],
        lambda order: strategy.assign(in_order(group, order)).members == now,
    )
    changed, first = _changed(group, what_if, strategy), orders.positions[0]
    answers = [changed.answer(order) for order in orders.positions]
    asked = changed.asked(first)
    certainty = certainty_of(answers, orders, strategy.certainty_for(asked))
    if changed.labels:
        certainty = drawn_certainty(lambda draw: counts(changed.answer(first, draw)))
    steps = steps_of(lambda: strategy.steps(asked), changed.names(0))
    homes = {each.id: each.process for each in group.members}
    return Forecast(
        strategy.name,
        certainty.on(joined(_if_standbys(group), condition)),
        {name: held_of(tasks) for name, tasks in now.items()},
        answers[0],
        (
            STANDBYS_SEEN.format(standbys=group.standbys),
            *((AS_ONE,) if what_if != NO_CHANGE else ()),
        ),
        more={"processes": homes},
        stages=(Stage(RoundCause.CHANGE, 0, answers[0], steps),),
        homes=homes | {label: changed.homes[at] for (at, _), label in changed.labels.items()},
        labels=changed.beside_home,
    )


def _changed(group: StreamsGroup, what_if: OtherMembers, strategy: BrokerStrategy) -> _Changed:
    """Return the group without those that leave, and with those that join."""
    require_known(what_if.without, {name for m in group.members for name in (m.id, m.process)})
    gone = set(what_if.without)
    stay = {m.id: m.process for m in group.members if not {m.id, m.process} & gone}
    usual = _usual_threads(group)
    kept = dict.fromkeys(stay.values())
    homes = [*(kept if what_if.threads else ()), *(f"new-{at + 1}" for at in range(what_if.more))]
    labels = {
        (at, thread): f"{home} {'new thread' if home in kept else 'thread'} {thread + 1}"
        for at, home in enumerate(homes)
        for thread in range(what_if.threads + (0 if home in kept else usual))
    }
    return _Changed(group=group, strategy=strategy, stay=stay, homes=homes, labels=labels)


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


def _new(draw: int, instance: int, thread: int) -> str:
    return new_id(f"thread {draw} {instance} {thread}")


def _usual_threads(group: StreamsGroup) -> int:
    """Return how many threads most instances have."""
    of_instances = Counter(Counter(each.process for each in group.members).values())
    return of_instances.most_common(1)[0][0] if of_instances else 1


def held_of(tasks: MemberTasks) -> Held:
    """Return the names of a member's tasks by role."""
    return {"active": task_names(tasks.active), "standby": task_names(tasks.standby)}


def task_names(tasks: Iterable[Task]) -> list[str]:
    """Return the names of tasks, in their order."""
    return [each.name for each in sorted(tasks)]
