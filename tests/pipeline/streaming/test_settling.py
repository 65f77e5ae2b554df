"""Which rows no other of their group can come before any more."""

from datetime import UTC, datetime, timedelta

from pyspark.sql import SparkSession

from pipeline.streaming.settling import IS_SETTLED, with_settled

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Snapshot = tuple[str, str, int]


def settled(spark: SparkSession, lateness: timedelta, *rows: Snapshot) -> list[Snapshot]:
    """Return those of the rows that are settled: cluster, group, minute."""
    given = [(*of, NOON + timedelta(minutes=minute), minute) for *of, minute in rows]
    columns = "cluster STRING, group_id STRING, snapshot_at TIMESTAMP, minute INT"
    found = with_settled(spark.createDataFrame(given, columns), lateness).where(IS_SETTLED)
    return sorted(map(tuple, found.select("cluster", "group_id", "minute").collect()))


def test_each_group_of_each_cluster_is_measured_by_its_own_snapshots(spark: SparkSession) -> None:
    rows = [("eu", "g", 0), ("eu", "g", 1), ("eu", "g", 2), ("eu", "h", 0), ("us", "g", 0)]

    assert settled(spark, timedelta(minutes=2), *rows) == [("eu", "g", 0)]


def test_without_lateness_every_row_is_settled_at_once(spark: SparkSession) -> None:
    rows = [("eu", "g", 0), ("eu", "g", 5)]

    assert settled(spark, timedelta(0), *rows) == rows
