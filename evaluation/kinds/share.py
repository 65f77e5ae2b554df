"""What a rebalance brings a share group (KIP-932)."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.certainty import joined
from assignors.placements import Placement
from assignors.share.group import ShareAssignment, ShareGroup, ShareMember, TopicPartition
from assignors.share.strategies import SHARE_STRATEGIES, SIMPLE, ShareStrategy
from evaluation.assuming.assumed import IF_ALL_READ_ALL
from evaluation.kinds.forecast import (
    NO_CHANGE,
    Forecast,
    Held,
    OtherMembers,
    RoundCause,
    Stage,
    counts,
    drawn_certainty,
    require_known,
    steps_of,
)
from evaluation.kinds.orders import certainty_of, in_order, likely_orders

SUBSCRIBED: Final = "Every consumer is taken to subscribe to all topics that one of them reads."


def share_forecast(
    group: ShareGroup,
    what_if: OtherMembers = NO_CHANGE,
    strategy: ShareStrategy = SIMPLE,
    condition: str = "",
) -> Forecast:
    """Return who reads what, now and after the next assignment, on a condition if one is given.

    Raises UnknownMemberError, and InconsistentMembersError where Kafka 4.1 fails.
    """
    require_known(what_if.without, {each.id for each in group.members})
    stay = dict.fromkeys(each.id for each in group.members if each.id not in what_if.without)

    now = ShareAssignment({each.id: each.held for each in group.members})
    orders = likely_orders(
        [each.id for each in group.members],
        lambda order: strategy.assign(in_order(group, order)).members == now.members,
    )

    def asked(order: list[int], draw: int = 0) -> ShareGroup:
        members = [each for each in in_order(group, order).members if each.id in stay]
        topics = group.wanted(*group.members)
        new = (ShareMember(_new(draw, at), topics) for at in range(what_if.more))
        return replace(group, members=[*members, *new])

    def answer(order: list[int], draw: int = 0) -> Mapping[str, Held]:
        found = strategy.assign(asked(order, draw)).members
        new = labels_of(draw)
        names = [*stay, *new]
        return {new.get(name, name): _held(found[name]) for name in names}

    def labels_of(draw: int) -> dict[str, str]:
        return {_new(draw, at): f"new-{at + 1}" for at in range(what_if.more)}

    first, labels = orders.positions[0], labels_of(0)

    def steps() -> Sequence[Placement]:
        return strategy.steps(asked(first))

    answers = [answer(order) for order in orders.positions]
    then = answers[0]
    certainty = certainty_of(answers, orders, strategy.certainty_for(asked(first)))
    if what_if.more:
        certainty = drawn_certainty(lambda draw: counts(answer(first, draw)))
    return Forecast(
        strategy.name,
        certainty.on(joined(IF_ALL_READ_ALL if _may_differ(group) else "", condition)),
        {each.id: _held(each.held) for each in group.members},
        then,
        (SUBSCRIBED,) if group.has_equal_subscriptions else (),
        more={"readers": _readers(now, then)},
        stages=(Stage(RoundCause.CHANGE, 0, then, steps_of(steps, labels)),),
    )


def share_strategy(release: tuple[int, int]) -> ShareStrategy:
    """Return the strategy of a release of the brokers, such as (4, 1)."""
    of = dict(zip(((4, 2), (4, 1), (4, 0)), SHARE_STRATEGIES, strict=True))
    return next((of[first] for first in of if release >= first), SHARE_STRATEGIES[-1])


def _may_differ(group: ShareGroup) -> bool:
    """Return whether somebody reads nothing of a topic, which it may not subscribe to."""
    return len(group.members) > 1 and any(
        {topic for topic, _ in each.held} < set(group.topics) for each in group.members
    )


def _new(draw: int, at: int) -> str:
    return new_id(f"share {draw} {at}")


def new_id(seed: str) -> str:
    """Return an id as Kafka's random ones, always the same for a seed."""
    return urlsafe_b64encode(uuid5(NAMESPACE_OID, seed).bytes).decode().rstrip("=")


def _held(partitions: frozenset[TopicPartition]) -> Held:
    return {"reads": [f"{topic}-{number}" for topic, number in sorted(partitions)]}


def _readers(now: ShareAssignment, then: Mapping[str, Held]) -> dict[str, dict[str, int]]:
    """Return how many consumers read each partition, now and then."""
    after: dict[str, int] = {}
    for held in then.values():
        for name in held["reads"]:
            after[name] = after.get(name, 0) + 1
    before = {f"{topic}-{number}": len(ids) for (topic, number), ids in now.readers.items()}
    names = dict.fromkeys([*before, *sorted(after)])
    return {name: {"now": before.get(name, 0), "then": after.get(name, 0)} for name in names}
