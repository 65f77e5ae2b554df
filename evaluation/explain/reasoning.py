"""What an explanation is made of, and the words all families share."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from evaluation.sums import exact_sums
from evaluation.wording import listed, plural, short_names


class Step(NamedTuple):
    """One step of a derivation."""

    rule: str
    """What the step is about, in a word or two: "Quota", "Tie-break"."""
    text: str
    """One sentence with the figures of this group."""


class Reasoning(NamedTuple):
    """How a strategy arrives at the owner of one partition."""

    owner: int
    """The member number that the steps lead to."""
    steps: tuple[Step, ...]
    """In the order of the derivation; the last one decides."""


class Account(NamedTuple):
    """How one strategy decides about one group."""

    order: IntArray | LongArray
    """The wanted partitions in the order in which the strategy decides about them."""
    reason: Callable[[int], Reasoning]
    """Derives the owner of one wanted partition."""


class Words:
    """The names of one group as people read them."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._members = short_names(group.members)

    def member(self, member: int) -> str:
        """Return a member's short name, or "nobody"."""
        return "nobody" if member == UNOWNED else self._members[member]

    def members(self, members: Iterable[int]) -> str:
        """Name members: ``C0, C1 and C2``; of many the first, and how many more."""
        return listed([self.member(m) for m in members])

    def each(self, members: Iterable[int], figures: Iterable[int], unit: str = "") -> str:
        """Name members with a figure each: ``C0 (3) and C1 (2)``."""
        pairs = zip(members, figures, strict=True)
        return listed([f"{self.member(member)} ({figure:,}{unit})" for member, figure in pairs])

    def partition(self, partition: int) -> str:
        """Return ``topic-3``."""
        return self._group.partition_name(partition)

    def lag(self, partition: int) -> str:
        """Return the partition's lag as strategies count it."""
        if not self._group.is_lag_known[partition]:
            return "unknown, which counts as 0"
        return f"{self._group.counted_lags[partition]:,}"

    def topic(self, partition: int) -> str:
        """Return the name of the partition's topic."""
        topic: int = self._group.topic_of_partition[partition]
        return self._group.topics[topic]

    def rack(self, member: int) -> str:
        """Return ``rack a``, or ``no rack``."""
        rack = int(self._group.member_racks[member])
        return f"rack {self._group.racks[rack]}" if rack >= 0 else "no rack"

    def replica_racks(self, partition: int) -> str:
        """Return the racks with a replica of the partition."""
        found = self._group.replica_racks[partition].nonzero()[0].tolist()
        return listed([self._group.racks[rack] for rack in found]) if found else "no known rack"


def smallest_id(words: Words, equal: list[int], what: str) -> Step:
    """Say who decides about equals, the first of them: the smallest id.

    ``what`` they share is put so that it fits "with": ``the fewest partitions``.
    """
    taker = words.member(equal[0])
    if len(equal) == 1:
        return Step("Decision", f"{taker} takes it, alone with {what}.")
    who = words.members(equal)
    return Step("Tie-break", f"{taker} takes it, the smallest id of {who}, all with {what}.")


def dealt(number: int) -> str:
    """Return ``1 partition is dealt``, ``2 partitions are dealt``."""
    return f"{plural(number, 'partition')} {'is' if number == 1 else 'are'} dealt"


def exact_lags(group: Group, owners: Owners, partitions: LongArray) -> list[int]:
    """Return each member's lag in these partitions, however large."""
    lags = group.counted_lags[partitions]
    found: list[int] = exact_sums(owners[partitions], lags, group.member_count).tolist()
    return found
