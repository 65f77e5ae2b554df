"""What each turn of the search for even lag took from the busiest member, in words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from evaluation.explain.reasoning import Step, Words, exact_lags


class Turn(NamedTuple):
    """One move or swap, with the lags it changed."""

    number: int
    """From 1."""
    given: int
    """The partition that leaves the busiest member."""
    returned: int
    """The partition that comes back for it, ``UNOWNED`` for none."""
    busiest: int
    other: int
    before: tuple[int, int]
    """The lag of the busiest and of the other member."""
    after: tuple[int, int]
    largest: tuple[int, int]
    """The largest lag of all members, before and after."""


def with_lags(
    group: Group, owners: Owners, steps: Iterable[Sequence[tuple[int, int]]]
) -> list[Turn]:
    """Take the steps from these owners, and note the lags that each changes.

    A step is a partition of the busiest member with its new owner, then, for a swap, the
    partition that comes back with its own.
    """
    owners = owners.copy()
    loads = exact_lags(group, owners, np.flatnonzero(owners != UNOWNED))
    turns = []
    for number, ((given, other), *back) in enumerate(steps, 1):
        busiest, returned = int(owners[given]), back[0][0] if back else UNOWNED
        before, largest = (loads[busiest], loads[other]), max(loads)
        for partition, member in ((given, other), *back):
            loads[owners[partition]] -= int(group.counted_lags[partition])
            loads[member] += int(group.counted_lags[partition])
            owners[partition] = member
        after, largest_now = (loads[busiest], loads[other]), max(loads)
        change = largest, largest_now
        turns.append(Turn(number, given, returned, busiest, other, before, after, change))
    return turns


def turns_of(turns: Iterable[Turn], partition: int) -> list[Turn]:
    """Return the turns that changed the owner of the partition, in order."""
    return [turn for turn in turns if partition in {turn.given, turn.returned}]


def taker_of(turn: Turn, partition: int) -> int:
    """Return the partition's owner after the turn."""
    return turn.other if partition == turn.given else turn.busiest


def outline(turns: Sequence[Turn], own: Sequence[Turn]) -> Step:
    """Say what the turns, one at least, come to as a whole, and whether any is this one's own."""
    first, last = turns[0].largest[0], turns[-1].largest[1]
    takes = "turn takes" if len(turns) == 1 else "turns take"
    text = (
        f"Once all have an owner, {len(turns):,} {takes} lag off the busiest consumer, by a move "
        f"or a swap: the largest lag goes from {first:,} to {last:,}."
    )
    return Step("Turns", text if own else f"{text} This partition stays out of it.")


def moved(words: Words, turn: Turn, partition: int) -> Step:
    """Say where a turn moved the partition, and what lag that took off the busiest member."""
    is_given, is_swap = partition == turn.given, turn.returned != UNOWNED
    busiest, other = words.member(turn.busiest), words.member(turn.other)
    was, now = turn.largest
    target = other if is_given else busiest
    if is_swap:
        target += f" in exchange for {words.partition(turn.returned if is_given else turn.given)}"
    largest = f"stays at {was:,}, which others carry too"
    if now < was:
        largest = f"falls from {was:,} to {now:,}"
    text = (
        f"Turn {turn.number:,}: {busiest} carries {turn.before[0]:,}, the most, and {other} "
        f"{turn.before[1]:,}. It goes to {target}, which leaves {busiest} with {turn.after[0]:,} "
        f"and {other} with {turn.after[1]:,}; the largest lag {largest}."
    )
    return Step("Swapped" if is_swap else "Moved", text)
