"""Tables of a fleet for tests, written with pyarrow from the schemas: no Spark, no Java."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.tables import AS_IT_WAS, TABLES
from sources.fleet_place import CURRENT
from sources.fleet_schema import DAY, has_days, table_schema

Rows = Sequence[Mapping[str, Any]]
NOON: Final = datetime(2026, 3, 2, 23, 50, tzinfo=UTC)
"""The first of three snapshots, ten minutes apart: the last two fall on the day after."""
TIMES: Final = tuple(NOON + timedelta(minutes=10 * k) for k in range(3))


def write(folder: Path, tables: Mapping[str, Rows]) -> Path:
    """Write every table below the folder, those not given empty; return the folder."""
    for table in TABLES:
        (folder / table).mkdir(parents=True)
        rows = [dict(row) for row in tables.get(table, ())]
        if not has_days(table):
            written = pa.Table.from_pylist(rows, schema=table_schema(table))
            pq.write_table(written, folder / table / "part-0.parquet")
            continue
        schema = pa.schema([field for field in table_schema(table) if field.name != DAY])
        for day in sorted({row["snapshot_at"].date() for row in rows}):
            kept = [row for row in rows if row["snapshot_at"].date() == day]
            (folder / table / f"{DAY}={day}").mkdir()
            written = pa.Table.from_pylist(kept, schema=schema)
            pq.write_table(written, folder / table / f"{DAY}={day}" / "part-0.parquet")
    return folder


def publish(folder: Path, tables: Mapping[str, Rows], version: str = "1") -> Path:
    """Write the tables as a version of the folder and point at it, as the pipeline does."""
    write(folder / "_versions" / version, tables)
    fresh = folder / "_next"
    fresh.symlink_to(Path("_versions") / version)
    fresh.replace(folder / CURRENT)
    return folder


def commit(folder: Path, tables: Mapping[str, Rows], number: int = 1) -> Path:
    """Write the tables as a version and commit it, as the pipeline does at an address.

    A run replaces the days it covers and keeps the others.
    """
    version = f"v{9 - number}"  # names tell nothing of the order
    root = write(folder / "_versions" / version, tables)
    places = _last_places(folder / "_commits")
    for table in TABLES:
        found = sorted(path.name for path in (root / table).glob(f"{DAY}=*"))
        days = found if has_days(table) else [""]
        places[table] = places.get(table, {}) | dict.fromkeys(days, version)
    report = json.dumps({"rows_in": number})
    line = {"number": number, "version": version, "places": places, "report": report}
    commits = folder / "_commits"
    commits.mkdir(exist_ok=True)
    (commits / f"part-{9 - number}.json").write_text(json.dumps(line) + "\n")
    return folder


def _last_places(commits: Path) -> dict[str, dict[str, str]]:
    lines = [json.loads(path.read_text()) for path in commits.glob("*.json")]
    places: dict[str, dict[str, str]] = {}
    if lines:
        places = max(lines, key=lambda line: int(line["number"]))["places"]
    return places


def small() -> dict[str, Rows]:
    """Return two clusters, three groups, three snapshots, two strategies, every table.

    ``orders`` of cluster ``prod`` would gain 600 records by round robin, ``mails`` of
    ``test`` 20, ``audit`` of ``prod`` nothing; it has a lag nobody knows.
    """
    return {
        "partition_lag": [*_partition_rows()],
        "group_member": [*_member_rows()],
        "member_load": [*_load_rows()],
        "group_summary": [
            *_summaries("prod", "orders", {AS_IT_WAS: 900, "range": 900, "roundrobin": 300}),
            *_summaries("prod", "audit", {AS_IT_WAS: 50, "range": 50, "roundrobin": 50}, unknown=1),
            *_summaries("test", "mails", {AS_IT_WAS: 120, "range": 100, "roundrobin": 110}),
        ],
        "recommendation": [
            recommendation(1, "prod", "orders", "roundrobin", 900.0, 300.0),
            recommendation(2, "test", "mails", "range", 120.0, 100.0),
            recommendation(3, "prod", "audit", AS_IT_WAS, 50.0, 50.0),
        ],
        "rejected": [
            {"file": "a.jsonl", "reason": "partition -1 is negative", "raw": "{}", "rows": 1},
            {"file": "b.parquet", "reason": "not Parquet", "raw": None, "rows": None},
        ],
    }


def recommendation(  # noqa: PLR0913, PLR0917 -- reads as a row of the table
    rank: int, cluster: str, group: str, strategy: str, before: float, after: float
) -> dict[str, Any]:
    """Return a row of the recommendation table; figures not given are plausible."""
    return {
        "rank": rank,
        "cluster": cluster,
        "group_id": group,
        "window_start": TIMES[0],
        "window_end": TIMES[-1],
        "snapshots": len(TIMES),
        "partitions": 4,
        "members": 3,
        "strategy": strategy,
        "max_lag_as_it_was": before,
        "max_lag": after,
        "best_max_lag": after,
        "gain_lag": before - after,
        "gain_share": (before - after) / before if before else None,
        "moves_as_it_was": 0.0,
        "moves": 1.0,
        "max_over_mean_as_it_was": 2.5,
        "max_over_mean": 1.25,
        "idle_members": 1.0,
        "largest_partition_share": 0.25,
        "reason": "uneven",
    }


def _summaries(
    cluster: str, group: str, max_lags: Mapping[str, int], unknown: int = 0
) -> list[dict[str, Any]]:
    """Return the group's rows: lag grows by a tenth each snapshot, the total is 1,000 more."""
    best = min(max_lags.values())
    rows = []
    for k, at in enumerate(TIMES):
        for strategy, most in max_lags.items():
            max_lag = most + most * k // 10
            rows.append(
                {
                    "cluster": cluster,
                    "group_id": group,
                    "snapshot_at": at,
                    "strategy": strategy,
                    "topics": 1,
                    "partitions": 4,
                    "members": 3,
                    "total_lag": 1000 + 100 * k,
                    "unknown_lags": unknown,
                    "rate": 12.5,
                    "max_lag": max_lag,
                    "mean_lag": (1000 + 100 * k) / 3,
                    "max_over_mean_lag": max_lag * 3 / (1000 + 100 * k),
                    "max_partitions": 2,
                    "count_spread": 1,
                    "idle_members": int(strategy == AS_IT_WAS),
                    "unowned": 0,
                    "moved_from_present": None if strategy == AS_IT_WAS else 2,
                    "moved_from_previous": None if k == 0 else int(strategy != AS_IT_WAS),
                    "best_max_lag": best + best * k // 10,
                    "above_best_lag": max_lag - best - best * k // 10,
                }
            )
    return rows


def _partition_rows() -> list[dict[str, Any]]:
    """``orders`` has partitions 0 to 3 of topic o; 3 is missing from the last snapshot."""
    return [
        {
            "cluster": "prod",
            "group_id": "orders",
            "snapshot_at": at,
            "topic": "o",
            "partition": partition,
            "log_start_offset": 0,
            "log_end_offset": 1000 + 100 * k if partition else None,
            "committed_offset": 700,
            "auto_offset_reset": "earliest",
            "lag": 300 + 100 * k if partition else None,
            "member_id": ("c0", "c0", "c1", "c1")[partition],
            "produce_rate": None if k == 0 else 1.5,
            "consume_rate": None,
        }
        for k, at in enumerate(TIMES)
        for partition in range(4 if k < 2 else 3)
    ]


def _member_rows() -> list[dict[str, Any]]:
    return [
        {
            "cluster": "prod",
            "group_id": "orders",
            "snapshot_at": at,
            "member_id": member,
            "client_id": "client",
            "host": "/10.0.0.1",
            "group_instance_id": "static-2" if member == "c2" else None,
            "rack": "r1" if member == "c0" else None,
            "subscribed_topics": ["o"] if member == "c1" else None,
        }
        for at in TIMES
        for member in ("c0", "c1", "c2")
    ]


def _load_rows() -> list[dict[str, Any]]:
    return [
        {
            "cluster": "prod",
            "group_id": "orders",
            "snapshot_at": at,
            "strategy": strategy,
            "member_id": member,
            "partitions": 0 if lag == 0 else 2,
            "lag": lag,
            "unknown_lags": 0 if lag is not None else 2,
            "topics": 0 if lag == 0 else 1,
            "rate": None,
        }
        for at in TIMES
        for strategy, lags in ((AS_IT_WAS, (900, None, 0)), ("roundrobin", (300, 300, 300)))
        for member, lag in zip(("c0", "c1", "c2"), lags, strict=True)
    ]
