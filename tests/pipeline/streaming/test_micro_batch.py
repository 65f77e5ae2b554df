"""Batches on top of one another: in the end, the tables of one replay over all that came."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from assignors.registry import STRATEGIES
from pipeline.errors import PipelineError
from pipeline.publishing import CURRENT
from pipeline.replay.replay import replay
from pipeline.streaming.arrivals import Arrived
from pipeline.streaming.micro_batch import Batch, Stream, publish_batch
from pipeline.streaming.state import StreamState
from schemas.arrow import arrow_schema
from schemas.tables import REJECTED
from schemas.telemetry import TELEMETRY

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("range", "sticky")
WITH_FILE = arrow_schema(TELEMETRY).append(pa.field("file", pa.string()))
BY_DAY = ("partition_lag", "group_member", "member_load", "group_summary")
Row = dict[str, Any]


def snapshot(minute: float, owners: str, end: int, group: str = "g") -> list[Row]:
    """Return a group's rows at a minute: one partition for each owner, all at one end."""
    return [
        {
            "cluster": "eu",
            "group_id": group,
            "snapshot_at": NOON + timedelta(minutes=minute),
            "topic": "t",
            "partition": p,
            "log_end_offset": end + p,
            "committed_offset": 10 * minute,
            "member_id": owner,
            "file": f"file-{minute:g}",
        }
        for p, owner in enumerate(owners)
    ]


FIRST, SECOND, THIRD = (
    snapshot(0, "aabb", 100),
    snapshot(1, "aabc", 130) + snapshot(1, "xy", 5, "h"),
    snapshot(5, "abcc", 200),
)


def stream(output: Path, lateness: float = 2, window: float = 10_080) -> Stream:
    return Stream(
        output=str(output),
        strategies=NAMES,
        lateness=timedelta(minutes=lateness),
        window=timedelta(minutes=window),
    )


def take(
    spark: SparkSession, given: Stream, number: int, rows: Sequence[Row], query: str = "q"
) -> StreamState | None:
    """Publish a batch of rows."""
    table = pa.Table.from_pylist([dict.fromkeys(WITH_FILE.names) | row for row in rows], WITH_FILE)
    frame = spark.createDataFrame(table)
    arrived = Arrived(frame, spark.createDataFrame([], REJECTED), len(rows))
    return publish_batch(spark, given, Batch(query, number, lambda _: arrived))


def published(output: Path, table: str) -> list[str]:
    """Return the rows of a table as anybody reads them, in an order of their own."""
    found = ds.dataset(output / table, partitioning="hive").to_table()
    if "day" in found.column_names:
        found = found.set_column(
            found.column_names.index("day"), "day", found["day"].cast(pa.string())
        )
    return sorted(map(str, (dict(sorted(row.items())) for row in found.to_pylist())))


def replayed_at_once(rows: Sequence[Row], table: str) -> list[str]:
    schema = arrow_schema(TELEMETRY).append(pa.field("file", pa.int32()))
    given = [dict.fromkeys(schema.names) | row | {"file": 0} for row in rows]
    found = replay(pa.Table.from_pylist(given, schema), [STRATEGIES[name] for name in NAMES])
    made = found.tables[table]
    made = made.set_column(made.column_names.index("day"), "day", made["day"].cast(pa.string()))
    return sorted(map(str, (dict(sorted(row.items())) for row in made.to_pylist())))


def counts(state: StreamState | None) -> Mapping[str, int]:
    assert state is not None
    return {
        "in": state.rows_in,
        "settled": state.rows_used,
        "pending": state.rows_pending,
        "rejected": state.rows_rejected,
    }


def test_batches_in_any_order_within_the_lateness_end_in_the_tables_of_one_replay(
    spark: SparkSession, tmp_path: Path
) -> None:
    given = stream(tmp_path / "out")

    take(spark, given, 0, SECOND + FIRST[:2])  # the rest of the first snapshot comes later
    between = replayed_at_once(SECOND + FIRST[:2], "group_summary")
    assert published(tmp_path / "out", "group_summary") == between
    state = take(spark, given, 1, FIRST[2:] + THIRD)

    assert counts(state) == {"in": 14, "settled": 8, "pending": 6, "rejected": 0}
    for table in BY_DAY:
        everything = replayed_at_once(FIRST + SECOND + THIRD, table)
        assert published(tmp_path / "out", table) == everything


def test_what_comes_too_late_or_twice_is_rejected_once_and_counted(
    spark: SparkSession, tmp_path: Path
) -> None:
    given = stream(tmp_path / "out")
    take(spark, given, 0, SECOND[:4] + THIRD)

    take(spark, given, 1, FIRST + THIRD[:1])  # before what is settled; one row a second time
    state = take(spark, given, 2, snapshot(20, "aabb", 300))

    assert counts(state) == {"in": 17, "settled": 8, "pending": 4, "rejected": 5}
    reasons = [row for row in published(tmp_path / "out", "rejected") if "snapshot" in row]
    assert len(reasons) == 5
    left = SECOND[:4] + THIRD + snapshot(20, "aabb", 300)
    assert published(tmp_path / "out", "group_summary") == replayed_at_once(left, "group_summary")


def test_a_batch_that_is_in_the_tables_already_is_not_taken_again(
    spark: SparkSession, tmp_path: Path
) -> None:
    given = stream(tmp_path / "out")
    take(spark, given, 0, FIRST)
    before = (tmp_path / "out" / CURRENT).readlink()

    assert take(spark, given, 0, FIRST) is None
    assert (tmp_path / "out" / CURRENT).readlink() == before


def test_a_new_checkpoint_counts_its_batches_anew(spark: SparkSession, tmp_path: Path) -> None:
    given = stream(tmp_path / "out")
    take(spark, given, 0, FIRST)

    state = take(spark, given, 0, THIRD, query="another")

    assert counts(state) == {"in": 8, "settled": 4, "pending": 4, "rejected": 0}


def test_counts_run_over_all_batches_and_recommendations_over_the_window(
    spark: SparkSession, tmp_path: Path
) -> None:
    given = stream(tmp_path / "out", lateness=0, window=1)
    take(spark, given, 0, snapshot(0, "aabb", 100) + snapshot(1, "aabb", 90))  # all ends fell

    state = take(spark, given, 1, snapshot(2, "aabb", 300))

    assert counts(state) == {"in": 12, "settled": 12, "pending": 0, "rejected": 0}
    assert state is not None
    assert state.offsets_backwards == 4
    (advice,) = pq.read_table(tmp_path / "out" / "recommendation").to_pylist()
    assert (advice["snapshots"], advice["window_start"]) == (1, NOON + timedelta(minutes=2))


def test_a_lost_row_stops_the_stream_before_anything_is_published(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = spark.createDataFrame([], f"{TELEMETRY}, file STRING")
    arrived = Arrived(rows, spark.createDataFrame([], REJECTED), 1)
    batch = Batch("q", 0, lambda _: arrived)

    with pytest.raises(PipelineError, match="1 rows came in, but 0 were used"):
        publish_batch(spark, stream(tmp_path / "out"), batch)

    assert not (tmp_path / "out" / CURRENT).exists()
