"""The gain, moves and pauses of switching the strategy of each group."""

from collections.abc import Collection
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from assignors.catalogue import strategies as all_strategies
from assignors.catalogue import strategy_called
from assignors.model import UNKNOWN, FloatArray, LongArray
from evaluation.answering.pool import pool_of
from evaluation.comparing.ranking import Pool, Scores, rank_order, scores
from evaluation.comparing.window import COUNTS, MEANS, PRESENT, SnapshotFigures
from evaluation.rebalance.switching import pauses_all
from schemas.tables import AS_IT_WAS, RECOMMENDATION, columns
from sources.errors import guarded
from sources.fleet.scope import Scope, all_of, in_scope
from sources.fleet.tables import Fleet, integers, numbered, to_frame
from sources.fleet.totals import KEYS

_COLUMNS: Final = tuple(columns(RECOMMENDATION))
_READ: Final = (*KEYS, "strategy", "snapshot_at", *COUNTS, *MEANS)
_SWITCH_FIGURES: Final = ("members", "partitions", "moved_from_present", "max_load")
SETTING: Final = ("setting", "setting_gain_load", "setting_gain_share")
"""The columns of a ranking on the best strategy that a setting selects, ``AS_IT_WAS`` if none."""
PROPOSED: Final = "proposed"
"""The column on what the rule of advice proposes."""
Refusals: TypeAlias = Collection[tuple[str, str, str]]
"""Cluster, group and strategy wherever one is refused."""
_NOTHING: Final[Refusals] = frozenset()


@guarded("the tables")
def ranking(fleet: Fleet, scope: Scope, refused: Refusals = _NOTHING) -> pd.DataFrame:
    """Return one row per group, what a setting brings first, then what any strategy does.

    A row has the columns of RECOMMENDATION, as the pipeline works them out; ``setting`` with
    ``setting_gain_load`` and ``setting_gain_share``, the best strategy that a setting selects; and
    ``proposed``, what the rule of advice proposes over the window. What is refused to a group is
    none of them.
    """
    return ranked(window_rows(fleet, scope), refused)


def window_rows(fleet: Fleet, scope: Scope) -> pa.Table:
    """Return what a ranking takes of ``group_summary``."""
    chosen = None
    if scope.strategies:
        chosen = ds.field("strategy").isin([AS_IT_WAS, *scope.strategies])
    return fleet.read("group_summary", _READ, all_of(chosen, in_scope(scope)))


@guarded("the tables")
def switches(fleet: Fleet, scope: Scope, before: str, after: str) -> pd.DataFrame:
    """Return one row per group as of its first snapshot, the most moves first.

    The replay starts there as after a switch, so ``moved`` is the number of moves of one; it is
    unknown if no partition had an owner. ``paused`` follows from the two strategies'
    protocols. Only the scope's cluster matters.
    """
    names = ds.field("strategy").isin([AS_IT_WAS, after])
    of_cluster = in_scope(Scope(cluster=scope.cluster))
    columns = [*KEYS, "snapshot_at", "strategy", *_SWITCH_FIGURES]
    rows = to_frame(fleet.read("group_summary", columns, all_of(names, of_cluster)))
    rows = rows.sort_values("snapshot_at", kind="stable")
    first = rows.drop_duplicates([*KEYS, "strategy"])
    was, then = (first[first["strategy"] == name] for name in (AS_IT_WAS, after))
    snapshot = [*KEYS, "snapshot_at"]
    compared = then.merge(was[[*snapshot, "max_load"]], on=snapshot, suffixes=("", "_as_it_was"))
    compared = compared.rename(columns={"moved_from_present": "moved"})
    pauses = pauses_all(strategy_called(before), strategy_called(after))
    paused = compared["partitions" if pauses else "moved"]
    compared["paused"] = paused.where(compared["moved"].notna())
    wanted = [*KEYS, "members", "partitions", "moved", "paused", "max_load_as_it_was", "max_load"]
    ordered = compared.sort_values(
        ["moved", *KEYS], ascending=[False, True, True], ignore_index=True
    )
    return ordered[wanted]


def ranked(rows: pa.Table, refused: Refusals = _NOTHING) -> pd.DataFrame:
    """Return the ranking of all groups of ``window_rows``."""
    cluster, clusters = numbered(rows["cluster"])
    name, names = numbered(rows["group_id"])
    strategy, strategies = numbered(rows["strategy"], [AS_IT_WAS, *all_strategies()])
    figures = SnapshotFigures(
        group=cluster * names.size + name,
        at=rows["snapshot_at"].cast(pa.int64()).to_numpy(),
        strategy=strategy,
        **{each: integers(rows[each]) for each in COUNTS},
        **{each: _floats(rows[each]) for each in MEANS},
    )
    axes = (clusters.tolist(), names.tolist(), strategies.tolist())
    pool = pool_of(axes[2], _numbers(refused, *axes))
    scored = scores(figures, pool)
    size = max(names.size, 1)
    frame = pd.DataFrame(
        {"cluster": clusters[scored.group // size], "group_id": names[scored.group % size]}
    ).assign(**{each: getattr(scored, each) for each in _COLUMNS if hasattr(scored, each)})
    frame["strategy"] = strategies[scored.strategy]
    frame["tested_strategy"] = np.array([*strategies, None])[scored.tested_strategy]
    for end in ("window_start", "window_end"):
        frame[end] = pd.to_datetime(frame[end], unit="us", utc=True)
    frame["members"] = frame["members"].astype("Int64").where(frame["members"] != UNKNOWN)
    by_setting = _with_setting(frame, scored, pool, strategies)
    order = rank_order((by_setting, scored.gain_load, _load(scored)), [scored.group])
    frame = frame.iloc[order].reset_index(drop=True)
    frame["rank"] = np.arange(1, len(frame) + 1)
    return frame[[*_COLUMNS, *SETTING, PROPOSED]]


def _with_setting(
    frame: pd.DataFrame, scored: Scores, pool: Pool, strategies: npt.NDArray[np.object_]
) -> FloatArray:
    """Add what is proposed, and what a setting brings; return the gain by a setting."""
    needs_jar = (scored.proposed != PRESENT) & pool.takes_jar[scored.proposed]
    frame[PROPOSED] = strategies[scored.proposed]
    frame["setting"] = np.where(needs_jar, AS_IT_WAS, frame[PROPOSED])
    gain = np.where(needs_jar, 0.0 * scored.proposed_gain, scored.proposed_gain)
    frame["setting_gain_load"] = gain
    frame["setting_gain_share"] = np.where(
        needs_jar, 0.0 * scored.proposed_share, scored.proposed_share
    )
    return gain


def _numbers(
    refused: Refusals, clusters: list[str], names: list[str], strategies: list[str]
) -> LongArray:
    """Return refusals as numbers of groups and strategies, (2, R), leaving out unknown names."""
    place = [{each: k for k, each in enumerate(axis)} for axis in (clusters, names, strategies)]
    found = [
        (place[0][cluster] * len(names) + place[1][name], place[2][strategy])
        for cluster, name, strategy in sorted(refused)
        if cluster in place[0] and name in place[1] and strategy in place[2]
    ]
    return np.array(found, np.int64).reshape(-1, 2).T


def _load(scored: Scores) -> FloatArray:
    """Return the largest load as it was or, where no owner is told, what it is at least."""
    was = scored.max_load_as_it_was
    return np.where(np.isnan(was), scored.lower_bound, was)


def _floats(values: pa.ChunkedArray) -> Any:  # noqa: ANN401 -- pyarrow is untyped
    return values.to_numpy().astype(np.float64, copy=False)
