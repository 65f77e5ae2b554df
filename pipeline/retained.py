"""What a row of ``runs`` and ``recommendation`` say once days have been dropped."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.horizons import Horizons, moment, reached_in
from pipeline.lake import Lake
from pipeline.recommendation import NEEDED, WITH_EARLIER, ranked, recommended
from pipeline.replay.writing import write
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, RECOMMENDATION

WINDOW: Final = timedelta(days=7)
"""How far back recommendations of a stream look, unless it is told otherwise."""
_STORED: Final = arrow_schema(WITH_EARLIER)
_HOUR: Final = timedelta(hours=1)
_US: Final = timedelta(microseconds=1)
_ROWS: Final = 500_000
"""About this many rows of ``group_summary`` are in memory at a time."""


def retained(
    lake: Lake, row: Mapping[str, Any], versions: Mapping[str, int], oldest: datetime
) -> dict[str, Any]:
    """Return what changes in a row of ``runs`` if its tables have these versions.

    They have lost the days before the ``oldest`` moment. What was rejected stays, because that has
    no days. ``recommendation`` is written anew where it looks back that far.
    """
    before, after = (_rows(lake, each["telemetry"]) for each in (row["versions"], versions))
    groups = _groups(lake, versions["group_summary"])
    version = _judged_anew(lake, row, versions, oldest, groups)
    return {
        "rows_in": row["rows_in"] - before + after,
        "rows_used": row["rows_used"] - before + after,
        "rows_pending": _pending(lake, row, versions["telemetry"]),
        "snapshots": pc.sum(groups["snapshots"], min_count=0).as_py(),
        "groups": len(groups),
        "first_snapshot": pc.min(groups["first"]).as_py(),
        "last_snapshot": pc.max(groups["last"]).as_py(),
        "versions": {**versions, "recommendation": version},
    }


def _rows(lake: Lake, version: int) -> int:
    return sum(lake.actions("telemetry", version)["num_records"].to_pylist())


def _groups(lake: Lake, version: int) -> pa.Table:
    """Return cluster, group, number of snapshots, first and last one, in order of the names."""
    what = (
        "cluster, group_id, count(*) AS snapshots, "
        "min(snapshot_at) AS first, max(snapshot_at) AS last"
    )
    rest = f"WHERE strategy = '{AS_IT_WAS}' GROUP BY cluster, group_id ORDER BY cluster, group_id"
    return lake.selected("group_summary", version, what, rest)


def _pending(lake: Lake, row: Mapping[str, Any], version: int) -> int:
    """Return how many rows wait for the watermark of a stream."""
    if not row["rows_pending"]:
        return 0
    rest = f"WHERE {_is_pending(reached_in(row['progress']).replayed)}"
    number: int = lake.selected("telemetry", version, "count(*) AS number", rest)["number"][
        0
    ].as_py()
    return number


def _judged_anew(
    lake: Lake,
    row: Mapping[str, Any],
    versions: Mapping[str, int],
    oldest: datetime,
    groups: pa.Table,
) -> int:
    """Write ``recommendation`` for what is left, if it was for more; return its version."""
    version, since = versions["recommendation"], ""
    if row["kind"] == "stream":
        progress, last = json.loads(row["progress"]), reached_in(row["progress"]).replayed.furthest
        if not last:
            return version
        window = timedelta(microseconds=progress.get("window_us") or WINDOW // _US)
        first = moment(last) - window
        if oldest <= first - _HOUR:  # the last ranking was within the hour before the watermark
            return version
        since = f" AND {_is_after(first)}"
    rows = [
        recommended(_summary(lake, versions["group_summary"], part, since), row["strategies"])
        for part in _parts(groups, len(row["strategies"]) + 1)
    ]
    table = ranked(pa.concat_tables([arrow_schema(RECOMMENDATION).empty_table(), *rows]))
    files = list(write(lake.files(), "recommendation", table))
    old = lake.actions("recommendation", version)["path"].to_pylist()
    return lake.replace("recommendation", old, files, after=version)


def _parts(groups: pa.Table, strategies: int) -> Iterator[pa.Table]:
    """Yield the groups in stretches of about ``_ROWS`` rows of ``group_summary``."""
    rows = groups["snapshots"].to_numpy() * strategies
    part = (np.cumsum(rows) - rows) // _ROWS
    starts = np.flatnonzero(np.diff(part, prepend=-1)).tolist()
    for first, beyond in pairwise([*starts, rows.size]):
        yield groups.slice(first, beyond - first)


def _summary(lake: Lake, version: int, groups: pa.Table, since: str) -> pa.Table:
    """Return the rows of a stretch of groups, with what a ranking needs."""
    there = {field.name for field in lake.table("group_summary", version).schema().fields}
    schema = pa.schema([_STORED.field(name) for name in NEEDED if name in there])
    first, last = (
        tuple(_text(groups[name][place].as_py()) for name in ("cluster", "group_id"))
        for place in (0, len(groups) - 1)
    )
    rest = (
        f"WHERE (cluster > {first[0]} OR cluster = {first[0]} AND group_id >= {first[1]})"
        f" AND (cluster < {last[0]} OR cluster = {last[0]} AND group_id <= {last[1]}){since}"
    )
    return lake.selected("group_summary", version, ", ".join(schema.names), rest).cast(schema)


def _is_after(at: datetime) -> str:
    return f"snapshot_at > {_timestamp(at)}"


def _is_pending(replayed: Horizons) -> str:
    others = _timestamp(moment(replayed.others))
    own = " ".join(
        f"WHEN {_text(cluster)} THEN {_timestamp(moment(horizon))}"
        for cluster, horizon in replayed.clusters.items()
    )
    return f"snapshot_at > {f'CASE cluster {own} ELSE {others} END' if own else others}"


def _timestamp(at: datetime) -> str:
    return f"TIMESTAMP '{at:%Y-%m-%dT%H:%M:%S.%fZ}'"


def _text(name: str) -> str:
    """Return a name as SQL."""
    return "'" + name.replace("'", "''") + "'"
