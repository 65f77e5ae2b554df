"""What an explanation is made of, and the sentences that several strategies share."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from evaluation.sums import exact_sums
from evaluation.wording import listed, plural, without_uuids


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


class Derivation(Protocol):
    """How one strategy decides about one group."""

    @property
    def order(self) -> IntArray | LongArray:
        """The wanted partitions in the order in which the strategy decides about them."""

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""


class Words:
    """The names of one group as people read them."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._members = without_uuids(group.members)

    def member(self, member: int) -> str:
        """Return a member's short name, or "nobody"."""
        return "nobody" if member == UNOWNED else self._members[member]

    def members(self, members: Iterable[int]) -> str:
        """Name members: ``C0, C1 and C2``; of many the first, and how many more."""
        return listed([self.member(member) for member in members])

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
        rack = self._group.member_racks[member]
        return f"rack {self._group.racks[rack]}" if rack >= 0 else "no rack"

    def replica_racks(self, partition: int) -> str:
        """Return the racks with a replica of the partition."""
        racks = np.flatnonzero(self._group.replica_racks[partition])
        return listed([self._group.racks[rack] for rack in racks] or ["no known rack"])


def place_of(value: int, values: npt.NDArray[np.integer[Any]]) -> int:
    """Return where the value first stands."""
    return int(np.argmax(values == value))


def subscribers_of(group: Group, partition: int) -> IntArray:
    """Return the members that subscribe to the partition's topic, ascending."""
    return group.audiences.members_of(group.audiences.of_topic[group.topic_of_partition[partition]])


def exact_lags(group: Group, owners: Owners, partitions: LongArray) -> list[int]:
    """Return each member's lag in these partitions, however large."""
    lags = group.counted_lags[partitions]
    found: list[int] = exact_sums(owners[partitions], lags, group.member_count).tolist()
    return found


def smallest_id(words: Words, equal: list[int], what: str) -> Step:
    """Say that the smallest id decides between equals, the first of them.

    ``what`` they share is put so that it fits "with": ``the fewest partitions``.
    """
    taker = words.member(equal[0])
    if len(equal) == 1:
        return Step("Decision", f"{taker} takes it, alone with {what}.")
    names = words.members(equal)
    return Step("Tie-break", f"{taker} takes it, the smallest id of {names}, all with {what}.")


def to_emptiest(
    words: Words, candidates: IntArray, counts: LongArray, held: str
) -> tuple[int, list[Step]]:
    """Say that the candidate with the fewest partitions takes it, equals by id.

    ``counts`` (M,) is what members hold so far; ``held`` says it, with room for the figures.
    """
    by_need = candidates[np.argsort(counts[candidates], kind="stable")]
    fewest = counts[by_need[0]]
    equal = by_need[counts[by_need] == fewest].tolist()
    so_far = held.format(words.each(by_need, counts[by_need]))
    decision = smallest_id(words, equal, f"the fewest so far, {fewest:,}")
    return equal[0], [Step("Held so far", so_far), decision]


def assigned(number: int) -> str:
    """Return ``1 partition is assigned``, ``2 partitions are assigned``."""
    return f"{plural(number, 'partition')} {'is' if number == 1 else 'are'} assigned"
