"""What each turn of the search for even lag took from the busiest member, in words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from evaluation.explain.reasoning import Reasoning, Step, Words, exact_lags


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


def told(group: Group, owners: Owners, steps: Iterable[Sequence[tuple[int, int]]]) -> list[Turn]:
    """Take the steps from these owners and tell each of them.

    A step is a partition of the busiest member with its new owner, then, for a swap, the
    partition that comes back with its own.
    """
    owners = owners.copy()
    loads = exact_lags(group, owners, np.flatnonzero(owners != UNOWNED))
    found = []
    for number, ((given, other), *back) in enumerate(steps, 1):
        busiest, returned = int(owners[given]), back[0][0] if back else UNOWNED
        before, largest = (loads[busiest], loads[other]), max(loads)
        shift = int(group.counted_lags[given])
        shift -= int(group.counted_lags[returned]) if back else 0
        loads[busiest] -= shift
        loads[other] += shift
        for partition, member in ((given, other), *back):
            owners[partition] = member
        after = loads[busiest], loads[other]
        largest_now = largest, max(loads)
        found.append(Turn(number, given, returned, busiest, other, before, after, largest_now))
    return found


def by_partition(found: Iterable[Turn]) -> dict[int, list[Turn]]:
    """Return the turns that changed the owner of each partition, in order."""
    changes: dict[int, list[Turn]] = {}
    for turn in found:
        for partition in {turn.given, turn.returned} - {UNOWNED}:
            changes.setdefault(partition, []).append(turn)
    return changes


def after_turns(words: Words, dealt: Reasoning, changes: list[Turn], partition: int) -> Reasoning:
    """Go on from how the partition was dealt through the turns that changed its owner."""
    owner = dealt.owner
    for turn in changes:
        owner = taker_of(turn, partition)
    moved = tuple(_moved(words, turn, partition) for turn in changes)
    return Reasoning(owner, (*dealt.steps, *moved))


def taker_of(turn: Turn, partition: int) -> int:
    """Return who has the partition after the turn."""
    return turn.other if partition == turn.given else turn.busiest


def outline(found: Sequence[Turn], changes: Sequence[Turn]) -> Step:
    """Say what the turns, one at least, come to as a whole, and whether this one is moved."""
    first, last = found[0].largest[0], found[-1].largest[1]
    takes = "turn takes" if len(found) == 1 else "turns take"
    text = (
        f"Once all have an owner, {len(found):,} {takes} lag off the busiest consumer, by a move "
        f"or a swap: the largest lag goes from {first:,} to {last:,}."
    )
    return Step("Turns", text if changes else f"{text} This partition stays out of it.")


def _moved(words: Words, turn: Turn, partition: int) -> Step:
    is_given, is_swap = partition == turn.given, turn.returned != UNOWNED
    busiest, other = words.member(turn.busiest), words.member(turn.other)
    in_return = ""
    if is_swap:
        in_return = f" in exchange for {words.partition(turn.returned if is_given else turn.given)}"
    was, now = turn.largest
    largest = (
        f"falls from {was:,} to {now:,}"
        if now < was
        else f"stays at {was:,}, which others carry too"
    )
    text = (
        f"Turn {turn.number:,}: {busiest} carries {turn.before[0]:,}, the most, and {other} "
        f"{turn.before[1]:,}. It goes to {other if is_given else busiest}{in_return}, which leaves "
        f"{busiest} with {turn.after[0]:,} and {other} with {turn.after[1]:,}; the largest lag "
        f"{largest}."
    )
    return Step("Swapped" if is_swap else "Moved", text)
