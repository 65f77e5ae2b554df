"""Totals of the fleet, as of each group's last snapshot in the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import pandas as pd
import pyarrow.dataset as ds

from schemas.tables import AS_IT_WAS
from sources.errors import guarded
from sources.fleet.scope import Scope, all_of, in_scope
from sources.fleet.tables import Fleet, to_frame

KEYS: Final = ["cluster", "group_id"]
_FIGURES: Final = [
    *KEYS,
    "snapshot_at",
    "partitions",
    "members",
    "total_lag",
    "total_load",
    "unknown_loads",
    "max_load",
    "max_over_mean_load",
    "idle_members",
]


@dataclass(frozen=True, kw_only=True)
class Totals:
    """The fleet in one row."""

    groups: int
    clusters: int
    consumers: int
    idle: int | None
    """None if the source of a group tells no owners."""
    partitions: int
    load: int | None
    """Known weight of all partitions; None if none is known."""
    unknown_loads: int
    snapshots: int
    """Number of snapshots of groups over the whole window."""
    first: datetime | None
    last: datetime | None


@guarded("the tables")
def as_it_was(fleet: Fleet, scope: Scope, columns: Sequence[str] = tuple(_FIGURES)) -> pd.DataFrame:
    """Return one row per group and snapshot under the recorded owners, in order of time."""
    where = all_of(ds.field("strategy") == AS_IT_WAS, in_scope(scope))
    rows = to_frame(fleet.read("group_summary", columns, where))
    return rows.sort_values("snapshot_at", kind="stable", ignore_index=True)


def within(rows: pd.DataFrame, scope: Scope) -> pd.DataFrame:
    """Return the rows of ``as_it_was`` in a scope, as if only those had been read."""
    is_in = np.ones(len(rows), np.bool_)
    if scope.cluster is not None:
        is_in &= (rows["cluster"] == scope.cluster).to_numpy()
    if scope.since is not None:
        is_in &= (rows["snapshot_at"] >= scope.since).to_numpy()
    if scope.until is not None:
        is_in &= (rows["snapshot_at"] <= scope.until).to_numpy()
    return rows if is_in.all() else rows[is_in].reset_index(drop=True)


@guarded("the tables")
def totals(rows: pd.DataFrame) -> Totals:
    """Return the sums over ``as_it_was``."""
    last = latest(rows)
    known = last["total_load"].dropna()
    return Totals(
        groups=len(last),
        clusters=int(last["cluster"].nunique()),
        consumers=int(last["members"].sum()),
        idle=None if last["idle_members"].isna().any() else int(last["idle_members"].sum()),
        partitions=int(last["partitions"].sum()),
        load=sum(known.tolist()) if len(known) else None,
        unknown_loads=int(last["unknown_loads"].sum()),
        snapshots=len(rows),
        first=rows["snapshot_at"].iloc[0].to_pydatetime() if len(rows) else None,
        last=rows["snapshot_at"].iloc[-1].to_pydatetime() if len(rows) else None,
    )


def latest(rows: pd.DataFrame) -> pd.DataFrame:
    """Return each group's last row of ``as_it_was``."""
    return rows.drop_duplicates(KEYS, keep="last")


@guarded("the tables")
def rejected_rows(fleet: Fleet, most: int) -> pd.DataFrame:
    """Return the first rejected rows of telemetry, ordered by file."""
    rows = to_frame(fleet.head("rejected", ["file", "reason", "raw"], most))
    return rows.sort_values("file", kind="stable", ignore_index=True)


@guarded("the tables")
def rejected_by_reason(fleet: Fleet) -> pd.DataFrame:
    """Return the number of rejected rows by reason, in descending order."""
    counts = fleet.read("rejected", ["reason"])["reason"].value_counts()
    names, rows = counts.flatten()
    table = pd.DataFrame({"reason": names.to_pylist(), "rows": rows.to_numpy()})
    order = ["rows", "reason"]
    return table.sort_values(order, ascending=[False, True], ignore_index=True)
