"""The stream as people start it: killed anywhere and started again, it loses nothing."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from pipeline.__main__ import main
from tests.broker.kafka_jars import fetched
from tests.pipeline.streaming.test_micro_batch import (
    BY_DAY,
    FIRST,
    SECOND,
    THIRD,
    WITH_FILE,
    Row,
    published,
    replayed_at_once,
    snapshot,
)

ROOT = Path(__file__).resolve().parents[3]
WAIT_S = 240
FOURTH = snapshot(20, "aabc", 300)
CONNECTOR = """\
<ivy-module version="2.0">
  <info organisation="tests" module="connector"/>
  <configurations><conf name="default"/></configurations>
  <dependencies defaultconf="default->default">
    <dependency org="org.apache.spark" name="spark-sql-kafka-0-10_2.13" rev="4.2.0"
                transitive="false"/>
    <dependency org="org.apache.spark" name="spark-token-provider-kafka-0-10_2.13" rev="4.0.0"
                transitive="false"/>
    <dependency org="org.apache.kafka" name="kafka-clients" rev="3.9.2" transitive="false"/>
    <dependency org="org.apache.commons" name="commons-pool2" rev="2.13.1" transitive="false"/>
  </dependencies>
</ivy-module>
"""
"""Not every mirror of Maven Central has the connector of the newest Spark; these work with it."""


class Folder:
    """A folder in which whole files appear, as the collector leaves them."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        self.path = path
        self.options = ["--input", str(path)]

    def arrive(self, name: str, rows: Sequence[Row]) -> None:
        aside = self.path / f".{name}"
        schema = WITH_FILE.remove(WITH_FILE.get_field_index("file"))
        given = [dict.fromkeys(schema.names) | _telemetry(row) for row in rows]
        pq.write_table(pa.Table.from_pylist(given, schema), aside)
        aside.rename(self.path / f"{name}.parquet")


class Topic:
    """A topic of a running Kafka."""

    def __init__(self, servers: str) -> None:
        client: dict[str, str | int | float | bool] = {"bootstrap.servers": servers}
        self.name = "telemetry"
        admin = AdminClient(client)
        admin.create_topics([NewTopic(self.name, 2, 1)])[self.name].result(WAIT_S)
        self.producer = Producer(client)
        jars = ",".join(map(str, sorted(fetched("spark-connector-4.2.0", CONNECTOR).glob("*.jar"))))
        self.options = [
            *("--topic", self.name, "--bootstrap-server", servers),
            *("--packages", "none", "--jars", jars),
        ]

    def arrive(self, _name: str, rows: Sequence[Row]) -> None:
        """Have the rows in the topic at one instant, so that one batch takes them all."""
        for number, row in enumerate(rows):
            value = json.dumps(_telemetry(row), default=str)
            self.producer.produce(self.name, value.encode(), partition=number % 2)
        assert self.producer.flush(WAIT_S) == 0


def _telemetry(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "file"}


@pytest.fixture(params=["folder", pytest.param("topic", marks=pytest.mark.needs("broker"))])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Folder | Topic:
    if request.param == "folder":
        return Folder(tmp_path / "in")
    return Topic(request.getfixturevalue("kafka").bootstrap)


@contextmanager
def started(options: Sequence[str], out: Path) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(  # noqa: S603 -- our own program
        [
            *(sys.executable, "-m", "pipeline", "stream", "--master", "local[2]"),
            *options,
            *("--output", str(out), "--strategies", "range,sticky", "--trigger", "1s"),
        ],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                kill(process)


def line_with(process: "subprocess.Popen[str]", pattern: str) -> str:
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if re.search(pattern, line):
            return line
    message = f"no line with {pattern!r} in:\n{''.join(said)}"
    raise AssertionError(message)


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill the process and all it started, as the machine's power would."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(WAIT_S)


@pytest.mark.timeout(600)
def test_killed_within_a_batch_the_tables_become_those_of_an_undisturbed_run(
    source: Folder | Topic, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    source.arrive("first", SECOND + FIRST[:2])
    with started(source.options, out) as first:
        line_with(first, "^batch 0: 8 rows in so far")
        source.arrive("second", FIRST[2:] + THIRD)
        wait_for_version(out, 2)
        kill(first)

    with started(source.options, out) as second:
        line_with(second, ": 14 rows in so far; 8 settled, 6 pending, 0 rejected")
        source.arrive("third", FOURTH + THIRD[:1])
        last = line_with(second, ": 19 rows in so far")
        second.send_signal(signal.SIGTERM)
        line_with(second, "stopped")
        second.wait(WAIT_S)

    assert "12 settled, 6 pending, 1 rejected" in last
    for table in BY_DAY:
        everything = FIRST + SECOND + THIRD + FOURTH
        assert published(out, table) == replayed_at_once(everything, table)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (["--input", "{}"], "lies in --input"),
        (["--topic", "telemetry"], "--topic needs --bootstrap-server"),
    ],
)
def test_a_stream_that_cannot_be_is_refused_before_spark_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: list[str], told: str
) -> None:
    words = [word.format(tmp_path) for word in source]

    assert main(["stream", *words, "--output", str(tmp_path / "out")]) == 1
    assert told in capsys.readouterr().err


def wait_for_version(out: Path, versions: int) -> None:
    """Wait until the next version is being written."""
    until = time.monotonic() + WAIT_S
    while len(list((out / "_versions").iterdir())) < versions:
        assert time.monotonic() < until
        time.sleep(0.05)
