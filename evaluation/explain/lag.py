"""Why lag-capped, lag-skew and lag-sticky give a partition to its owner.

The greedy start is derived anew from what the candidates carried when the partition's turn
came; the search for even lag is run once more, each of its turns with the lags it changed.
Limit: beyond 2^62 records in all the strategies compare lags in a coarser unit, so equals
are then equal within that unit; the figures stay exact.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from assignors.lag.greedy import by_lag
from assignors.lag.skew import Stages, stages_of
from assignors.lag.sticky import default_moves, placed_owners, steps_with_moves
from assignors.model import UNOWNED, Group, IntArray, Owners
from evaluation.explain.lag_greedy import BySeats, ByWindow, Greedy, Placed
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    exact_lags,
    place_of,
)
from evaluation.wording import ordinal, plural


class _Turn(NamedTuple):
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


def derive_lag_skew(group: Group, skew: int) -> Derivation:
    """Return why lag-skew decides as it does, and lag-capped, which is lag-skew without skew."""
    stages = stages_of(group, skew)
    found = _with_lags(group, stages.start, stages.steps)
    if stages.members is None or stages.window is None:
        return _Improved(group, BySeats(group, stages.start, stages.batches), found)
    if stages.is_round_robin:
        return _Improved(group, _InTurn(group, stages.members, stages), found)
    greedy = Greedy(stages.start, np.zeros(0, np.int64), stages.order)
    return _Improved(group, ByWindow(group, greedy, stages.members, stages.window), found)


class _Improved:
    """A start, and the moves and swaps after it."""

    def __init__(self, group: Group, start: Derivation, found: list[_Turn]) -> None:
        self._words, self._start, self._turns = Words(group), start, found
        self.order = start.order

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        owner, steps = self._start.reason(partition)
        own = _turns_of(self._turns, partition)
        if self._turns:
            steps = (_outline(self._turns, own), *steps)
        for turn in own:
            owner = _taker_of(turn, partition)
            steps = (*steps, _moved(self._words, turn, partition))
        return Reasoning(owner, steps)


class _InTurn:
    """Gives one partition each in turn, where that ends more even than the greedy start."""

    def __init__(self, group: Group, members: IntArray, stages: Stages) -> None:
        self._words, self._members = Words(group), members
        self._largest = max(exact_lags(group, stages.start, stages.order))
        self.order = np.sort(stages.order)

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        place = place_of(partition, self.order)
        taker = int(self._members[place % self._members.size])
        start = (
            "Assigned by lag and improved, the largest lag would end higher than where all are "
            f"assigned in turn, topic by topic, at {self._largest:,}: so it starts from there."
        )
        turn = (
            f"This is the {ordinal(place + 1)} of {plural(self.order.size, 'partition')} assigned "
            f"in turn to {self._words.members(self._members)}: it goes to "
            f"{self._words.member(taker)}."
        )
        return Reasoning(taker, (Step("In turn", start), Step("Circle", turn)))


class LagSticky:
    """Keeps or places each partition, then moves as far as the budget reaches."""

    def __init__(self, group: Group) -> None:
        self._words, home, order = Words(group), group.fit_owners, by_lag(group)
        owners = placed_owners(group)
        kept, free = np.flatnonzero(home != UNOWNED), order[home[order] == UNOWNED]
        every, budget = list(steps_with_moves(group, owners.copy())), default_moves(group)
        reach = next((n for n, turn in enumerate(every) if turn.moved > budget), len(every))
        found = _with_lags(group, owners, (turn.moves for turn in every))
        within, self._beyond = found[:reach], found[reach:]
        later = {p for turn in within for p in (turn.given, turn.returned)}
        start = Placed(group, Greedy(owners, kept, free), later)
        self._improved = _Improved(group, start, within)
        self.order = start.order
        self._spent = ""
        if self._beyond:
            self._spent = (
                f"the budget of {plural(budget, 'move')}, a tenth of the {kept.size:,} that could "
                f"stay, was spent: turn {reach + 1:,} would have made it {every[reach].moved:,}"
            )

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition, and what the budget held back."""
        owner, steps = self._improved.reason(partition)
        beyond = _turns_of(self._beyond, partition)
        if not beyond:
            return Reasoning(owner, steps)
        taker = self._words.member(_taker_of(beyond[0], partition))
        text = (
            f"Turn {beyond[0].number:,} would still have moved it to {taker}, but {self._spent}. "
            f"{self._words.member(owner)} keeps it."
        )
        return Reasoning(owner, (*steps, Step("Budget", text)))


def _with_lags(
    group: Group, owners: Owners, steps: Iterable[Sequence[tuple[int, int]]]
) -> list[_Turn]:
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
        turns.append(_Turn(number, given, returned, busiest, other, before, after, change))
    return turns


def _turns_of(turns: Iterable[_Turn], partition: int) -> list[_Turn]:
    """Return the turns that changed the owner of the partition, in order."""
    return [turn for turn in turns if partition in {turn.given, turn.returned}]


def _taker_of(turn: _Turn, partition: int) -> int:
    """Return the partition's owner after the turn."""
    return turn.other if partition == turn.given else turn.busiest


def _outline(turns: Sequence[_Turn], own: Sequence[_Turn]) -> Step:
    """Say what the turns, one at least, come to as a whole, and whether any is this one's own."""
    first, last = turns[0].largest[0], turns[-1].largest[1]
    takes = "turn takes" if len(turns) == 1 else "turns take"
    text = (
        f"Once all have an owner, {len(turns):,} {takes} lag off the busiest consumer, by a move "
        f"or a swap: the largest lag goes from {first:,} to {last:,}."
    )
    return Step("Turns", text if own else f"{text} This partition stays out of it.")


def _moved(words: Words, turn: _Turn, partition: int) -> Step:
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
