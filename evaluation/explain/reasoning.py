"""The parts of an explanation, and sentences that several strategies share."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import NO_GENERATION, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota
from assignors.sticky.claims import Claims
from assignors.sums import exact_sums
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


class Derivation(NamedTuple):
    """How one strategy decides about one group."""

    order: IntArray | LongArray
    """The wanted partitions in the order in which the strategy decides about them."""
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
    """Return where the value first stands."""
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


def kept_or_given_up(text: str, place: int, allowed: int) -> Step:
    """Say that a member keeps the partition, or gives it up, for its place among those held."""
    if place < allowed:
        return Step("Kept", f"{text}: it keeps it.")
    return Step("Given up", f"{text}: it gives it up.")


def assigned(number: int) -> str:
    """Return ``1 partition is assigned``, ``2 partitions are assigned``."""
    return f"{plural(number, 'partition')} {'is' if number == 1 else 'are'} assigned"


def claim_of(group: Group, words: Words, claims: Claims, partition: int) -> Step:
    """Say who claims a partition and, by today's rules, whose claim holds."""
    claimants = _claimants(group, partition)
    names = _with_generations(group, words, claimants)
    holder = claims.holder[partition]
    if not claimants.size:
        text = "Nobody claims it."
    elif claimants.size == 1:
        text = f"{names} claims it, and nobody else."
    elif holder == UNOWNED:
        text = f"{names} claim it; between equal generations nobody's claim holds."
    else:
        text = f"{names} claim it; the highest generation counts, {words.member(holder)}'s."
    return Step("Claims", text)


def claim_in_newest(group: Group, words: Words, claims: Claims, partition: int) -> Step:
    """Say the same by the earlier rule: only the newest generation counts."""
    claimants = _claimants(group, partition)
    newest = int(group.generations.max())
    if not claimants.size:
        return Step("Claims", "Nobody claims it.")
    is_one, holder = claimants.size == 1, claims.holder[partition]
    if holder != UNOWNED:
        end = f"so {'its claim' if is_one else f'that of {words.member(holder)}'} holds"
    elif np.count_nonzero(group.generations[claimants] == newest) > 1:
        end = "and of several, none does"
    else:
        end = f"here {_generation(newest)}, so it counts as free"
    claim = f"{_with_generations(group, words, claimants)} {'claims' if is_one else 'claim'} it"
    rule = "only claims of the newest generation count"
    return Step("Claims", f"{claim}; {rule}, {end}.")


def _claimants(group: Group, partition: int) -> LongArray:
    """Return the members that claim a partition, in the order in which Kafka visits them."""
    claims = np.unique(group.member_of_claim[group.claims == partition])
    visited = group.hash_map_order
    return visited[np.isin(visited, claims)].astype(np.int64)


def _with_generations(group: Group, words: Words, members: LongArray) -> str:
    pairs = zip(members, group.generations[members], strict=True)
    return listed([f"{words.member(member)} ({_generation(g)})" for member, g in pairs])


def _generation(generation: int) -> str:
    return "no generation" if generation == NO_GENERATION else f"generation {generation:,}"


def even_quota(group: Group, words: Words, quota: Quota) -> Step:
    """Say how many partitions each member may hold where all subscribe alike."""
    more = f"and {quota.extras:,} of them one more" if quota.extras else "with none left over"
    partitions = plural(group.wanted.size, "partition")
    division = f"{partitions} ÷ {plural(group.member_count, 'consumer')}"
    alike = f"All {group.member_count:,} list the same topics"
    if group.member_count == 1:
        alike = f"{words.member(0)} is alone"
    return Step("Quota", f"{alike}: {division} = {quota.least:,} each, {more}.")
