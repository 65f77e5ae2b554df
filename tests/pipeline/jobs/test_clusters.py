"""The same tables from a cluster that shares only an object store, and through Connect."""

import os
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from signal import SIGTERM
from typing import Final

import boto3
import pyarrow.parquet as pq
import pyspark
import pytest
from deltalake.fs import DeltaStorageHandler
from pyarrow.fs import FileSystem, PyFileSystem

from benchmarks.dashboard import HOST, free_port
from pipeline.conflicts import ConflictError
from pipeline.java import java_home
from pipeline.jobs import run, run_options, stream, stream_options
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.packing import pack
from pipeline.session import EXCLUDED, S3
from tests.patience import await_
from tests.pipeline.hdfs import mini_dfs_jars
from tests.pipeline.lakes import added
from tests.pipeline.processes import (
    PATIENCE_S,
    REPOSITORY,
    await_of,
    finished,
    pipeline,
    started,
)
from tests.pipeline.telemetry import STRATEGIES, Tables, tables_in, write_parquet
from tests.pipeline.test_lake import RacedLake, raws, rejected

_SPARK: Final = Path(pyspark.__file__).parent
_MASTER: Final = "org.apache.spark.deploy.master.Master"
_WORKER: Final = "org.apache.spark.deploy.worker.Worker"
_CONNECT: Final = "org.apache.spark.sql.connect.service.SparkConnectServer"

pytestmark = pytest.mark.proof


@dataclass(frozen=True)
class Store:
    """A running S3 server with one bucket, ``fleet``."""

    url: str

    @property
    def settings(self) -> list[str]:
        """Spark's settings for it."""
        told = {
            "endpoint": self.url,
            "endpoint.region": "us-east-1",
            "access.key": "someone",
            "secret.key": "secret",
            "path.style.access": "true",
        }
        pairs = (f"spark.hadoop.fs.s3a.{name}={value}" for name, value in told.items())
        return [word for pair in pairs for word in ("--conf", pair)]

    @property
    def options(self) -> dict[str, str]:
        """The storage options of ``deltalake`` for it."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "someone",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_ALLOW_HTTP": "true",
        }

    def upload(self, folder: Path, key: str) -> str:
        """Copy the files of a folder; return their address."""
        client = boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id="someone",
            aws_secret_access_key="secret",  # noqa: S106 -- of this very server
        )
        client.create_bucket(Bucket="fleet")
        for file in folder.iterdir():
            client.upload_file(str(file), "fleet", f"{key}/{file.name}")
        return f"s3a://fleet/{key}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    port = str(free_port())
    words = [sys.executable, "-m", "moto.server", "-H", HOST, "-p", port]
    with _service(words, tmp_path_factory.mktemp("s3"), r"Running on (http://\S+)") as found:
        yield Store(found.group(1))


def test_a_cluster_of_two_workers_that_share_only_the_store_makes_the_same_tables(
    tmp_path: Path, store: Store, undisturbed: Tables
) -> None:
    source = store.upload(write_parquet(tmp_path / "in", 1, 2), "cluster-in")
    output = "s3a://fleet/cluster-out"
    spark_class, logs = str(_SPARK / "bin" / "spark-class"), tmp_path / "logs"
    ports = ["--host", HOST, "--port", "0", "--webui-port", "0"]
    with ExitStack() as stack:
        master = stack.enter_context(
            _service([spark_class, _MASTER, *ports], logs, r"master at (spark://\S+)")
        ).group(1)
        for number in ("1", "2"):
            size = ["--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / number)]
            worker = [spark_class, _WORKER, *ports, *size, master]
            stack.enter_context(_service(worker, logs, r"Successfully registered with master"))
        submit = [
            *[str(_SPARK / "bin" / "spark-submit"), "--master", master, *store.settings],
            *["--packages", S3, "--exclude-packages", EXCLUDED],
            *["--conf", "spark.executor.memory=640m", "--conf", f"spark.driver.host={HOST}"],
            *["--py-files", str(pack(tmp_path / "code.zip"))],
            *[str(REPOSITORY / "pipeline" / "__main__.py"), "run"],
            *["--input", source, "--output", output, "--strategies", *STRATEGIES],
        ]

        with started(submit, cwd=tmp_path, environ=_environ()) as process:
            _, said = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 0, said
    assert tables_in(output, store.options) == undisturbed
    assert all(list((tmp_path / number).glob("app-*/*")) for number in ("1", "2"))


def test_a_stream_reads_and_writes_an_object_store(
    tmp_path: Path, store: Store, undisturbed: Tables
) -> None:
    source = store.upload(write_parquet(tmp_path / "in", 1, 2), "stream-in")
    output = "s3a://fleet/stream-out"
    words = ["--strategies", *STRATEGIES, "--available-now", "--lateness", "0s", *store.settings]
    lake, seen = Lake(output, store.options), list[bool]()

    with started(pipeline("stream", "--input", source, "--output", output, *words)) as process:
        while process.poll() is None:
            time.sleep(0.3)  # reading continuously would take a processor from the stream
            is_published = lake.latest() is not None
            seen.append(not is_published or tables_in(output, store.options) == undisturbed)
        assert process.returncode == 0, process.communicate()

    assert tables_in(output, store.options) == undisturbed
    assert all(seen)


def test_of_two_concurrent_commits_to_an_object_store_one_is_refused(
    tmp_path: Path, store: Store
) -> None:
    store.upload(tmp_path, "nothing")
    lake = Lake("s3a://fleet/raced", store.options)
    lake.prepare()

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        added(RacedLake(lake.output, store.options), "rejected", rejected("ours"), after=0)

    assert raws(lake) == ["theirs"]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[str]:
    """The address of a running Connect server, a new one for each test and each second try."""
    port = free_port()
    settings = [
        f"spark.connect.grpc.binding.address={HOST}",
        f"spark.connect.grpc.binding.port={port}",
        "spark.ui.enabled=false",
    ]
    server = [
        *[str(_SPARK / "bin" / "spark-submit"), "--master", "local[2]", "--class", _CONNECT],
        *[word for setting in settings for word in ("--conf", setting)],
        "spark-internal",
    ]
    logs = tmp_path / "connect"
    logs.mkdir()
    with _service(server, logs, r"Spark Connect server started at: (\S+)"):
        yield f"sc://{HOST}:{port}"


def test_spark_connect_makes_the_same_tables(
    tmp_path: Path, connect: str, undisturbed: Tables
) -> None:
    source = write_parquet(tmp_path / "in", 1, 2)
    words = ["--input", source, "--remote", connect, "--strategies", *STRATEGIES]
    once = ["--available-now", "--lateness", "0s", "--progress", "json"]
    for command, own in (("run", []), ("stream", once), ("stream", once)):
        output = tmp_path / command
        ended = finished(pipeline(command, *words, *own, "--output", output))
        assert ended.returncode == 0, ended.stderr
        assert tables_in(output) == undisturbed
    others = [*words[: -len(STRATEGIES)], "range", *once]
    refused = finished(pipeline("stream", *others, "--output", tmp_path / "run"))

    assert ended.stdout == ""  # nothing had arrived for the second one
    assert "was replayed for" in refused.stderr


def test_a_stream_through_connect_takes_what_arrives_until_it_is_stopped(
    tmp_path: Path, connect: str, undisturbed: Tables
) -> None:
    source, output = write_parquet(tmp_path / "in", 1), tmp_path / "out"
    arriving, lake = write_parquet(tmp_path / "aside", 2) / "2.parquet", Lake(str(output))
    words = ["--input", source, "--remote", connect, "--strategies", *STRATEGIES]

    words += ["--output", output, "--lateness", "0s", "--trigger", "1s"]
    with started(pipeline("stream", *words)) as stream:
        await_of(stream, lake.latest)
        first = latest_of(lake)["rows_in"]
        arriving.rename(source / arriving.name)
        await_of(stream, lambda: latest_of(lake)["rows_in"] == 2 * first)
        stream.terminate()
        _, said = stream.communicate(timeout=PATIENCE_S)

    assert stream.returncode == 128 + SIGTERM, said
    found = tables_in(output)
    del found["checkpoint"]  # which has the states of both batches
    assert found == {name: undisturbed[name] for name in found}


@pytest.mark.usefixtures("spark")  # used by both jobs
def test_hdfs_takes_input_and_tables(
    tmp_path: Path, undisturbed: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAFKA_ASSIGNMENTS_PIPE", "0")  # commands leave Spark to their supervisor
    jars, port = f"{mini_dfs_jars()}/*:{_SPARK}/jars/*", free_port()
    manager = [
        *[str(java_home() / "bin" / "java"), "-cp", jars],
        *["org.apache.hadoop.test.MiniDFSClusterManager", "-format", "-datanodes", "1"],
        *["-nnport", str(port), "-httpport", str(free_port())],
        *["-D", f"hdfs.minidfs.basedir={tmp_path / 'blocks'}"],
    ]
    root = f"hdfs://{HOST}:{port}"
    with started(manager, cwd=tmp_path, environ=_environ()):
        source = f"{root}/in"
        write_parquet(tmp_path / "in", 1, 2)
        files = PyFileSystem(DeltaStorageHandler(source))
        for file in (tmp_path / "in").iterdir():
            await_(partial(_is_copied, files, file))
        words = ["--input", source, "--strategies", *STRATEGIES, "--master", "local[2]"]
        live = ["--available-now", "--lateness", "0s"]
        for job, options, own in ((run, run_options, []), (stream, stream_options, live)):
            output = f"{root}/{job.__name__}"
            parser = ArgumentParser()
            options.add_arguments(parser)

            job.main(parser.parse_args([*words, *own, "--output", output]))

            assert tables_in(output) == undisturbed


def _is_copied(files: FileSystem, file: Path) -> bool:
    """Copy a file as soon as the cluster is up."""
    try:
        with files.open_output_stream(file.name) as sink:
            pq.write_table(pq.read_table(file), sink)
    except OSError:
        return False
    return True


def _environ() -> Mapping[str, str]:
    """Return the environment of Spark's own programs, without our code on the path."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return given | {
        "JAVA_HOME": str(java_home()),
        "SPARK_HOME": str(_SPARK),
        "SPARK_LOCAL_IP": HOST,
        "PYSPARK_PYTHON": sys.executable,
    }


@contextmanager
def _service(words: Sequence[str], folder: Path, says: str) -> Iterator[re.Match[str]]:
    """Start a program; yield once its log matches."""
    folder.mkdir(exist_ok=True)
    log = folder / f"{len(list(folder.iterdir()))}.log"
    shell = ["sh", "-c", 'exec "$@" 2> "$0"', str(log), *words]
    with started(shell, cwd=folder, environ=_environ()) as process:
        end = time.monotonic() + PATIENCE_S
        while not (found := log.exists() and re.search(says, log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield found
