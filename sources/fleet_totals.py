"""What the fleet comes to: sums over groups as each was at its last snapshot in the window."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from schemas.tables import AS_IT_WAS
from sources.fleet import Fleet
from sources.fleet_schema import REPEATED
from sources.fleet_scope import Scope, both, in_scope

KEYS: Final = ["cluster", "group_id"]
_PRESENT: Final = [
    *KEYS,
    "snapshot_at",
    "partitions",
    "members",
    "total_lag",
    "unknown_lags",
    "max_lag",
    "max_over_mean_lag",
    "idle_members",
]


@dataclass(frozen=True, kw_only=True)
class Totals:
    """The fleet in one row."""

    groups: int
    clusters: int
    consumers: int
    idle: int
    partitions: int
    lag: int | None
    """Known lag, in records; None where none is known."""
    unknown_lags: int
    snapshots: int
    """Snapshots of groups, over the whole window."""
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, kw_only=True)
class Rejected:
    """How much telemetry could not be used."""

    rows: int
    """As far as anybody can tell."""
    entries: int
    """Rows of the table."""
    files: int
    """Files that could not be read at all."""


def present(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    """Return one row for each group and snapshot as it was, in the order of time."""
    where = both(ds.field("strategy") == AS_IT_WAS, in_scope(scope))
    found = frame(fleet.read("group_summary", _PRESENT, where))
    return found.sort_values("snapshot_at", kind="stable", ignore_index=True)


def within(rows: pd.DataFrame, scope: Scope) -> pd.DataFrame:
    """Return the rows of ``present`` that are in a scope, as reading them anew would."""
    is_in = np.ones(len(rows), np.bool_)
    if scope.cluster is not None:
        is_in &= (rows["cluster"] == scope.cluster).to_numpy()
    if scope.since is not None:
        is_in &= (rows["snapshot_at"] >= scope.since).to_numpy()
    if scope.until is not None:
        is_in &= (rows["snapshot_at"] <= scope.until).to_numpy()
    return rows if is_in.all() else rows[is_in].reset_index(drop=True)


def totals(rows: pd.DataFrame) -> Totals:
    """Return the sums of ``present``."""
    last = latest(rows)
    known = last["total_lag"].dropna()
    return Totals(
        groups=len(last),
        clusters=int(last["cluster"].nunique()),
        consumers=int(last["members"].sum()),
        idle=int(last["idle_members"].sum()),
        partitions=int(last["partitions"].sum()),
        lag=sum(known.tolist()) if len(known) else None,
        unknown_lags=int(last["unknown_lags"].sum()),
        snapshots=len(rows),
        first=rows["snapshot_at"].iloc[0].to_pydatetime() if len(rows) else None,
        last=rows["snapshot_at"].iloc[-1].to_pydatetime() if len(rows) else None,
    )


def latest(rows: pd.DataFrame) -> pd.DataFrame:
    """Return each group's last row of ``present``."""
    return rows.drop_duplicates(KEYS, keep="last")


def rejected(fleet: Fleet) -> Rejected:
    """Return how many rows the tables' run could not use."""
    counts = fleet.read("rejected", ["raw", "rows"])
    return Rejected(
        rows=pc.sum(counts["rows"]).as_py() or 0,
        entries=counts.num_rows,
        files=counts["raw"].null_count,
    )


def rejected_rows(fleet: Fleet, most: int) -> pd.DataFrame:
    """Return the first rows that could not be used, by file."""
    found = frame(fleet.head("rejected", ["file", "reason", "raw", "rows"], most))
    return found.sort_values("file", kind="stable", ignore_index=True)


def rejected_by_reason(fleet: Fleet) -> pd.DataFrame:
    """Return how many rows each reason took, most first; a file's rows may be unknown."""
    rows = fleet.read("rejected", ["reason", "rows"])
    found = rows.group_by("reason").aggregate([("rows", "sum"), ("reason", "count")])
    named = frame(found).rename(columns={"rows_sum": "rows", "reason_count": "entries"})
    order = ["entries", "reason"]
    return named.sort_values(order, ascending=[False, True], ignore_index=True)[
        ["reason", "entries", "rows"]
    ]


def frame(table: pa.Table) -> pd.DataFrame:
    """Return a table as a frame: whole numbers may be unknown, names are objects."""
    found: pd.DataFrame = table.to_pandas(types_mapper=_WHOLE.get)
    names = [name for name in REPEATED if name in found]
    return found.astype(dict.fromkeys(names, "object"))


_WHOLE: Final = {pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}
