"""Why lag-capped and lag-skew give a partition to its owner.

The greedy start is derived again from what the candidates carried at that point; the local search
runs once more, and each step is explained with the lags it changed. Limit: beyond 2^62 records in
all the strategies compare lags in a coarser unit, and tie in that unit; figures stay exact.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from assignors.lag.skew import LagSkewStages, lag_skew_stages
from assignors.model import UNOWNED, Group, IntArray, Owners
from evaluation.explain.lag_greedy import derive_by_seats, derive_by_window
from evaluation.explain.reasoning import (
    Derivation,
    Pass,
    Reasoning,
    Step,
    Words,
    exact_lags,
    in_passes,
)
from evaluation.wording import ordinal, plural


class _Turn(NamedTuple):
    """One move or swap between the busiest member and another, with the lags it changed."""

    number: int
    """From 1."""
    takers: dict[int, int]
    """The new owner of each partition: first of the one that the busiest member gives."""
    busiest: int
    other: int
    before: tuple[int, int, int]
    """The lag of the busiest and of the other member, and the largest lag."""
    after: tuple[int, int, int]


def derive_lag_skew(group: Group, skew: int) -> Derivation:
    """Return why lag-skew decides as it does, and lag-capped, which is lag-skew without skew."""
    stages = lag_skew_stages(group, skew)
    turns = _with_lags(group, stages.start, stages.steps)
    if stages.members is None or stages.window is None:
        start = derive_by_seats(group, stages.start, stages.batches)
    elif stages.is_round_robin:
        start = _in_turn(group, stages.members, stages)
    else:
        start = derive_by_window(group, stages.start, stages.order, stages.members, stages.window)
    return _improved(group, start, turns)


def _improved(group: Group, start: Derivation, turns: Sequence[_Turn]) -> Derivation:
    """Add the moves and swaps after a start."""
    words = Words(group)

    def reason(partition: int) -> Reasoning:
        owner, steps = start.reason(partition)
        own = [turn for turn in turns if partition in turn.takers]
        if turns:
            steps = (_outline(turns, is_moved=bool(own)), *steps)
        owner = own[-1].takers[partition] if own else owner
        return Reasoning(owner, (*steps, *(_moved(words, turn, partition) for turn in own)))

    return Derivation(start.order, reason)


def _in_turn(group: Group, members: IntArray, stages: LagSkewStages) -> Derivation:
    """Assign in turn, if the search ends lower from there than from the greedy start."""
    words, order = Words(group), np.sort(stages.order)
    largest = max(exact_lags(group, stages.start, stages.order))
    start = (
        "Starting by lag, the search ends with a higher largest lag than assigning all in turn, "
        f"topic by topic, which gives {largest:,}: so it starts from there."
    )

    def assign(place: int) -> tuple[int, list[Step]]:
        taker = int(members[place % members.size])
        turn = (
            f"This is the {ordinal(place + 1)} of {plural(order.size, 'partition')} assigned in "
            f"turn to {words.members(members)}: it goes to {words.member(taker)}."
        )
        return taker, [Step("In turn", start), Step("Turn", turn)]

    return in_passes(Pass(order, assign))


def _with_lags(
    group: Group, owners: Owners, exchanges: Iterable[Sequence[tuple[int, int]]]
) -> list[_Turn]:
    """Apply the exchanges to these owners, and record the lags that each changes."""
    owners = owners.copy()
    loads = exact_lags(group, owners, np.flatnonzero(owners != UNOWNED))
    turns = []
    for number, exchange in enumerate(exchanges, 1):
        given, other = exchange[0]
        busiest = int(owners[given])
        before = loads[busiest], loads[other], max(loads)
        for partition, member in exchange:
            loads[owners[partition]] -= int(group.counted_lags[partition])
            loads[member] += int(group.counted_lags[partition])
            owners[partition] = member
        after = loads[busiest], loads[other], max(loads)
        turns.append(_Turn(number, dict(exchange), busiest, other, before, after))
    return turns


def _outline(turns: Sequence[_Turn], *, is_moved: bool) -> Step:
    """Say what the search achieves, and whether it moves this partition."""
    first, last = turns[0].before[-1], turns[-1].after[-1]
    takes = "step takes" if len(turns) == 1 else "steps take"
    text = (
        f"Once all have an owner, {len(turns):,} {takes} lag off the busiest consumer, by a move "
        f"or a swap: the largest lag goes from {first:,} to {last:,}."
    )
    return Step("Search", text if is_moved else f"{text} This partition does not move.")


def _moved(words: Words, turn: _Turn, partition: int) -> Step:
    """Say where a step moves the partition, and what lag that takes off the busiest member."""
    busiest, other = words.member(turn.busiest), words.member(turn.other)
    target = words.member(turn.takers[partition])
    is_swap = len(turn.takers) > 1
    if is_swap:
        (returned,) = turn.takers.keys() - {partition}
        target += f" in exchange for {words.partition(returned)}"
    was, now = turn.before[-1], turn.after[-1]
    largest = f"falls from {was:,} to {now:,}" if now < was else f"stays at {was:,} elsewhere"
    text = (
        f"Step {turn.number:,}: {busiest} carries {turn.before[0]:,}, the most, and {other} "
        f"{turn.before[1]:,}. It goes to {target}, which leaves {busiest} with {turn.after[0]:,} "
        f"and {other} with {turn.after[1]:,}; the largest lag {largest}."
    )
    return Step("Swapped" if is_swap else "Moved", text)
