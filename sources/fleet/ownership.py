"""Snapshots of which nobody told who owned what, as metrics do not."""

import pandas as pd
import pyarrow.dataset as ds

from schemas.tables import AS_IT_WAS
from sources.fleet.scope import Scope, all_of, in_time, rows_where
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS

Place = tuple[str, str, pd.Timestamp]


def without_owners(fleet: Fleet, rows: pd.DataFrame) -> set[Place]:
    """Return cluster, group and time of those among these rows' snapshots.

    In the tables their ``idle_members`` are null as it was, which is a number otherwise.
    """
    if rows.empty:
        return set()
    at = rows["snapshot_at"]
    during = in_time(Scope(since=at.min().to_pydatetime(), until=at.max().to_pydatetime()))
    named = ds.field("group_id").isin([*rows["group_id"].unique()])
    where = all_of(ds.field("strategy") == AS_IT_WAS, named, during)
    names = [*KEYS, "snapshot_at", "idle_members"]
    found = rows_where(fleet, "group_summary", names, where)
    unknown = found[found["idle_members"].isna()]
    return set(unknown[[*KEYS, "snapshot_at"]].itertuples(index=False, name=None))
