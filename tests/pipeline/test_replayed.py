from pyspark.sql import DataFrame, SparkSession

from assignors.registry import STRATEGIES
from pipeline.replay.replay import REPLAYED, replay
from pipeline.replayed import replayed, table_of
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.replay.fleets import Row, at, table

NAMES = ("range", "lag-sticky")


def _fleet() -> list[Row]:
    return [
        {
            "cluster": "eu",
            "group_id": f"g{group}",
            "snapshot_at": at(60 * snapshot),
            "topic": "t",
            "partition": partition,
            "log_end_offset": 100 * snapshot + partition,
            "committed_offset": group,
            "member_id": f"c{partition % 3}",
            "file": 0,
        }
        for group in range(7)
        for snapshot in range(3)
        for partition in (*range(group + 1), 0)  # partition 0 stands twice
    ]


def _frame(spark: SparkSession) -> DataFrame:
    columns = [*arrow_schema(TELEMETRY).names, "file"]
    ddl = f"{TELEMETRY}, file INT"
    rows = [tuple(row.get(name) for name in columns) for row in _fleet()]
    return spark.createDataFrame(rows, ddl)


def test_spark_finds_in_any_cut_what_one_replay_finds(spark: SparkSession) -> None:
    whole = replay(table(_fleet()), [STRATEGIES[name] for name in NAMES]).tables

    found = replayed(_frame(spark), NAMES, row_count=400_000)

    for name in ("partition_lag", "group_member", "member_load", "group_summary", "unused"):
        rows = table_of(found, name).toArrow().to_pylist()
        assert sorted(rows, key=str) == sorted(whole[name].to_pylist(), key=str)


def test_every_table_has_its_schema_even_without_rows(spark: SparkSession) -> None:
    found = replayed(_frame(spark).limit(0), NAMES, row_count=0)

    for name, ddl in REPLAYED.items():
        frame = table_of(found, name)
        assert frame.columns == arrow_schema(ddl).names
        assert frame.count() == 0
