"""Groups of kinds that no strategy of consumer groups assigns in, told from the tables."""

from typing import Final

import pandas as pd
import pyarrow.compute as pc
import pyarrow.dataset as ds

from assignors.kinds import GroupKind, kind_by_ids
from sources.errors import guarded
from sources.fleet.scope import Scope, all_of, in_time, rows_where
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS, latest

_IDS: Final = ["client_id", "member_id"]
_THREADS: Final = "-StreamThread-"
"""What every id of a Streams thread contains; others need not be read."""


@guarded("the tables")
def other_kinds(fleet: Fleet, rows: pd.DataFrame) -> pd.DataFrame:
    """Return cluster, group_id and kind of the groups in which no strategy assigns.

    ``rows`` are those of ``as_it_was``. A Streams application is told by the ids of its last
    snapshot's members; a group that had no member at any snapshot has offsets alone. Tables of
    earlier releases tell as much.
    """
    if rows.empty:
        return pd.DataFrame(columns=[*KEYS, "kind"])
    most = rows.groupby(KEYS, sort=False)["members"].max()
    alone = [
        {**dict(zip(KEYS, key, strict=True)), "kind": GroupKind.OFFSETS}
        for key in most[most == 0].index
    ]
    return pd.DataFrame([*_by_ids(fleet, rows), *alone], columns=[*KEYS, "kind"])


def without(rows: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose group is none of the others, in their order."""
    keys = pd.MultiIndex.from_frame(others[KEYS])
    return rows[~pd.MultiIndex.from_frame(rows[KEYS]).isin(keys)].reset_index(drop=True)


def _by_ids(fleet: Fleet, rows: pd.DataFrame) -> list[dict[str, object]]:
    last = latest(rows)[[*KEYS, "snapshot_at"]]
    threads = _contains("client_id") | (ds.field("client_id").is_null() & _contains("member_id"))
    since = Scope(since=last["snapshot_at"].min().to_pydatetime())
    columns = [*KEYS, "snapshot_at", *_IDS]
    members = rows_where(fleet, "group_member", columns, all_of(threads, in_time(since)))
    return [
        {**dict(zip(KEYS, key, strict=True)), "kind": kind}
        for key, own in members.merge(last, on=[*KEYS, "snapshot_at"]).groupby(KEYS)
        if (kind := kind_by_ids({*own["client_id"].dropna()}) or kind_by_ids({*own["member_id"]}))
    ]


def _contains(column: str) -> ds.Expression:
    return pc.match_substring(ds.field(column), _THREADS)
