"""What a rebalance brings a share group (KIP-932)."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.certainty import joined
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
    changed = _changed(group, what_if, strategy)
    now = ShareAssignment({each.id: each.held for each in group.members})
    orders = likely_orders(
        [each.id for each in group.members],
        lambda order: strategy.assign(in_order(group, order)).members == now.members,
    )
    answers = [changed.answer(order) for order in orders.positions]
    first, then = orders.positions[0], answers[0]
    asked = changed.asked(first)
    certainty = certainty_of(answers, orders, strategy.certainty_for(asked))
    if changed.more:
        certainty = drawn_certainty(lambda draw: counts(changed.answer(first, draw)))
    steps = steps_of(lambda: strategy.steps(asked), changed.labels(0))
    return Forecast(
        strategy.name,
        certainty.on(joined(IF_ALL_READ_ALL if _may_differ(group) else "", condition)),
        {each.id: _held(each.held) for each in group.members},
        then,
        (SUBSCRIBED,) if group.has_equal_subscriptions else (),
        more={"readers": _readers(now, then)},
        stages=(Stage(RoundCause.CHANGE, 0, then, steps),),
    )


@dataclass(frozen=True, kw_only=True)
class _Changed:
    """A group with other members, of which new ones have other ids in each draw."""

    group: ShareGroup
    strategy: ShareStrategy
    stay: Sequence[str]
    more: int

    def asked(self, order: Sequence[int], draw: int = 0) -> ShareGroup:
        """Return the group as the broker sees it."""
        stay, topics = set(self.stay), self.group.wanted(*self.group.members)
        members = [each for each in in_order(self.group, order).members if each.id in stay]
        new = (ShareMember(name, topics) for name in self.labels(draw))
        return replace(self.group, members=[*members, *new])

    def answer(self, order: Sequence[int], draw: int = 0) -> Mapping[str, Held]:
        """Return what each member reads then, by its label."""
        found = self.strategy.assign(self.asked(order, draw)).members
        labels = {name: name for name in self.stay} | self.labels(draw)
        return {label: _held(found[name]) for name, label in labels.items()}

    def labels(self, draw: int) -> dict[str, str]:
        """Return what new members are called, by id."""
        return {new_id(f"share {draw} {at}"): f"new-{at + 1}" for at in range(self.more)}


def _changed(group: ShareGroup, what_if: OtherMembers, strategy: ShareStrategy) -> _Changed:
    """Return the group without those that leave, and with those that join."""
    require_known(what_if.without, {each.id for each in group.members})
    stay = [each.id for each in group.members if each.id not in what_if.without]
    return _Changed(group=group, strategy=strategy, stay=stay, more=what_if.more)


def share_strategy(release: tuple[int, int]) -> ShareStrategy:
    """Return the strategy of a release of the brokers, such as (4, 1)."""
    of = dict(zip(((4, 2), (4, 1), (4, 0)), SHARE_STRATEGIES, strict=True))
    return next((of[first] for first in of if release >= first), SHARE_STRATEGIES[-1])


def _may_differ(group: ShareGroup) -> bool:
    """Return whether somebody reads nothing of a topic, which it may not subscribe to."""
    return len(group.members) > 1 and any(
        {topic for topic, _ in each.held} < set(group.topics) for each in group.members
    )


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
