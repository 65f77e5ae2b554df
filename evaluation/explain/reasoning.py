"""The parts of an explanation, and sentences that several strategies share."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import NO_GENERATION, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota
from assignors.sticky.claims import Claims
from assignors.sums import exact_sums
from evaluation.wording import listed, ordinal, plural, without_uuids


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


class KeptShare(NamedTuple):
    """How many of its partitions a member may keep."""

    holder: int
    held: IntArray | LongArray
    """Its partitions, those that it may keep first."""
    allowed: int
    by: str
    """Which ones: "the first ones"."""


class Derivation(NamedTuple):
    """The derivation of one strategy's decisions about one group."""

    order: IntArray | LongArray
    """The wanted partitions in the order of the strategy's decisions."""
    reason: Callable[[int], Reasoning]
    """Derives the owner of one wanted partition."""


class Words:
    """The names of one group as people read them."""

    def __init__(self, group: Group) -> None:
        self.group = group
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
        rack = self.group.member_racks[member]
        return f"rack {self.group.racks[rack]}" if rack >= 0 else "no rack"

    def replica_racks(self, partition: int) -> str:
        """Return the racks with a replica of the partition."""
        racks = np.flatnonzero(self.group.replica_racks[partition])
        return listed([self.group.racks[rack] for rack in racks] or ["no known rack"])


def position_of(value: int, values: npt.NDArray[np.integer[Any]]) -> int:
    """Return the first position of the value."""
    return int(np.argmax(values == value))


def subscribers_of(group: Group, partition: int) -> IntArray:
    """Return the members that subscribe to the partition's topic, ascending."""
    return group.subscribers(group.topic_of_partition[partition])


def exact_lags(group: Group, owners: Owners, partitions: LongArray) -> list[int]:
    """Return each member's lag in these partitions, however large."""
    lags = group.counted_lags[partitions]
    lag_per_member: list[int] = exact_sums(owners[partitions], lags, group.member_count).tolist()
    return lag_per_member


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


def kept_or_given_up(words: Words, partition: int, share: KeptShare) -> Step:
    """Say whether the holder keeps a partition that it holds."""
    count, place = share.held.size, position_of(partition, share.held)
    text = f"{words.member(share.holder)} holds {count:,} and may keep {share.allowed:,}"
    if count > share.allowed:
        text += f", {share.by}; this is the {ordinal(place + 1)}"
    if place < share.allowed:
        return Step("Kept", f"{text}: it keeps it.")
    return Step("Given up", f"{text}: it gives it up.")


def assigned(number: int) -> str:
    """Return ``1 partition is assigned``, ``2 partitions are assigned``."""
    return f"{plural(number, 'partition')} {'is' if number == 1 else 'are'} assigned"


def claim_of(words: Words, claims: Claims, partition: int, *, newest_only: bool = False) -> Step:
    """Say who claims a partition and whose claim counts.

    ``newest_only`` is the rule before KAFKA-12984.
    """
    group, holder = words.group, claims.holder[partition]
    claimants = np.unique(group.member_of_claim[group.claims == partition])
    claimants = group.hash_map_order[np.isin(group.hash_map_order, claimants)]
    if not claimants.size:
        return Step("Claims", "Nobody claims it.")
    generations = group.generations[claimants].tolist()
    pairs = zip(claimants, map(_generation, generations), strict=True)
    names = listed([f"{words.member(member)} ({generation})" for member, generation in pairs])
    names = f"{names} {'claims' if claimants.size == 1 else 'claim'} it"
    wins = f"{words.member(holder)}'s claim counts"
    if not newest_only:
        end = "the highest generation wins, so " + wins
        if holder == UNOWNED:
            end = "between equal generations no claim counts"
        return Step("Claims", f"{names}; {end if claimants.size > 1 else 'nobody else does'}.")
    newest = int(group.generations.max())
    end = f"here {_generation(newest)}, so the partition counts as free"
    if holder != UNOWNED:
        end = f"so {wins}"
    elif generations.count(newest) > 1:
        end = "and of several, none does"
    return Step("Claims", f"{names}; only claims of the newest generation count, {end}.")


def _generation(generation: int) -> str:
    return "no generation" if generation == NO_GENERATION else f"generation {generation:,}"


def even_quota(words: Words, quota: Quota) -> Step:
    """Say how many partitions each member may hold if all subscribe alike."""
    group = words.group
    more = f"and {quota.extras:,} of them one more" if quota.extras else "with none left over"
    division = (
        f"{plural(group.wanted.size, 'partition')} ÷ {plural(group.member_count, 'consumer')}"
    )
    alike = f"All {group.member_count:,} list the same topics"
    if group.member_count == 1:
        alike = f"{words.member(0)} is alone"
    return Step("Quota", f"{alike}: {division} = {quota.least:,} each, {more}.")


def present_owner(words: Words, held: Owners, partition: int) -> Step:
    """Say who owns a partition now; ``held`` (P,) are the owners that still subscribe."""
    present, topic = words.group.present_owners[partition], words.topic(partition)
    text = f"{words.member(present)} no longer subscribes to {topic}."
    if held[partition] != UNOWNED:
        text = f"{words.member(held[partition])} owns it now."
    elif present == UNOWNED:
        text = "Nobody owns it now."
    return Step("Present owner", text)
