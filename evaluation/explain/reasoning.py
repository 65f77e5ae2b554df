"""The shape of every explanation: what is kept, then one pass after another, in sentences."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import NO_GENERATION, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.sticky.claims import Resolved
from assignors.sums import exact_sums
from evaluation.consumer_labels import labels_of
from evaluation.wording import listed


class Step(NamedTuple):
    """One step of a derivation."""

    rule: str
    """The subject of the step in a word or two: "Quota", "Tie-break"."""
    text: str
    """One sentence with the group's figures."""


class Reasoning(NamedTuple):
    """The derivation of one partition's owner."""

    owner: int
    """The member that the steps lead to."""
    steps: tuple[Step, ...]
    """In the order of the derivation; the last one decides."""


class Derivation(NamedTuple):
    """The derivation of one strategy's decisions about one group."""

    order: IntArray | LongArray
    """The wanted partitions in the order of the strategy's decisions."""
    reason: Callable[[int], Reasoning]
    """Derives the owner of one wanted partition."""


class Pass(NamedTuple):
    """One pass of an algorithm over partitions."""

    partitions: IntArray | LongArray
    """In the order of assignment."""
    assign: Callable[[int], tuple[int, list[Step]]]
    """Derives who takes the partition at a place, from 0, and says why."""


def in_passes(
    *passes: Pass, kept: Owners | None = None, begin: Callable[[int], list[Step]] = lambda _: []
) -> Derivation:
    """Derive owners from what is kept (P,) and the passes after that.

    The last pass over a partition decides; ``begin`` says what holds before the first.
    """

    def reason(partition: int) -> Reasoning:
        owner = UNOWNED if kept is None else int(kept[partition])
        steps = begin(partition)
        for each in passes:
            for place in np.flatnonzero(each.partitions == partition).tolist():
                owner, more = each.assign(place)
                steps = [*steps, *more]
        return Reasoning(owner, tuple(steps))

    stays = np.flatnonzero(kept != UNOWNED) if kept is not None else ()
    latest_first = np.concatenate([stays, *(each.partitions for each in passes)])[::-1]
    _, latest = np.unique(latest_first, return_index=True)
    return Derivation(latest_first[np.sort(latest)[::-1]].astype(np.int64), reason)


class Words:
    """The names of one group as people read them, and sentences that strategies share."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self._members = labels_of(group)

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
        return self.group.partition_name(partition)

    def lag(self, partition: int) -> str:
        """Return the partition's lag as strategies count it."""
        if not self.group.is_lag_known[partition]:
            return "unknown, which counts as 0"
        return f"{self.group.counted_lags[partition]:,}"

    def topic(self, partition: int) -> str:
        """Return the name of the partition's topic."""
        topic: int = self.group.topic_of_partition[partition]
        return self.group.topics[topic]

    def rack(self, member: int) -> str:
        """Return ``rack a``, or ``no rack``."""
        rack = self.group.layout.member_racks[member]
        return f"rack {self.group.layout.racks[rack]}" if rack >= 0 else "no rack"

    def replica_racks(self, partition: int) -> str:
        """Return the racks with a replica of the partition."""
        racks = np.flatnonzero(self.group.layout.replica_racks[partition])
        return listed([self.group.layout.racks[rack] for rack in racks] or ["no known rack"])

    def subscribers(self, partition: int) -> IntArray:
        """Return the members that subscribe to the partition's topic, ascending."""
        return self.group.subscribers(self.group.topic_of_partition[partition])

    def smallest_id(self, equal: list[int], what: str) -> Step:
        """Say that the smallest id decides between equals, the first of them.

        ``what`` they share is put so that it fits "with": ``the fewest partitions``.
        """
        taker = self.member(equal[0])
        if len(equal) == 1:
            return Step("Decision", f"{taker} takes it, the only one with {what}.")
        names = self.members(equal)
        return Step("Tie-break", f"{taker} takes it, the smallest id of {names}, all with {what}.")

    def to_emptiest(
        self, candidates: IntArray, counts: LongArray, held: str
    ) -> tuple[int, list[Step]]:
        """Say that the candidate with the fewest partitions takes it, equals by id.

        ``counts`` (M,) is what members hold so far; ``held`` says whose figures these are.
        """
        by_need = candidates[np.argsort(counts[candidates], kind="stable")]
        fewest = counts[by_need[0]]
        equal = by_need[counts[by_need] == fewest].tolist()
        so_far = Step("Held so far", f"{held} {self.each(by_need, counts[by_need])}.")
        return equal[0], [so_far, self.smallest_id(equal, f"the fewest so far, {fewest:,}")]

    def claim(self, claims: Resolved, partition: int, *, newest_only: bool = False) -> Step:
        """Say who claims a partition and whose claim counts.

        ``newest_only`` is the rule before KAFKA-12984.
        """
        group, holder = self.group, claims.holder[partition]
        claimants = np.unique(group.claims.members[group.claims.partitions == partition])
        claimants = group.layout.hash_map_order[np.isin(group.layout.hash_map_order, claimants)]
        if not claimants.size:
            return Step("Claims", "Nobody claims it.")
        generations = group.claims.generations[claimants].tolist()
        pairs = zip(claimants, map(_generation, generations), strict=True)
        names = listed([f"{self.member(member)} ({generation})" for member, generation in pairs])
        names = f"{names} {'claims' if claimants.size == 1 else 'claim'} it"
        wins = f"{self.member(holder)}'s claim counts"
        if not newest_only:
            end = "the highest generation wins, so " + wins
            if holder == UNOWNED:
                end = "between equal generations no claim counts"
            return Step("Claims", f"{names}; {end if claimants.size > 1 else 'nobody else does'}.")
        newest = int(group.claims.generations.max())
        end = f"here {_generation(newest)}, so the partition counts as free"
        if holder != UNOWNED:
            end = f"so {wins}"
        elif generations.count(newest) > 1:
            end = "and of several, none does"
        return Step("Claims", f"{names}; only claims of the newest generation count, {end}.")

    def present_owner(self, held: Owners, partition: int) -> Step:
        """Say who owns a partition now; ``held`` (P,) are the owners that still subscribe."""
        present, topic = self.group.present_owners[partition], self.topic(partition)
        text = f"{self.member(present)} no longer subscribes to {topic}."
        if held[partition] != UNOWNED:
            text = f"{self.member(held[partition])} owns it now."
        elif present == UNOWNED:
            text = "Nobody owns it now."
        return Step("Present owner", text)


def position_of(value: int, values: npt.NDArray[np.integer[Any]]) -> int:
    """Return the first position of the value."""
    return int(np.argmax(values == value))


def exact_lags(group: Group, owners: Owners, partitions: LongArray) -> list[int]:
    """Return each member's lag in these partitions, however large."""
    lags = group.counted_lags[partitions]
    lag_per_member: list[int] = exact_sums(owners[partitions], lags, group.member_count).tolist()
    return lag_per_member


def _generation(generation: int) -> str:
    return "no generation" if generation == NO_GENERATION else f"generation {generation:,}"
