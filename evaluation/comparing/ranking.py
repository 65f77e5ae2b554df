"""The strategy that serves each group best over a window of snapshots, and its gain.

What is judged stands in ``window``. A group without a snapshot on which all partitions had an owner
has no known gain. A strategy without a result at a judged snapshot is no candidate.

N entries, K strategies, the owners of telemetry first, U snapshots, G groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from assignors.ragged import changes
from assignors.sums import counts, exact_sums
from evaluation.comparing.window import (
    NOTHING,
    PRESENT,
    JudgedSnapshots,
    SnapshotFigures,
    SnapshotGrid,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """One entry per group, ascending; the columns of ``recommendation`` without the rank; (G,)."""

    group: LongArray
    window_start: LongArray
    """The first snapshot judged, or the first of all if none is."""
    window_end: LongArray
    snapshots: LongArray
    """How many are judged."""
    partitions: LongArray
    members: LongArray
    strategy: LongArray
    """The best one; ``PRESENT`` if a switch gains nothing."""
    max_load_as_it_was: FloatArray
    """Means over the judged snapshots; NaN if unknown."""
    max_load: FloatArray
    max_lag_as_it_was: FloatArray
    max_lag: FloatArray
    lower_bound: FloatArray
    gain_load: FloatArray
    gain_share: FloatArray
    moves_as_it_was: FloatArray
    """Means over all snapshots."""
    moves: FloatArray
    max_over_mean_as_it_was: FloatArray
    max_over_mean: FloatArray
    idle_members: FloatArray
    largest_partition_share: FloatArray
    reason: npt.NDArray[np.str_]
    """One word, as ``schemas.tables.RECOMMENDATION`` lists them."""
    tested_strategy: LongArray
    """The best one of the earlier half of the snapshots, judged on the later half; ``PRESENT`` if a
    switch gained nothing there, -1 without two halves."""
    promised_share: FloatArray
    """Its gain in the earlier half as ``gain_share``; NaN if there was none."""
    kept_share: FloatArray
    """The same in the later half: negative if it was worse; NaN if unknown, without load, or if
    nothing was promised."""


def scores(figures: SnapshotFigures, strategies: int) -> Scores:
    """Score every group separately; ``strategies`` is K.

    Of what takes 5 % off the mean of the largest load and comes within 5 % of the least, the fewest
    moves win, then the least load, then the smallest number.
    """
    return _scores(SnapshotGrid(figures, strategies))


def rank_order(
    gain_load: FloatArray, max_load_as_it_was: FloatArray, tie_breaks: Sequence[npt.NDArray[Any]]
) -> LongArray:
    """Return the indices of the groups by descending gain.

    Groups with unknown gain come last; ties go to more load, then to the least ``tie_breaks``, the
    first of them deciding.
    """
    least_first = [*reversed(tie_breaks), *_descending(max_load_as_it_was), *_descending(gain_load)]
    order: LongArray = np.lexsort(least_first)
    return order


def _descending(values: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return sort keys, the least important first, for the largest first and NaN last."""
    return np.where(np.isnan(values), 0.0, -values), np.isnan(values)


def _scores(grid: SnapshotGrid) -> Scores:
    judged = JudgedSnapshots(grid, grid.everywhere)
    best, groups = _best(judged), np.arange(grid.first.size)
    tested, promised, kept = _tested(grid)
    last = np.append(grid.first[1:], grid.at.size)[: groups.size] - 1
    total_load = judged.mean_whole("total_load")[PRESENT]
    lower_bound, lacks = judged.mean_whole("lower_bound")[PRESENT], _lacks_owners(grid)
    lower_bound = np.where(np.isnan(lower_bound) & lacks, _known_bound(grid), lower_bound)
    moves = judged.mean_everywhere("moved_from_previous")
    max_over_mean, max_lag = judged.mean("max_over_mean_load"), judged.mean_whole("max_lag")
    chosen, after, gain, before = _chosen(judged, best)
    members = grid.longs("members")[PRESENT]
    start, end = _window(grid, judged)
    reasons = {
        "no-members": np.maximum.reduceat(members, grid.first) == 0 if groups.size else groups == 0,
        "owners-unknown": np.isnan(before) & lacks,
        "unknown-lag": np.isnan(before),
        "unowned": ~judged.is_comparable,
        "gains": chosen != PRESENT,
        "no-lag": before == 0,
        "at-best": before == lower_bound,
    }
    return Scores(
        group=grid.groups,
        window_start=start,
        window_end=end,
        snapshots=judged.count,
        partitions=grid.longs("partitions")[PRESENT, last],
        members=members[last],
        strategy=chosen,
        max_load_as_it_was=before,
        max_load=after,
        max_lag_as_it_was=max_lag[PRESENT],
        max_lag=max_lag[chosen, groups],
        lower_bound=lower_bound,
        gain_load=gain,
        gain_share=_share(gain, before),
        moves_as_it_was=moves[PRESENT],
        moves=moves[chosen, groups],
        max_over_mean_as_it_was=max_over_mean[PRESENT],
        max_over_mean=max_over_mean[chosen, groups],
        idle_members=judged.mean_everywhere("idle_members")[PRESENT],
        largest_partition_share=_share(lower_bound, total_load),
        reason=np.select([*reasons.values()], [*reasons], "none-better"),
        tested_strategy=tested,
        promised_share=promised,
        kept_share=kept,
    )


def _lacks_owners(grid: SnapshotGrid) -> BoolArray:
    """Return for each group whether its load was known at a snapshot, but not who owned it."""
    is_it = (grid.longs("max_load")[PRESENT] == UNKNOWN) & (grid.longs("total_load")[PRESENT] > 0)
    found: BoolArray = np.logical_or.reduceat(is_it, grid.first) if grid.first.size else is_it
    return found


def _known_bound(grid: SnapshotGrid) -> FloatArray:
    """Return each group's mean lower bound over the snapshots that have one; NaN without any."""
    bound = grid.longs("lower_bound")[PRESENT]
    is_known = bound != UNKNOWN
    count = counts(grid.group[is_known], grid.first.size)
    sums = exact_sums(grid.group[is_known], bound[is_known], grid.first.size)
    some = np.maximum(count, 1)
    mean = (sums // some).astype(np.float64) + (sums % some / some).astype(np.float64)
    return np.where(count > 0, mean, np.nan)


def _tested(grid: SnapshotGrid) -> tuple[LongArray, FloatArray, FloatArray]:
    """Choose on each group's earlier snapshots, judge on the later ones; (G,) each.

    Return what was chosen, or ``NOTHING``, the gain there, and the gain later.
    """
    earlier, later = JudgedSnapshots(grid, grid.is_early), JudgedSnapshots(grid, ~grid.is_early)
    chosen, _, gain, before = _chosen(earlier, _best(earlier))
    promised = _share(gain, before)
    is_promised = grid.has_halves & (chosen != PRESENT) & ~np.isnan(promised)
    load = later.mean_whole("max_load")
    then, under = load[PRESENT], load[chosen, np.arange(chosen.size)]
    return (
        np.where(grid.has_halves, chosen, NOTHING),
        np.where(is_promised, promised, np.nan),
        np.where(is_promised & later.is_comparable, _share(then - under, then), np.nan),
    )


def _chosen(
    judged: JudgedSnapshots, best: LongArray
) -> tuple[LongArray, FloatArray, FloatArray, FloatArray]:
    """Return what is recommended, its mean load, its gain (NaN if unknown), and today's; (G,)."""
    max_load, groups = judged.mean_whole("max_load"), np.arange(best.size)
    before = max_load[PRESENT]
    is_real = judged.is_worth_it[best, groups] | ~judged.is_comparable
    chosen = np.where((best != NOTHING) & is_real, best, PRESENT)
    after = max_load[chosen, groups]
    return chosen, after, np.where(judged.is_comparable, before - after, np.nan), before


def _best(judged: JudgedSnapshots) -> LongArray:
    """(G,) each group's best strategy by the rule of advice, or none.

    Among those worth a switch and near the least load the fewest moves decide, then less load,
    then the smallest number; where nothing is worth a switch, the least load.
    """
    load = judged.summed_load[1:]
    if not len(load):
        return np.full(judged.count.size, NOTHING, np.int64)
    moves = judged.mean_everywhere("moved_from_previous")[1:]
    first_moves = judged.grid.floats("moved_from_present")[1:, judged.grid.first]
    shown = np.where(np.isnan(moves), first_moves, moves)
    is_equal = (judged.is_worth_it & judged.is_near_best)[1:]
    keys = (
        load == UNKNOWN,
        ~is_equal,
        np.where(is_equal, 0, load),
        np.where(np.isnan(shown), 0.0, shown),
        np.where(np.isnan(first_moves), -1.0, first_moves),  # nothing must be revoked
        load,
    )
    best = np.zeros(load.shape[1], np.int64)
    everyone = np.arange(best.size)
    for number in range(1, len(load)):
        leading = [key[best, everyone] for key in keys]
        best[_is_less([key[number] for key in keys], leading)] = number
    return np.where((load != UNKNOWN).any(axis=0), best + 1, NOTHING)


def _is_less(some: Sequence[npt.NDArray[Any]], others: Sequence[npt.NDArray[Any]]) -> BoolArray:
    """Return where some keys precede others lexicographically."""
    is_less = np.zeros(some[0].size, np.bool_)
    is_open = ~is_less
    for one, other in zip(some, others, strict=True):
        is_less |= is_open & (one < other)
        is_open &= one == other
    return is_less


def _window(grid: SnapshotGrid, judged: JudgedSnapshots) -> tuple[LongArray, LongArray]:
    """(G,) and (G,): the first and the last snapshot judged, or of all if none is."""
    is_counted = judged.count[grid.group] == 0
    is_counted[judged.units] = True
    starts = np.flatnonzero(changes(grid.group[is_counted]))
    at = grid.at[is_counted]
    return at[starts], at[np.append(starts[1:], at.size)[: starts.size] - 1]


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    share = np.full(part.size, np.nan)
    np.divide(part, whole, out=share, where=whole != 0)
    return share
