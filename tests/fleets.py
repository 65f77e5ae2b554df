"""Delta tables of a fleet for tests, written by deltalake without Spark or Java."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from evaluation.answering.pool import settable_among
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, TABLES

Rows = Sequence[Mapping[str, Any]]
NOON: Final = datetime(2026, 3, 2, 23, 50, tzinfo=UTC)
"""The first of three snapshots, ten minutes apart: the last two fall on the next day."""
TIMES: Final = tuple(NOON + timedelta(minutes=10 * k) for k in range(3))


def write(folder: Path | str, tables: Mapping[str, Rows], **run: object) -> str:
    """Write every table, by default empty, and then the run that publishes them.

    In a folder that has tables, this adds another run, which replaces them.
    """
    versions = {
        table: write_table(folder, table, tables.get(table, ()))
        for table in TABLES
        if table != "runs"
    }
    publish(folder, versions, **run)
    return str(folder)


def write_table(folder: Path | str, table: str, rows: Rows, schema: pa.Schema | None = None) -> int:
    """Replace a table's rows without publishing them; return its new version."""
    fields = arrow_schema(TABLES[table]) if schema is None else schema
    days = [
        {"day": row["snapshot_at"].date(), **row} if "snapshot_at" in row else row for row in rows
    ]
    write_deltalake(
        f"{folder}/{table}",
        pa.Table.from_pylist(days, schema=fields),
        partition_by=["day"] if "day" in fields.names else None,
        mode="overwrite",
        schema_mode="overwrite",
    )
    return DeltaTable(f"{folder}/{table}").version()


def publish(folder: Path | str, versions: Mapping[str, int], **run: object) -> None:
    """Add a row of ``runs`` that names the versions; a later call's run is newer."""
    at = f"{folder}/runs"
    number = DeltaTable(at).version() + 1 if DeltaTable.is_deltatable(at) else 0
    row = {
        "run_id": f"run-{number}",
        "kind": "batch",
        "started_at": TIMES[-1],
        "finished_at": TIMES[-1] + timedelta(microseconds=1 + number),
        "versions": versions,
        "strategies": ["range", "roundrobin"],
        "judged_by": "lag",
        **run,
    }
    rows = pa.Table.from_pylist([row], schema=arrow_schema(TABLES["runs"]))
    write_deltalake(at, rows, mode="append")


def small() -> dict[str, Rows]:
    """Return two clusters, three groups, three snapshots, two strategies, every table.

    Round robin would gain 600 records for ``orders`` of cluster ``prod``, 20 for ``mails`` of
    ``test`` and none for ``audit`` of ``prod``, one of whose lags is unknown.
    """
    return {
        "partition_lag": [*_partition_rows()],
        "group_member": [*_member_rows()],
        "member_load": [*_load_rows()],
        "group_summary": [
            *summaries("prod", "orders", {AS_IT_WAS: 900, "range": 900, "roundrobin": 300}),
            *summaries("prod", "audit", {AS_IT_WAS: 50, "range": 50, "roundrobin": 50}, unknown=1),
            *summaries("test", "mails", {AS_IT_WAS: 120, "range": 100, "roundrobin": 110}),
        ],
        "recommendation": [
            recommendation(1, "prod", "orders", "roundrobin", 900.0, 300.0),
            recommendation(2, "test", "mails", "range", 120.0, 100.0),
            recommendation(3, "prod", "audit", AS_IT_WAS, 50.0, 50.0),
        ],
        "rejected": [
            {"file": "a.jsonl", "reason": "partition -1 is negative", "raw": "{}", "rows": 1},
            {"file": "b.csv", "reason": "no group", "raw": "1,2", "rows": 1},
            {"file": "a.jsonl", "reason": "no group", "raw": "{1}", "rows": 1},
        ],
    }


def quiet() -> dict[str, Rows]:
    """Return ``small`` without offsets and rates, so that nothing says that anybody stopped.

    At each snapshot ``orders`` has three of its four partitions, of equal lag, on one consumer.
    """
    unknown = dict.fromkeys(("log_end_offset", "committed_offset", "produce_rate"))
    first = [row for row in _partition_rows() if row["snapshot_at"] == TIMES[0]]
    rows = [
        {
            **row,
            **unknown,
            "snapshot_at": at,
            "lag": 300 + 30 * k,
            "member_id": "c1" if row["partition"] == 3 else "c0",
        }
        for k, at in enumerate(TIMES)
        for row in first
    ]
    return {**small(), "partition_lag": rows}


def recommendation(  # noqa: PLR0913, PLR0917 -- reads as a row of the table
    rank: int, cluster: str, group: str, strategy: str, before: float, after: float
) -> dict[str, Any]:
    """Return a row of the recommendation table; figures not given are plausible."""
    share = (before - after) / before if before else None
    gains = share if before > after else None
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
        "max_load_as_it_was": before,
        "max_load": after,
        "lower_bound": after,
        "gain_load": before - after,
        "gain_share": share,
        "moves_as_it_was": 0.0,
        "moves": 1.0,
        "max_over_mean_as_it_was": 2.5,
        "max_over_mean": 1.25,
        "idle_members": 1.0,
        "largest_partition_share": 0.25,
        "reason": "gains",
        "tested_strategy": strategy,
        "promised_share": gains,
        "kept_share": gains,
    }


def ranked(  # noqa: PLR0913, PLR0917 -- reads as a row of a ranking
    rank: int, cluster: str, group: str, strategy: str, before: float, after: float
) -> dict[str, Any]:
    """Return a row of a ranking in which this strategy is the best, and proposed."""
    row = recommendation(rank, cluster, group, strategy, before, after)
    is_setting = strategy in settable_among([strategy])
    return {
        **row,
        "proposed": strategy,
        "setting": strategy if is_setting else AS_IT_WAS,
        "setting_gain_load": row["gain_load"] if is_setting else 0.0,
        "setting_gain_share": row["gain_share"] if is_setting else 0.0,
    }


def summaries(
    cluster: str, group: str, max_loads: Mapping[str, int], unknown: int = 0
) -> list[dict[str, Any]]:
    """Return a group's summaries: lag grows by a tenth and the total by 1,000 each snapshot."""
    best = min(max_loads.values())
    rows = []
    for k, at in enumerate(TIMES):
        for strategy, most in max_loads.items():
            max_load = most + most * k // 10
            rows.append(
                {
                    "cluster": cluster,
                    "group_id": group,
                    "snapshot_at": at,
                    "strategy": strategy,
                    "topics": 1,
                    "partitions": 4,
                    "members": 3,
                    "total_load": 1000 + 100 * k,
                    "unknown_loads": unknown,
                    "rate": 12.5,
                    "max_load": max_load,
                    "mean_load": (1000 + 100 * k) / 3,
                    "max_over_mean_load": max_load * 3 / (1000 + 100 * k),
                    "max_partitions": 2,
                    "count_spread": 1,
                    "idle_members": int(strategy == AS_IT_WAS),
                    "unowned": 0,
                    "moved_from_present": None if strategy == AS_IT_WAS else 2,
                    "moved_from_previous": None if k == 0 else int(strategy != AS_IT_WAS),
                    "lower_bound": best + best * k // 10,
                    "above_bound": max_load - best - best * k // 10,
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
            "load": lag,
            "unknown_loads": 0 if lag is not None else 2,
            "topics": 0 if lag == 0 else 1,
            "rate": None,
        }
        for at in TIMES
        for strategy, lags in ((AS_IT_WAS, (900, None, 0)), ("roundrobin", (300, 300, 300)))
        for member, lag in zip(("c0", "c1", "c2"), lags, strict=True)
    ]
