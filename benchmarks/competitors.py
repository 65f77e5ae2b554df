"""Our strategies and other implementations of Kafka's strategies."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from assignors.model import Group, Owners
from assignors.numbering import Member
from assignors.registry import STRATEGIES
from assignors.rules import check
from assignors.strategy import Protocol
from benchmarks.measuring import Cost, Repeats, anew, repeated, timed

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
    measure: Callable[[str, Group, Repeats], Measured]
    """Run a strategy on a group as that implementation would, without caches between runs."""


def ours(strategy: str, group: Group, budget: Repeats) -> Measured:
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
