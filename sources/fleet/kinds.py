"""Groups of kinds that no strategy of consumer groups assigns in, told from the tables."""

from typing import Final

import pandas as pd
import pyarrow.compute as pc
import pyarrow.dataset as ds

from assignors.kinds import GroupKind, kind_by_ids, kind_by_name
from schemas.tables import AS_IT_WAS
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

    ``rows`` are those of ``as_it_was``. The last snapshot at which the collector told a group's
    kind decides. Where telemetry tells none, as that of earlier releases, a group's own name may
    give it away, a Streams application is told by the ids of its last snapshot's members, and a
    group that had no member at any snapshot has offsets alone.
    """
    if rows.empty:
        return pd.DataFrame(columns=[*KEYS, "kind"])
    told = told_kinds(fleet, rows)
    most = rows.groupby(KEYS, sort=False)["members"].max()
    alone = {tuple(key): GroupKind.OFFSETS for key in most[most == 0].index}
    named = {key: kind for key in most.index if (kind := kind_by_name(key[1]))}
    kinds = alone | _by_ids(fleet, rows) | named | told
    return pd.DataFrame(
        [
            {**dict(zip(KEYS, key, strict=True)), "kind": kind}
            for key, kind in kinds.items()
            if not kind.runs_consumer_strategies
        ],
        columns=[*KEYS, "kind"],
    )


def without(rows: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose group is none of the others, in their order."""
    keys = pd.MultiIndex.from_frame(others[KEYS])
    return rows[~pd.MultiIndex.from_frame(rows[KEYS]).isin(keys)].reset_index(drop=True)


def told_kinds(fleet: Fleet, rows: pd.DataFrame) -> dict[tuple[str, ...], GroupKind]:
    """Return by cluster and group the kinds that the tables name at the snapshots of these rows."""
    if rows.empty or not fleet.has("group_summary", "kind"):
        return {}
    at = rows["snapshot_at"]
    during = in_time(Scope(since=at.min().to_pydatetime(), until=at.max().to_pydatetime()))
    is_told = ds.field("kind").isin([kind.value for kind in GroupKind])
    where = all_of(ds.field("strategy") == AS_IT_WAS, is_told, during)
    found = rows_where(fleet, "group_summary", [*KEYS, "snapshot_at", "kind"], where)
    found = found.merge(rows[[*KEYS, "snapshot_at"]].drop_duplicates(), on=[*KEYS, "snapshot_at"])
    newest = found.sort_values("snapshot_at").groupby(KEYS)["kind"].last()
    keys = zip(*(newest.index.get_level_values(name) for name in KEYS), strict=True)
    return {key: GroupKind(str(kind)) for key, kind in zip(keys, newest, strict=True)}


def _by_ids(fleet: Fleet, rows: pd.DataFrame) -> dict[tuple[str, ...], GroupKind]:
    last = latest(rows)[[*KEYS, "snapshot_at"]]
    threads = _contains("client_id") | (ds.field("client_id").is_null() & _contains("member_id"))
    since = Scope(since=last["snapshot_at"].min().to_pydatetime())
    columns = [*KEYS, "snapshot_at", *_IDS]
    members = rows_where(fleet, "group_member", columns, all_of(threads, in_time(since)))
    return {
        (str(cluster), str(group)): kind
        for (cluster, group), own in members.merge(last, on=[*KEYS, "snapshot_at"]).groupby(KEYS)
        if (kind := kind_by_ids({*own["client_id"].dropna()}) or kind_by_ids({*own["member_id"]}))
    }


def _contains(column: str) -> ds.Expression:
    return pc.match_substring(ds.field(column), _THREADS)
