"""The gain, moves and pauses of switching the strategy of each group."""

from collections.abc import Callable, Collection
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from assignors.catalogue import strategies as all_strategies
from assignors.catalogue import strategy_called
from assignors.model import UNKNOWN, FloatArray, LongArray
from evaluation.comparing.ranking import Scores, rank_order, scores
from evaluation.comparing.window import COUNTS, MEANS, SnapshotFigures
from evaluation.comparing.worth import WORTH
from evaluation.rebalance.switching import pauses_all
from schemas.tables import AS_IT_WAS, RECOMMENDATION, columns
from sources.errors import guarded
from sources.fleet.scope import Scope, all_of, in_scope
from sources.fleet.tables import Fleet, integers, numbered, to_frame
from sources.fleet.totals import KEYS

_COLUMNS: Final = tuple(columns(RECOMMENDATION))
_READ: Final = (*KEYS, "strategy", "snapshot_at", *COUNTS, *MEANS)
_SWITCH_FIGURES: Final = ("members", "partitions", "moved_from_present", "max_load")


@guarded("the tables")
def ranking(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    """Return one row per group with the columns of RECOMMENDATION, the largest gain first.

    The pipeline ranks over all snapshots and strategies; any other selection is ranked here, by the
    same function.
    """
    if scope.is_whole_window:
        of_cluster = in_scope(Scope(cluster=scope.cluster))
        rows = to_frame(fleet.read("recommendation", _COLUMNS, of_cluster))
        return _of_worth(rows.sort_values("rank", kind="stable", ignore_index=True))
    chosen = None
    if scope.strategies:
        chosen = ds.field("strategy").isin([AS_IT_WAS, *scope.strategies])
    return _ranked(fleet.read("group_summary", _READ, all_of(chosen, in_scope(scope))))


@guarded("the tables")
def without_refused(
    fleet: Fleet, scope: Scope, ranked: pd.DataFrame, refused: Collection[tuple[str, str, str]]
) -> pd.DataFrame:
    """Return a ranking in which no group has a strategy that is refused to it.

    ``refused`` are clusters, groups and strategies. A group's next best strategy takes the place,
    if it is worth a switch.
    """
    best = zip(ranked["cluster"], ranked["group_id"], ranked["strategy"], strict=True)
    again = {(cluster, group) for cluster, group, name in best if (cluster, group, name) in refused}
    if not again:
        return ranked
    names = [AS_IT_WAS, *(scope.strategies or fleet.run["strategies"])]
    groups = ds.field("group_id").isin(sorted({group for _, group in again}))
    terms = (ds.field("strategy").isin(names), groups, in_scope(scope))
    rows = fleet.read("group_summary", _READ, all_of(*terms))
    keys = [rows[name].to_pylist() for name in (*KEYS, "strategy")]
    kept = [
        (cluster, group) in again and (cluster, group, name) not in refused
        for cluster, group, name in zip(*keys, strict=True)
    ]
    found = _ranked(rows.filter(pa.array(kept)))
    is_again = pd.MultiIndex.from_frame(ranked[KEYS]).isin(again)
    both = pd.concat([ranked[~is_again], found.astype(ranked.dtypes.to_dict())])
    return _numbered(both.sort_values(["gain_load", *KEYS], ascending=[False, True, True]))


def settings_first(ranked: pd.DataFrame, by_setting: pd.DataFrame) -> pd.DataFrame:
    """Return a ranking by what a setting brings each group, then by what any strategy does."""
    gain = by_setting[[*KEYS, "gain_load"]].rename(columns={"gain_load": "by_setting"})
    order = ranked.merge(gain, on=KEYS, how="left").sort_values(
        ["by_setting", "gain_load"], ascending=False, kind="stable"
    )
    return _numbered(order.drop(columns="by_setting"))


def _numbered(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.reset_index(drop=True).assign(rank=np.arange(1, len(rows) + 1))


def _of_worth(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a ranking of any release by today's rule: less than 5 % off is no gain."""
    is_little = (rows["gain_share"] < WORTH) & (rows["gain_load"] > 0)
    if not is_little.any():
        return rows
    rows = rows.copy()
    for figure in ("max_load", "max_lag", "moves", "max_over_mean"):
        rows.loc[is_little, figure] = rows[f"{figure}_as_it_was"]
    rows.loc[is_little, ["gain_load", "gain_share"]] = 0.0
    rows.loc[is_little, ["strategy", "reason"]] = [AS_IT_WAS, "none-better"]
    return rows


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


def _figures(
    rows: pa.Table,
) -> tuple[SnapshotFigures, npt.NDArray[Any], Callable[[LongArray], pd.DataFrame]]:
    """Return the figures, the strategies by number, and the names of groups by number."""
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

    def keys(groups: LongArray) -> pd.DataFrame:
        size = max(names.size, 1)
        return pd.DataFrame({"cluster": clusters[groups // size], "group_id": names[groups % size]})

    return figures, strategies, keys


def _ranked(rows: pa.Table) -> pd.DataFrame:
    figures, strategies, keys = _figures(rows)
    scored = scores(figures, strategies.size)
    frame = keys(scored.group).assign(
        **{each: value for each, value in vars(scored).items() if each != "group"}
    )
    frame["strategy"] = strategies[scored.strategy]
    frame["tested_strategy"] = np.array([*strategies, None])[scored.tested_strategy]
    for end in ("window_start", "window_end"):
        frame[end] = pd.to_datetime(frame[end], unit="us", utc=True)
    frame["members"] = frame["members"].astype("Int64").where(frame["members"] != UNKNOWN)
    order = rank_order(scored.gain_load, _load(scored), [scored.group])
    frame = frame.iloc[order].reset_index(drop=True)
    frame["rank"] = np.arange(1, len(frame) + 1)
    return frame[list(_COLUMNS)]


def _load(scored: Scores) -> FloatArray:
    """Return the largest load as it was or, where no owner is told, what it is at least."""
    was = scored.max_load_as_it_was
    return np.where(np.isnan(was), scored.lower_bound, was)


def _floats(values: pa.ChunkedArray) -> Any:  # noqa: ANN401 -- pyarrow is untyped
    return values.to_numpy().astype(np.float64, copy=False)
