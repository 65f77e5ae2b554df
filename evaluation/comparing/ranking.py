"""The strategy that serves each group best over a window of snapshots, and its gain.

What is judged stands in ``window``, how it is chosen in ``choosing``. A group without a snapshot on
which all partitions had an owner has no known gain. A strategy without a result at a judged
snapshot is no candidate.

N entries, K strategies, the owners of telemetry first, U snapshots, G groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from assignors.ragged import changes
from assignors.sums import counts, exact_sums
from evaluation.comparing.choosing import NOBODY, Candidates, choose
from evaluation.comparing.window import PRESENT, JudgedSnapshots, SnapshotFigures, SnapshotGrid


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """What is known of the K strategies beside their figures, the owners of telemetry first."""

    takes_jar: BoolArray
    """(K,) whether it is code on every consumer."""
    stops_all: BoolArray
    """(K,) whether its rebalances stop all consumers."""
    refused: LongArray
    """(2, R) groups, by their own numbers, and strategies that are not proposed to them."""

    @property
    def size(self) -> int:
        """K."""
        return self.takes_jar.size

    def is_refused(self, groups: LongArray) -> BoolArray:
        """(K, G) whether a strategy is refused to each of these groups, ascending."""
        found = np.zeros((self.size, groups.size), np.bool_)
        group, strategy = self.refused
        is_there = np.isin(group, groups)
        found[strategy[is_there], np.searchsorted(groups, group[is_there])] = True
        return found


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
    """The best one, be it a jar; ``PRESENT`` if none may be proposed."""
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
    proposed: LongArray
    """What the rule of advice proposes, a setting before a jar; ``PRESENT`` if nothing."""
    proposed_load: FloatArray
    """Gain and share as of ``strategy``."""
    proposed_gain: FloatArray
    proposed_share: FloatArray
    reason: npt.NDArray[np.str_]
    """One word, as ``schemas.tables.RECOMMENDATION`` lists them; or "refused", where what gains is
    refused to the group."""
    tested_strategy: LongArray
    """The best one of the earlier half of the snapshots, judged on the later half; ``PRESENT`` if a
    switch gained nothing there, -1 without two halves."""
    promised_share: FloatArray
    """Its gain in the earlier half as ``gain_share``; NaN if there was none."""
    kept_share: FloatArray
    """The same in the later half: negative if it was worse; NaN if unknown, without load, or if
    nothing was promised."""


def scores(figures: SnapshotFigures, pool: Pool) -> Scores:
    """Score every group separately.

    What passes takes 5 % off the mean of the largest load, and is not refused to the group.
    """
    return _scores(SnapshotGrid(figures, pool.size), pool)


def rank_order(
    largest_first: Sequence[FloatArray], tie_breaks: Sequence[npt.NDArray[Any]]
) -> LongArray:
    """Return the indices of the groups by these figures, descending, the first of them deciding.

    Groups with an unknown figure come last by it; ties go to the least ``tie_breaks``.
    """
    figures = [key for each in reversed(largest_first) for key in _descending(each)]
    order: LongArray = np.lexsort([*reversed(tie_breaks), *figures])
    return order


def _descending(values: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return sort keys, the least important first, for the largest first and NaN last."""
    return np.where(np.isnan(values), 0.0, -values), np.isnan(values)


def _scores(grid: SnapshotGrid, pool: Pool) -> Scores:
    judged, groups = JudgedSnapshots(grid, grid.everywhere), np.arange(grid.first.size)
    candidates = _Rated.of(judged, pool)
    best, proposed = candidates.best(), candidates.best(jars_last=True)
    tested, promised, kept = _tested(grid, pool)
    last = np.append(grid.first[1:], grid.at.size)[: groups.size] - 1
    total_load = judged.mean_whole("total_load")[PRESENT]
    lower_bound = judged.mean_whole("lower_bound")[PRESENT]
    is_open = np.isnan(lower_bound) & _lacks_owners(grid)
    lower_bound = np.where(is_open, _known_bound(grid), lower_bound)
    moves = judged.mean_everywhere("moved_from_previous")
    max_over_mean, max_lag = judged.mean("max_over_mean_load"), judged.mean_whole("max_lag")
    chosen = best.strategy
    members = grid.longs("members")[PRESENT]
    start, end = _window(grid, judged)
    return Scores(
        group=grid.groups,
        window_start=start,
        window_end=end,
        snapshots=judged.count,
        partitions=grid.longs("partitions")[PRESENT, last],
        members=members[last],
        strategy=chosen,
        max_load_as_it_was=best.before,
        max_load=best.load,
        max_lag_as_it_was=max_lag[PRESENT],
        max_lag=max_lag[chosen, groups],
        lower_bound=lower_bound,
        gain_load=best.gain,
        gain_share=best.share,
        proposed=proposed.strategy,
        proposed_load=proposed.load,
        proposed_gain=proposed.gain,
        proposed_share=proposed.share,
        moves_as_it_was=moves[PRESENT],
        moves=moves[chosen, groups],
        max_over_mean_as_it_was=max_over_mean[PRESENT],
        max_over_mean=max_over_mean[chosen, groups],
        idle_members=judged.mean_everywhere("idle_members")[PRESENT],
        largest_partition_share=_share(lower_bound, total_load),
        reason=_reasons(judged, pool, best, lower_bound),
        tested_strategy=tested,
        promised_share=promised,
        kept_share=kept,
    )


def _reasons(
    judged: JudgedSnapshots, pool: Pool, best: "_Best", lower_bound: FloatArray
) -> npt.NDArray[np.str_]:
    """Return why each group gains what it gains, or nothing; (G,), the first reason that holds."""
    grid, before = judged.grid, best.before
    members = grid.longs("members")[PRESENT]
    has_none = np.maximum.reduceat(members, grid.first) == 0 if grid.first.size else members == 0
    is_refused = judged.is_worth_it[1:] & pool.is_refused(grid.groups)[1:]
    reasons = {
        "no-members": has_none,
        "owners-unknown": np.isnan(before) & _lacks_owners(grid),
        "unknown-lag": np.isnan(before),
        "unowned": ~judged.is_comparable,
        "gains": best.strategy != PRESENT,
        "refused": is_refused.any(axis=0),
        "no-lag": before == 0,
        "at-best": before == lower_bound,
    }
    return np.select([*reasons.values()], [*reasons], "none-better")


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


def _tested(grid: SnapshotGrid, pool: Pool) -> tuple[LongArray, FloatArray, FloatArray]:
    """Choose on each group's earlier snapshots, judge on the later ones; (G,) each.

    Return what was chosen, or -1, the gain there, and the gain later.
    """
    earlier, later = JudgedSnapshots(grid, grid.is_early), JudgedSnapshots(grid, ~grid.is_early)
    best = _Rated.of(earlier, pool).best()
    is_promised = grid.has_halves & (best.strategy != PRESENT) & ~np.isnan(best.share)
    load = later.mean_whole("max_load")
    then, under = load[PRESENT], load[best.strategy, np.arange(best.strategy.size)]
    return (
        np.where(grid.has_halves, best.strategy, NOBODY),
        np.where(is_promised, best.share, np.nan),
        np.where(is_promised & later.is_comparable, _share(then - under, then), np.nan),
    )


class _Best(NamedTuple):
    """What is chosen for each group, and its figures; (G,)."""

    strategy: LongArray
    """``PRESENT`` if nothing passes."""
    load: FloatArray
    before: FloatArray
    """Today's load."""
    gain: FloatArray
    """NaN if unknown."""
    share: FloatArray


class _Rated(NamedTuple):
    """The candidates of each group over judged snapshots."""

    judged: JudgedSnapshots
    pool: Pool
    load: FloatArray
    """(K, G) means."""
    moves: tuple[FloatArray, FloatArray]
    """(K, G) the usual ones, then those at the first snapshot."""

    @classmethod
    def of(cls, judged: JudgedSnapshots, pool: Pool) -> "_Rated":
        """Return them with the figures that any choice among them takes."""
        moves = judged.mean_everywhere("moved_from_previous")
        first = judged.grid.floats("moved_from_present")[:, judged.grid.first]
        usual = np.where(np.isnan(moves), first, moves)
        return cls(
            judged=judged,
            pool=pool,
            load=judged.mean_whole("max_load"),
            moves=(
                np.where(np.isnan(usual), 0.0, usual),
                np.where(np.isnan(first), -1.0, first),  # nothing must be revoked
            ),
        )

    def best(self, *, jars_last: bool = False) -> _Best:
        """Return what is best for each group; of settings and jars, settings first if asked for.

        Where no snapshot is comparable, whatever has a result passes.
        """
        judged, pool = self.judged, self.pool
        summed, groups = judged.summed_load, np.arange(judged.count.size)
        passes = judged.is_worth_it | ~judged.is_comparable & (summed != UNKNOWN)
        passes &= ~pool.is_refused(judged.grid.groups)
        found = choose(
            Candidates(
                passes=passes[1:],
                takes_jar=pool.takes_jar[1:, None] & jars_last,
                load=summed[1:],
                today=np.where(summed[PRESENT] == UNKNOWN, np.nan, summed[PRESENT]).astype(
                    np.float64
                ),
                moves=[each[1:] for each in self.moves],
                stops_all=pool.stops_all[1:, None],
            )
        )
        strategy = found.first + 1  # of nothing, PRESENT
        before, load = self.load[PRESENT], self.load[strategy, groups]
        gain = np.where(judged.is_comparable, before - load, np.nan)
        return _Best(strategy, load, before, gain, _share(gain, before))


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
