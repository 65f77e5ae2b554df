"""The stream as users start it, from a folder and from a topic; killing it loses nothing."""

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from pipeline.batches import MicroBatch
from pipeline.errors import PipelineError
from pipeline.jobs.status import latest_of
from pipeline.jobs.stream import Publisher, Stream, start_query
from pipeline.jobs.stream_options import add_arguments
from pipeline.lake import Lake
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.lakes import SweptLake
from tests.pipeline.processes import PATIENCE_S, await_of, finished, kill, pipeline, started
from tests.pipeline.telemetry import STRATEGIES, rows_of_day, tables_in, write_parquet

Rows = Sequence[dict[str, Any]]


class Source(Protocol):
    """An input of telemetry."""

    options: list[str]

    def arrive(self, name: str, rows: Rows) -> None:
        """Deliver rows."""


class Folder:
    """A folder in which complete files appear, as from the collector."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        self.path = path
        self.options = ["--input", str(path)]

    def arrive(self, name: str, rows: Rows) -> None:
        aside = self.path / f".{name}"
        pq.write_table(pa.Table.from_pylist(list(rows), arrow_schema(TELEMETRY)), aside)
        aside.rename(self.path / f"{name}.parquet")


class Topic:
    """A topic of a running Kafka."""

    def __init__(self, servers: str) -> None:
        client: dict[str, str | int | float | bool] = {"bootstrap.servers": servers}
        self.name = "telemetry"
        admin = AdminClient(client)
        admin.create_topics([NewTopic(self.name, 2, 1)])[self.name].result(PATIENCE_S)
        self.producer = Producer(client | {"linger.ms": 1_000})  # all rows arrive together
        self.options = ["--topic", self.name, "--bootstrap-server", servers]

    def arrive(self, name: str, rows: Rows) -> None:
        assert name
        for row in rows:
            self.producer.produce(self.name, json.dumps(row, default=str).encode(), partition=0)
        assert self.producer.flush(PATIENCE_S) == 0


@pytest.mark.proof
def test_properties_that_cannot_be_read_are_named_before_spark_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = ArgumentParser()
    add_arguments(parser)

    with pytest.raises(SystemExit):
        parser.parse_args(["--topic", "t", "--output", "o", "--kafka-properties", "nowhere"])

    assert "nowhere cannot be read: No such file or directory" in capsys.readouterr().err


@pytest.mark.proof  # with a Spark of its own
def test_a_stream_reports_each_batch_and_keeps_spark_s_event_log(tmp_path: Path) -> None:
    source, events = Folder(tmp_path / "in"), tmp_path / "events"
    source.arrive("first", rows_of_day(1))
    words = pipeline("stream", *source.options, "--output", tmp_path / "out", "--available-now")
    words += ["--strategies", "range", "--master", "local[2]", "--progress", "json"]

    ended = finished([*words, "--event-log", str(events)])

    assert ended.returncode == 0, ended.stderr
    (batch,) = map(json.loads, ended.stdout.splitlines())
    assert (batch["batchId"], batch["durationMs"]["addBatch"] > 0) == (0, True)
    names = [place.name for place in events.glob("*/[!.]*")]
    assert any(name.startswith("events_") for name in names)
    assert not any(name.endswith(".inprogress") for name in names)  # it is complete


def test_a_batch_that_cannot_be_published_is_told_in_a_sentence(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = Lake(str(tmp_path))
    publisher = Publisher(lake, "nowhere", None, batch=MicroBatch)

    with pytest.raises(PipelineError, match=r"^batch 7 was not published: .*nowhere"):
        publisher(spark.createDataFrame([], "path STRING, length BIGINT"), 7)


def _streamed(
    spark: SparkSession, source: Path, output: Path | Lake, *words: str
) -> dict[str, Any]:
    """Process what has arrived, in this process; return the newest row of ``runs``."""
    parser = ArgumentParser()
    lake = Lake(str(output)) if isinstance(output, Path) else output
    add_arguments(parser)
    usual = ["--input", str(source), "--output", lake.output, "--strategies", *STRATEGIES]
    lake.prepare()
    Stream(spark, lake, parser.parse_args([*usual, "--available-now", *words])).run()
    return latest_of(lake)


def _files(folder: Path, modified_s: Sequence[float]) -> Path:
    """Write a file for each of these times of modification, with a snapshot of each hour."""
    source = Folder(folder)
    for hour, at in enumerate(modified_s):
        own = [row for row in rows_of_day(1 + hour // 3) if row["snapshot_at"].hour == hour % 3]
        source.arrive(f"{hour} 100%.day", own)  # Spark's log has the name encoded
        os.utime(folder / f"{hour} 100%.day.parquet", (at, at))
    return folder


@pytest.mark.proof
@pytest.mark.parametrize(
    ("step_s", "files"),
    [(60, "2"), (60, "1"), (0, "2"), (0, "1")],  # the last hour first; all at once, as cp -r does
)
def test_nothing_of_a_backlog_is_late_because_of_how_it_was_copied(
    spark: SparkSession,
    run: Callable[[Path, Path], Path],
    tmp_path: Path,
    step_s: float,
    files: str,
) -> None:
    source = _files(tmp_path / "in", [1.7e9 - step_s * hour for hour in range(6)])
    if not step_s:  # Spark takes those of one time by name
        for hour in (2, 1, 0):
            (source / f"{hour} 100%.day.parquet").rename(source / f"{9 - hour} 100%.day.parquet")

    row = _streamed(spark, source, tmp_path / "out", "--files-per-batch", files, "--lateness", "0s")

    expected, found = tables_in(run(source, tmp_path / "whole")), tables_in(tmp_path / "out")
    for table in ("telemetry", "rejected", "partition_lag", "member_load", "group_summary"):
        assert found[table] == expected[table], table
    assert (row["rows_rejected"], row["rows_pending"]) == (0, 0)


@pytest.mark.proof
def test_a_stream_goes_on_after_the_files_that_a_run_has_read(
    spark: SparkSession, run: Callable[[Path, Path], Path], tmp_path: Path
) -> None:
    source = _files(tmp_path / "in 100%", [time.time()] * 3)
    run(source, tmp_path / "out")
    write_parquet(tmp_path / "next", 2)
    (tmp_path / "next" / "2.parquet").rename(source / "2.parquet")
    rows = 2 * len(rows_of_day(1)) + 1

    found = [_streamed(spark, source, tmp_path / "out") for _ in range(2)]

    assert [(row["rows_in"], row["rows_rejected"]) for row in found] == [
        (rows, 1)
    ] * 2  # one is repeated


@pytest.mark.proof
def test_a_cluster_whose_files_come_a_day_later_loses_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    Folder(tmp_path / "in").arrive("0", rows_of_day(2))
    words = ("--files-per-batch", "1", "--lateness", "0s")
    _streamed(spark, tmp_path / "in", tmp_path / "out", *words)
    later = [{**row, "cluster": "later"} for row in rows_of_day(1)]
    beside = Folder(tmp_path / "beside")
    for hour in range(3):
        beside.arrive(f"{hour}", [row for row in later if row["snapshot_at"].hour == hour])

    for hour in range(3):
        (beside.path / f"{hour}.parquet").rename(tmp_path / "in" / f"{hour + 1}.parquet")
        row = _streamed(spark, tmp_path / "in", tmp_path / "out", *words)

    assert (row["rows_rejected"], row["rows_pending"]) == (0, 0)
    assert row["rows_in"] == 2 * len(later)


def test_a_file_is_read_however_old_it_is(spark: SparkSession, tmp_path: Path) -> None:
    source = _files(tmp_path / "in", [1.7e9, 1.7e9 - 8 * 86_400])
    old = source / "1 100%.day.parquet"
    aside = old.rename(tmp_path / old.name)
    _streamed(spark, source, tmp_path / "out")
    aside.rename(old)  # it comes after a newer one

    row = _streamed(spark, source, tmp_path / "out")

    assert row["rows_in"] == len(rows_of_day(1)) * 2 // 3


@pytest.mark.proof
def test_maintenance_that_removes_what_a_batch_was_to_read_does_not_end_the_stream(
    spark: SparkSession, tmp_path: Path
) -> None:
    source, words = _files(tmp_path / "in", [time.time()] * 3), ("--lateness", "0s")
    _streamed(spark, source, tmp_path / "out", *words)
    write_parquet(tmp_path / "next", 2)
    (tmp_path / "next" / "2.parquet").rename(source / "2.parquet")
    beside = SweptLake(str(tmp_path / "out"), moment="after telemetry is committed")

    row = _streamed(spark, source, beside, *words)

    assert not beside.due
    assert (row["rows_in"], row["rows_rejected"]) == (
        2 * len(rows_of_day(1)) + 1,
        1,
    )  # one is repeated


@pytest.fixture(
    params=[
        pytest.param("folder", marks=pytest.mark.deep),
        pytest.param("topic", marks=[pytest.mark.proof, pytest.mark.needs("broker")]),
    ]
)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Source:
    if request.param == "folder":
        return Folder(tmp_path / "in")
    return Topic(request.getfixturevalue("kafka").bootstrap)


def test_killed_within_a_batch_the_tables_become_those_of_one_run(
    source: Source, tmp_path: Path, run: Callable[[Path, Path], Path]
) -> None:
    output, rows = tmp_path / "out", [*rows_of_day(1), *rows_of_day(2), *rows_of_day(3)]
    words = pipeline("stream", *source.options, "--output", output, "--strategies", *STRATEGIES)
    words += ["--master", "local[2]", "--trigger", "1s"]
    lake = Lake(str(output))

    source.arrive("first", rows_of_day(1))
    with started(words) as process:
        await_of(process, lake.latest)
        before = lake.table("telemetry").version()
        source.arrive("second", rows_of_day(2))
        await_of(process, lambda: lake.table("telemetry").version() > before)  # the first one
        kill(process)
    assert latest_of(lake)["rows_in"] == len(rows_of_day(1))
    source.arrive("third", rows_of_day(3))
    with started(words) as process:
        await_of(process, lambda: latest_of(lake)["rows_in"] == len(rows))
        kill(process)

    whole = Folder(tmp_path / "whole")
    settled = [row for row in rows if row["snapshot_at"] != rows[-1]["snapshot_at"]]
    whole.arrive("all", settled)  # the last snapshot waits for the watermark
    expected = tables_in(run(whole.path, tmp_path / "expected"))
    found = tables_in(output)
    for table in ("partition_lag", "group_member", "member_load", "group_summary", "rejected"):
        assert found[table] == expected[table], table
    assert latest_of(lake)["rows_pending"] == len(rows) - len(settled)


class LateWriter(DataStreamWriter):
    """A writer whose server is too busy for its first queries, as a Connect server says it."""

    def __init__(self, late: int) -> None:
        self.late, self.started = late, 0

    def start(self, *_: object, **__: object) -> StreamingQuery:
        """Start a query, unless this is one of the late ones."""
        self.started += 1
        if self.started <= self.late:
            message = "(org.apache.spark.SparkException) Python worker failed to connect back."
            raise PySparkException(message)
        return StreamingQuery.__new__(StreamingQuery)


@pytest.mark.parametrize(("late", "starts"), [(0, 1), (2, 3), (5, 6)])
def test_a_query_whose_python_was_late_is_started_again(late: int, starts: int) -> None:
    writer = LateWriter(late)

    start_query(writer)

    assert writer.started == starts


def test_a_query_whose_python_is_always_late_is_given_up() -> None:
    with pytest.raises(PySparkException, match="connect back"):
        start_query(LateWriter(99))
