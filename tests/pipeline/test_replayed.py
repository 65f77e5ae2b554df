from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from assignors.registry import STRATEGIES
from pipeline.carried import InHand, InSpark, Packets, collected
from pipeline.replay.replay import REPLAYED, WRITTEN, replay
from pipeline.replayed import CHAIN_TABLE, Task, replayed, table_of, tasks_for, told
from pipeline.row_packets import as_packets
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.replay.fleets import Row, at, table

NAMES = ("range", "lag-sticky")
BUCKETS = 5


def _fleet(snapshots: range = range(3)) -> list[Row]:
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
        for snapshot in snapshots
        for partition in (*range(group + 1), 0)  # partition 0 stands twice
    ]


def _frame(spark: SparkSession, fleet: list[Row]) -> DataFrame:
    columns = [*arrow_schema(TELEMETRY).names, "file"]
    rows = [tuple(row.get(name) for name in columns) for row in fleet]
    return spark.createDataFrame(rows, f"{TELEMETRY}, file INT")


def _replayed(spark: SparkSession, fleet: list[Row], task: Task, rows: int) -> Packets:
    packets = as_packets(_frame(spark, fleet), BUCKETS, shelves=task.shelves)
    if task.shelves:
        return replayed(InHand(spark, collected(packets)), BUCKETS, rows, task)
    return replayed(InSpark(packets), BUCKETS, rows, task)


def _sorted(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=str)


def _on_disk(folder: Path, name: str) -> Iterator[Row]:
    for file in (folder / name).rglob("*.parquet"):
        yield from pq.read_table(file).to_pylist()


def test_spark_finds_in_any_cut_what_one_replay_finds(spark: SparkSession) -> None:
    whole = replay(table(_fleet()), [STRATEGIES[name] for name in NAMES]).tables

    found = _replayed(spark, _fleet(), Task(NAMES), rows=600_000)

    for name in (*WRITTEN, "unused"):
        rows = table_of(found, name).toArrow().to_pylist()
        assert _sorted(rows) == _sorted(whole[name].to_pylist())


@pytest.mark.parametrize("shelves", [None, "shelves"], ids=["in Spark", "in hand"])
def test_workers_write_what_messages_would_have_told(
    spark: SparkSession, tmp_path: Path, shelves: str | None
) -> None:
    whole = replay(table(_fleet()), [STRATEGIES[name] for name in NAMES]).tables
    task = Task(NAMES, tmp_path / "tables", tmp_path / shelves if shelves else None)

    answers = _replayed(spark, _fleet(), task, rows=600_000)

    found = told(answers)
    assert found.counted["rows_used"] == 3 * 28
    unused = table_of(answers, "unused").toArrow().to_pylist()
    assert _sorted(unused) == _sorted(whole["unused"].to_pylist())
    for name in WRITTEN:
        expected = whole[name].drop_columns(["day"]).to_pylist()
        assert _sorted(list(_on_disk(tmp_path / "tables", name))) == _sorted(expected)
        assert sum(part.rows for part in found.parts if part.table == name) == len(expected)


def test_what_is_told_adds_up_over_all_tasks(spark: SparkSession) -> None:
    found = told(_replayed(spark, _fleet(), Task(NAMES), rows=600_000))

    assert found.counted["rows_used"] == 3 * 28
    assert found.counted["rows_rejected"] == 3 * 7
    assert (found.first, found.last) == (at(0), at(120))


def test_a_chain_goes_on_where_another_replay_stopped(spark: SparkSession) -> None:
    strategies = [STRATEGIES[name] for name in NAMES]
    whole = replay(table(_fleet()), strategies).tables["group_summary"].to_pylist()
    first = _replayed(spark, _fleet(range(2)), Task(NAMES, leaves_chain=True), rows=600_000)
    chain = as_packets(table_of(first, CHAIN_TABLE), BUCKETS, CHAIN_TABLE)

    rest = as_packets(_frame(spark, _fleet(range(2, 3))), BUCKETS).unionByName(chain)
    found = replayed(InSpark(rest), BUCKETS, 600_000, Task(NAMES))

    expected = [row for row in whole if row["snapshot_at"] == at(120)]
    assert _sorted(table_of(found, "group_summary").toArrow().to_pylist()) == _sorted(expected)


def test_every_table_has_its_schema_even_without_rows(spark: SparkSession) -> None:
    found = _replayed(spark, [], Task(NAMES), rows=0)

    for name, ddl in REPLAYED.items():
        frame = table_of(found, name)
        assert frame.columns == arrow_schema(ddl).names
        assert frame.count() == 0


def test_tasks_are_neither_many_for_few_rows_nor_large_for_many() -> None:
    assert [tasks_for(rows) for rows in (0, 4_999, 50_000, 3_000_000)] == [1, 1, 8, 30]
