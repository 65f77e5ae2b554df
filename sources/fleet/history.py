"""One group over time, replayed under each strategy, and the load of its consumers."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.dataset as ds

from assignors.catalogue import strategies
from assignors.model import FloatArray
from schemas.tables import AS_IT_WAS
from sources.errors import guarded
from sources.fleet.scope import Scope, in_time, of_group, rows_where
from sources.fleet.tables import Fleet

_FIGURES = (
    "snapshot_at",
    "strategy",
    "partitions",
    "members",
    "total_load",
    "unknown_loads",
    "max_load",
    "max_over_mean_load",
    "count_spread",
    "idle_members",
    "unowned",
    "moved_from_previous",
    "lower_bound",
)


@dataclass(frozen=True, eq=False)
class StrategyHistory:
    """A group under one strategy; arrays over the snapshots."""

    strategy: str
    max_load: FloatArray
    """NaN where no weight is known."""
    moved: FloatArray
    """Cumulative number of moved partitions since the first snapshot; unknown steps add nothing."""


@dataclass(frozen=True, eq=False)
class GroupHistory:
    """A group's snapshots under each strategy."""

    moments: npt.NDArray[np.datetime64]
    """UTC."""
    best: FloatArray
    """Lower bound on the largest load; NaN where unknown."""
    strategies: tuple[StrategyHistory, ...]
    """The recorded owners first."""


@guarded("the tables")
def history_rows(fleet: Fleet, cluster: str, group: str, scope: Scope) -> pd.DataFrame:
    """Return the group's rows of ``group_summary`` in order of time."""
    rows = rows_where(fleet, "group_summary", _FIGURES, of_group(cluster, group), in_time(scope))
    return rows.sort_values("snapshot_at", kind="stable", ignore_index=True)


@guarded("the tables")
def loads(fleet: Fleet, cluster: str, group: str, strategy: str, scope: Scope) -> pd.DataFrame:
    """Return the load of each consumer of a group at each snapshot under a strategy."""
    columns = ["snapshot_at", "member_id", "partitions", "load", "unknown_loads", "topics", "rate"]
    of_strategy = ds.field("strategy") == strategy
    terms = (of_group(cluster, group), of_strategy, in_time(scope))
    rows = rows_where(fleet, "member_load", columns, *terms)
    return rows.sort_values(["snapshot_at", "member_id"], kind="stable", ignore_index=True)


@guarded("the tables")
def history(rows: pd.DataFrame) -> GroupHistory:
    """Return ``history_rows`` as arrays by strategy."""
    moments = rows["snapshot_at"].drop_duplicates()
    strategies = []
    for name in ordered(rows["strategy"].unique()):
        own = rows[rows["strategy"] == name].set_index("snapshot_at").reindex(moments)
        moved = own["moved_from_previous"].astype("float64").fillna(0).cumsum()
        strategies.append(
            StrategyHistory(name, _floats(own["max_load"]), np.asarray(moved, np.float64))
        )
    best = rows.groupby("snapshot_at")["lower_bound"].max().reindex(moments)
    times = moments.dt.tz_localize(None).to_numpy("datetime64[us]")
    return GroupHistory(times, _floats(best), tuple(strategies))


@guarded("the tables")
def by_strategy(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row per strategy: means over the snapshots, and total moves."""
    figures = ["max_load", "lower_bound", "max_over_mean_load", "count_spread", "idle_members"]
    grouped = rows.astype(dict.fromkeys(figures, "Float64")).groupby("strategy")
    means = grouped[figures].mean()
    means["moved"] = grouped["moved_from_previous"].sum()
    means["snapshots"] = grouped.size()
    return means.loc[ordered(means.index)].reset_index()


def ordered(names: Iterable[str]) -> list[str]:
    """Return strategies in display order: the recorded owners first, unregistered ones last."""
    known = [AS_IT_WAS, *strategies()]
    given = set(names)
    unregistered = sorted(given - set(known))
    return [name for name in known if name in given] + unregistered


def _floats(values: pd.Series) -> FloatArray:
    return np.asarray(values.astype("float64"), np.float64)
