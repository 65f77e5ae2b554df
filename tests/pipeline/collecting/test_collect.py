"""The collector as users start it, on a running broker."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer

import pyarrow.parquet as pq
import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from live.client_config import read_config
from live.cluster import connect
from live.errors import UnreachableError
from live.read_options import ReadOptions
from pipeline.collecting.collector import Poll
from pipeline.collecting.files import write_snapshot
from processes.signals import set_at_signals
from tests.broker.kafka_node import Cluster, running_cluster
from tests.live.fake_broker import broker

ROOT = Path(__file__).resolve().parents[3]
WAIT_S = 120

needs_broker = pytest.mark.needs("broker")
_LIMIT_S = 150


def commit(kafka: Cluster, topic: str, groups: list[str]) -> None:
    """Create a topic of two partitions, and groups that committed on the first."""
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap, "log_level": 0})
    admin.create_topics([NewTopic(topic, 2, 1)])[topic].result(WAIT_S)
    # A broker that has just created its offsets topic may lose the first commit.
    while missing := set(groups) - _known(admin):
        for group in sorted(missing):
            commits = ConsumerGroupTopicPartitions(group, [TopicPartition(topic, 0, 0)])
            admin.alter_consumer_group_offsets([commits])[group].result(WAIT_S)


def _known(admin: AdminClient) -> set[str]:
    return {group.group_id for group in admin.list_consumer_groups().result().valid}


@contextmanager
def collector(kafka: Cluster, out: Path, *more: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(  # noqa: S603 -- our own program
        [
            *(sys.executable, "-m", "pipeline", "collect", "--bootstrap-server", kafka.bootstrap),
            *("--out", str(out), "--interval", "1s", *more),
        ],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    limit = Timer(_LIMIT_S, process.kill)  # a missing line must fail only its own test
    limit.start()
    try:
        with process:
            yield process
    finally:
        limit.cancel()
        process.kill()


def line_with(process: "subprocess.Popen[str]", pattern: str) -> str:
    """Wait for a matching line of the collector's output."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if re.search(pattern, line):
            return line
    message = f"no line with {pattern!r} among {said}"
    raise AssertionError(message)


def snapshots(out: Path) -> list[Path]:
    return sorted(out.glob("*/offsets-*.parquet"))


@needs_broker
def test_chosen_groups_are_collected_under_the_cluster_s_own_id(
    kafka: Cluster, tmp_path: Path
) -> None:
    commit(kafka, "chosen", ["chosen-a", "chosen-b", "other"])

    with collector(
        kafka, tmp_path, "--group", "chosen-a", "chosen-b*", "--snapshots", "2"
    ) as process:
        status = process.wait(WAIT_S)

    assert status == 0
    first, second = (pq.read_table(file).to_pylist() for file in snapshots(tmp_path))
    assert [(r["group_id"], r["partition"], r["committed_offset"]) for r in first] == [
        ("chosen-a", 0, 0),
        ("chosen-a", 1, None),
        ("chosen-b", 0, 0),
        ("chosen-b", 1, None),
    ]
    assert {row["cluster"] for row in first} == {"a2Fma2EtYXNzaWdubWVudA"}
    assert first[0]["snapshot_at"] < second[0]["snapshot_at"]


@needs_broker
def test_a_group_has_one_time_for_all_its_rows(kafka: Cluster, tmp_path: Path) -> None:
    commit(kafka, "timed", ["timed-a", "timed-b"])

    wanted = ["--group", "timed-a", "timed-b", "--cluster", "eu", "--snapshots", "1"]
    with collector(kafka, tmp_path, *wanted) as process:
        process.wait(WAIT_S)

    (file,) = snapshots(tmp_path)
    rows = pq.read_table(file).to_pylist()
    assert len({(row["group_id"], row["snapshot_at"]) for row in rows}) == 2
    assert {row["cluster"] for row in rows} == {"eu"}


@needs_broker
def test_snapshots_left_out_by_slow_polls_do_not_count(kafka: Cluster, tmp_path: Path) -> None:
    commit(kafka, "slow", ["slow"])

    wanted = ["--group", "slow", "--interval", "0.001s", "--snapshots", "3"]
    with collector(kafka, tmp_path, *wanted) as process:
        line_with(process, "were left out")
        process.wait(WAIT_S)

    assert len(snapshots(tmp_path)) == 3


@pytest.mark.timeout(60)  # a deadlock, else
def test_a_signal_may_interrupt_the_wait_for_the_next_poll() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    stop = threading.Event()
    set_at_signals(stop)
    try:
        with stop._cond:  # type: ignore[attr-defined]  # as wait() holds it for a moment
            signal.raise_signal(signal.SIGTERM)
        assert stop.wait(WAIT_S)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@needs_broker
def test_sigterm_ends_it_cleanly(kafka: Cluster, tmp_path: Path) -> None:
    commit(kafka, "ended", ["ended"])

    with collector(kafka, tmp_path, "--group", "ended") as process:
        line_with(process, "1 groups, 2 rows")
        process.send_signal(signal.SIGTERM)
        line_with(process, "Stopped on request")
        status = process.wait(WAIT_S)

    assert status == 0
    assert all(pq.read_table(file).num_rows == 2 for file in snapshots(tmp_path))


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("mortal")) as kafka:
        yield kafka


@pytest.fixture
def to_be_killed(mortal: Cluster) -> Cluster:
    """A Kafka broker to kill."""
    if any(node.process is None for node in mortal.nodes):
        mortal.restart()
    return mortal


@needs_broker
@pytest.mark.proof
def test_a_broker_that_is_killed_and_restarted_costs_some_polls_only(
    to_be_killed: Cluster, tmp_path: Path
) -> None:
    kafka, out = to_be_killed, tmp_path / "out"
    commit(kafka, "orders", ["g"])
    with collector(kafka, out, "--group", "g", "--timeout", "3s") as process:
        line_with(process, "1 groups, 2 rows")
        kafka.kill()
        trouble = line_with(process, "No snapshot this time|ended early")
        kafka.restart()
        line_with(process, "1 groups, 2 rows")
        process.send_signal(signal.SIGTERM)

    assert kafka.bootstrap in trouble
    assert all(pq.read_table(file).num_rows == 2 for file in snapshots(out))


@needs_broker
@pytest.mark.proof
def test_groups_read_before_a_broker_died_are_kept(to_be_killed: Cluster, tmp_path: Path) -> None:
    names = [f"g{n:03d}" for n in range(150)]
    commit(to_be_killed, "many", names)
    config = read_config("", to_be_killed.bootstrap)
    with connect(config.properties) as cluster:
        poll = Poll(name="eu", wanted=names)
        batches = poll.batches(cluster)
        first = next(batches)
        to_be_killed.kill()
        cluster.read_options = ReadOptions(timeout_s=3)
        _, rows = write_snapshot(tmp_path, datetime.now(UTC), [first, *batches])

    assert isinstance(poll.error, UnreachableError)
    assert (poll.groups, rows) == (100, 200)


def started(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, "-m", "pipeline", "collect", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )


def test_a_missing_cluster_is_reported_immediately(tmp_path: Path) -> None:
    done = started("--bootstrap-server", "127.0.0.1:1", "--out", str(tmp_path), "--timeout", "2s")

    assert done.returncode == 1
    assert done.stderr.startswith("pipeline: ")
    assert "127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broker_that_crashes_the_client_costs_that_snapshot_only(tmp_path: Path) -> None:
    with broker([]) as (host, port):
        done = started(
            *("--bootstrap-server", f"{host}:{port}", "--out", str(tmp_path), "--interval", "0.1s"),
            *("--snapshots", "2"),
        )

    assert done.returncode == 0
    assert done.stderr.count("No snapshot this time: The Kafka client broke off") == 2
    assert not list(tmp_path.glob("*/.unfinished-*"))


def test_a_properties_file_that_is_missing_is_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "client.properties")

    done = started(
        *("--bootstrap-server", "127.0.0.1:1", "--out", str(tmp_path)),
        *("--command-config", missing),
    )

    assert done.returncode == 2
    assert f"{missing} cannot be read: No such file or directory" in done.stderr


def test_no_snapshots_at_all_are_refused(tmp_path: Path) -> None:
    done = started("--bootstrap-server", "127.0.0.1:1", "--out", str(tmp_path), "--snapshots", "0")

    assert done.returncode == 2
    assert "expected a whole number of at least 1, found '0'" in done.stderr


@pytest.mark.parametrize("time", ["fast", "0s", "-5s", "1w"])
def test_an_invalid_time_is_refused_with_an_example(tmp_path: Path, time: str) -> None:
    done = started(
        "--bootstrap-server", "127.0.0.1:1", "--out", str(tmp_path), f"--interval={time}"
    )

    assert done.returncode == 2
    assert "expected a time above 0, at most a day, like 30s, 2m, 1h or 1d, found" in done.stderr
