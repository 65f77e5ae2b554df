"""Our strategies and other implementations of Kafka's strategies, kafka-python's first."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)

from assignors import naming
from assignors.model import Group, Owners
from assignors.numbering import Member
from assignors.registry import STRATEGIES
from assignors.rules import check
from assignors.strategy import Protocol
from benchmarks.measuring import Budget, Cost, anew, repeated, timed
from benchmarks.workloads import KAFKA_PYTHON

Owned: TypeAlias = tuple[str, str, list[int]]
"""Member, topic, partitions."""


class UnavailableError(Exception):
    """A competitor that cannot be measured on this machine; the message says why."""


class Measured(NamedTuple):
    """The median costs of several runs, and the resulting assignment."""

    cost: Cost
    owners: Owners


@dataclass(frozen=True)
class Competitor:
    """Another implementation of Kafka's strategies."""

    name: str
    version: str
    strategies: frozenset[str]
    measure: Callable[[str, Group, Budget], Measured]
    """Run a strategy on a group as that implementation would, without caches between runs."""


def ours(strategy: str, group: Group, budget: Budget) -> Measured:
    """Measure our strategy; every run starts from a group without memoised results.

    The first run, which may compile code, is not counted; its result is checked.
    """
    entry = STRATEGIES[strategy]
    owners = entry.assign(anew(group))
    check(group, owners, complete=entry.protocol is not Protocol.COOPERATIVE)
    return Measured(*repeated(lambda: timed(partial(entry.assign, anew(group))), budget))


def claims_by_topic(member: Member) -> list[tuple[str, list[int]]]:
    """Return the partitions that a member claims, as the consumer protocol lists them."""
    by_topic: dict[str, list[int]] = {}
    for topic, partition in member.owned:
        by_topic.setdefault(topic, []).append(partition)
    return list(by_topic.items())


def owners_of(group: Group, assigned: Iterable[Owned]) -> Owners:
    """Return the owner of every partition, from an assignment by name."""
    owners = group.nobody()
    first = dict(zip(group.topics, group.layout.topic_starts.tolist(), strict=False))
    number = {member: m for m, member in enumerate(group.members)}
    for member, topic, partitions in assigned:
        owners[[first[topic] + partition for partition in partitions]] = number[member]
    return owners


_ASSIGNORS: Final = {
    "range": RangePartitionAssignor,
    "roundrobin": RoundRobinPartitionAssignor,
    "sticky": StickyPartitionAssignor,
    "cooperative-sticky": CooperativeStickyAssignor,
}
_EAGER: Final = 0
"""The version of an assignment's wire format that has no owned partitions."""


def _measure(strategy: str, group: Group, budget: Budget) -> Measured:
    """Return the median costs of a new assignor's ``assign`` on decoded subscriptions."""
    assignor_of = _ASSIGNORS[strategy]
    sizes = dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
    cluster = SimpleNamespace(
        topics=lambda: set(sizes),
        partitions_for_topic=lambda topic: set(range(sizes[topic])) if topic in sizes else None,
    )
    members = [_joined(assignor_of(), member) for member in naming.member_records(group)]

    def assign() -> dict[str, Any]:
        answer: dict[str, Any] = assignor_of().assign(cluster, members)
        return answer

    cost, answer = repeated(partial(timed, assign), budget)
    assigned = (
        (member, topic, partitions)
        for member, assignment in answer.items()
        for topic, partitions in assignment.assigned_partitions
    )
    return Measured(cost, owners_of(group, assigned))


def _joined(assignor: Any, member: Member) -> SimpleNamespace:  # noqa: ANN401 -- untyped there
    """Return a member as the leader sees it, with its assignor's user data."""
    if member.owned:
        owned = ConsumerProtocolAssignment(_EAGER, claims_by_topic(member), b"")
        assignor.on_assignment(owned, member.generation)
    sent = assignor.metadata(member.topics).encode()
    return SimpleNamespace(
        member_id=member.id,
        group_instance_id=member.instance_id,
        metadata=ConsumerProtocolSubscription.decode(sent),
    )


kafka_python: Final = Competitor(
    KAFKA_PYTHON, version(KAFKA_PYTHON), frozenset(_ASSIGNORS), _measure
)
"""Its assignors are called as the group leader calls them."""
