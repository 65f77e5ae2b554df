"""What a micro-batch names, as rows of telemetry and what cannot be used of them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import Row, SparkSession

from pipeline.streaming.arrivals import Arrived, from_folder, from_kafka
from tests.pipeline.reading.messy import line, table


def used(arrived: Arrived) -> list[tuple[str, int]]:
    return sorted((Path(row["file"]).name, row["partition"]) for row in arrived.rows.collect())


def rejected(arrived: Arrived) -> dict[str, Row]:
    return {Path(row["file"]).name: row for row in arrived.rejected.collect()}


def test_a_record_that_cannot_be_used_is_told_by_its_offset(spark: SparkSession) -> None:
    values = [line(3).encode(), b"garbage", None]  # the last deletes a key in a compacted topic
    records = [("orders", 1, 70 + n, value) for n, value in enumerate(values)]
    columns = "topic STRING, partition INT, offset BIGINT, value BINARY"

    arrived = from_kafka(spark.createDataFrame(records, columns))

    assert arrived.rows_in == 3
    assert used(arrived) == [("kafka:orders-1", 3)]
    found = rejected(arrived)
    assert {file: (row["raw"], row["rows"]) for file, row in found.items()} == {
        "kafka:orders-1@71": ("garbage", 1),
        "kafka:orders-1@72": ("", 1),
    }


@pytest.mark.parametrize("shelves", [None, "shelves"])
def test_a_file_that_is_damaged_or_gone_is_rejected_and_the_others_used(
    spark: SparkSession, tmp_path: Path, shelves: str | None
) -> None:
    (tmp_path / "[1].json").write_text(line(3) + "garbage\n")
    broken = tmp_path / "broken.parquet"
    pq.write_table(table(pa.array(range(500))), broken, compression="none")
    data = broken.read_bytes()
    broken.write_bytes(data[:4] + bytes(1000) + data[1004:])
    names = ["[1].json", "broken.parquet", "gone.parquet"]
    batch = spark.createDataFrame([(f"file:{tmp_path}/{name}",) for name in names], "path STRING")

    arrived = from_folder(batch, tmp_path / shelves if shelves else None)

    assert used(arrived) == [("[1].json", 3)]
    found = rejected(arrived)
    assert {file: row["rows"] for file, row in found.items()} == {
        "[1].json": 1,
        "broken.parquet": 500,
        "gone.parquet": None,
    }
    assert found["gone.parquet"]["reason"] == "the file went away before it was read"
    assert arrived.rows_in == 502


def test_files_that_are_all_gone_leave_a_batch_without_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    batch = spark.createDataFrame([(f"file:{tmp_path}/gone.json",)], "path STRING")

    arrived = from_folder(batch)

    assert (arrived.rows_in, used(arrived)) == (0, [])
    assert list(rejected(arrived)) == ["gone.json"]
