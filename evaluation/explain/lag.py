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
from assignors.lag.skew import LagSkewStages, lag_skew_stages
from assignors.lag.sticky import default_moves, placed_owners, steps_with_moves
from assignors.model import UNOWNED, Group, IntArray, Owners
from evaluation.explain.lag_greedy import Greedy, derive_by_seats, derive_by_window, derive_placed
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    exact_lags,
    position_of,
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
    stages = lag_skew_stages(group, skew)
    derivation = _with_lags(group, stages.start, stages.steps)
    if stages.members is None or stages.window is None:
        return _improved(group, derive_by_seats(group, stages.start, stages.batches), derivation)
    if stages.is_round_robin:
        return _improved(group, _in_turn(group, stages.members, stages), derivation)
    greedy = Greedy(stages.start, np.zeros(0, np.int64), stages.order)
    return _improved(
        group, derive_by_window(group, greedy, stages.members, stages.window), derivation
    )


def derive_lag_sticky(group: Group) -> Derivation:
    """Return why lag-sticky keeps or places each partition, then moves as the budget allows."""
    words, home, order, owners = Words(group), group.fit_owners, by_lag(group), placed_owners(group)
    kept, free = np.flatnonzero(home != UNOWNED), order[home[order] == UNOWNED]
    every, budget = list(steps_with_moves(group, owners.copy())), default_moves(group)
    reach = next((n for n, turn in enumerate(every) if turn.moved > budget), len(every))
    moves = _with_lags(group, owners, (turn.moves for turn in every))
    within, beyond = moves[:reach], moves[reach:]
    later = {p for turn in within for p in (turn.given, turn.returned)}
    improved = _improved(group, derive_placed(group, Greedy(owners, kept, free), later), within)

    def reason(partition: int) -> Reasoning:
        owner, steps = improved.reason(partition)
        missed = _turns_of(beyond, partition)
        if not missed:
            return Reasoning(owner, steps)
        text = (
            f"Turn {missed[0].number:,} would still have moved it to "
            f"{words.member(_taker_of(missed[0], partition))}, but the budget of "
            f"{plural(budget, 'move')}, a tenth of the {kept.size:,} that could stay, was spent: "
            f"turn {reach + 1:,} would have made it {every[reach].moved:,}. "
            f"{words.member(owner)} keeps it."
        )
        return Reasoning(owner, (*steps, Step("Budget", text)))

    return Derivation(improved.order, reason)


def _improved(group: Group, start: Derivation, turns: list[_Turn]) -> Derivation:
    """Add to a start the moves and swaps after it."""
    words = Words(group)

    def reason(partition: int) -> Reasoning:
        owner, steps = start.reason(partition)
        own = _turns_of(turns, partition)
        if turns:
            steps = (_outline(turns, own), *steps)
        for turn in own:
            owner = _taker_of(turn, partition)
            steps = (*steps, _moved(words, turn, partition))
        return Reasoning(owner, steps)

    return Derivation(start.order, reason)


def _in_turn(group: Group, members: IntArray, stages: LagSkewStages) -> Derivation:
    """Give one partition each in turn, where that ends more even than the greedy start."""
    words, order = Words(group), np.sort(stages.order)
    largest = max(exact_lags(group, stages.start, stages.order))
    start = (
        "Assigned by lag and improved, the largest lag would end higher than where all are "
        f"assigned in turn, topic by topic, at {largest:,}: so it starts from there."
    )

    def reason(partition: int) -> Reasoning:
        place = position_of(partition, order)
        taker = int(members[place % members.size])
        turn = (
            f"This is the {ordinal(place + 1)} of {plural(order.size, 'partition')} assigned in "
            f"turn to {words.members(members)}: it goes to {words.member(taker)}."
        )
        return Reasoning(taker, (Step("In turn", start), Step("Circle", turn)))

    return Derivation(order, reason)


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
