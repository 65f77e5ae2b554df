"""The same run on a cluster and through Spark Connect, which know nothing but the packed code."""

import os
import re
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pyspark
import pytest

from pipeline.java import java_home
from pipeline.packing import pack
from tests.pipeline.processes import REPOSITORY, command, started
from tests.pipeline.telemetry import tables_in, write_parquet

_SPARK: Final = Path(pyspark.__file__).parent
_MASTER: Final = "org.apache.spark.deploy.master.Master"
_WORKER: Final = "org.apache.spark.deploy.worker.Worker"
_CONNECT: Final = "org.apache.spark.sql.connect.service.SparkConnectServer"
_HERE: Final = "127.0.0.1"
_PATIENCE_S: Final = 120


def _environ() -> Mapping[str, str]:
    """Return what Spark's own programs need to know, without the way to our code."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return given | {
        "JAVA_HOME": str(java_home()),
        "SPARK_HOME": str(_SPARK),
        "SPARK_LOCAL_IP": _HERE,
        "PYSPARK_PYTHON": sys.executable,
    }


@contextmanager
def _service(words: Sequence[str], folder: Path, says: str) -> Iterator[re.Match[str]]:
    """Start one of Spark's programs; yield once its log says so."""
    folder.mkdir(exist_ok=True)
    log = folder / f"{len(list(folder.iterdir()))}.log"
    shell = ["sh", "-c", 'exec "$@" 2> "$0"', str(log), *words]
    with started(shell, cwd=folder, environ=_environ()) as process:
        end = time.monotonic() + _PATIENCE_S
        while not (found := log.exists() and re.search(says, log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield found


@pytest.mark.timeout(600)  # several Javas start
def test_a_cluster_of_two_workers_makes_the_same_tables(
    tmp_path: Path, undisturbed: dict[str, list[str]]
) -> None:
    source, output = write_parquet(tmp_path / "in", 1, 2), tmp_path / "out"
    run = command(source, output)[3:]
    spark_class, logs = str(_SPARK / "bin" / "spark-class"), tmp_path / "logs"
    ports = ["--host", _HERE, "--port", "0", "--webui-port", "0"]
    with ExitStack() as stack:
        master = stack.enter_context(
            _service([spark_class, _MASTER, *ports], logs, r"master at (spark://\S+)")
        ).group(1)
        for number in ("1", "2"):
            size = ["--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / number)]
            worker = [spark_class, _WORKER, *ports, *size, master]
            stack.enter_context(_service(worker, logs, r"Successfully registered with master"))
        submit = [
            *[str(_SPARK / "bin" / "spark-submit"), "--master", master],
            *["--conf", "spark.executor.memory=640m", "--conf", "spark.driver.host=" + _HERE],
            *["--py-files", str(pack(tmp_path / "code.zip"))],
            *[str(REPOSITORY / "pipeline" / "__main__.py"), *run],
        ]

        with started(submit, cwd=tmp_path, environ=_environ()) as process:
            process.communicate()

    assert process.returncode == 0
    assert tables_in(output) == undisturbed
    assert all(list((tmp_path / number).glob("app-*/*")) for number in ("1", "2"))


@pytest.mark.timeout(600)  # several Javas start
def test_spark_connect_makes_the_same_tables(
    tmp_path: Path, undisturbed: dict[str, list[str]]
) -> None:
    source, output = write_parquet(tmp_path / "in", 1, 2), tmp_path / "out"
    with socket.socket() as free:
        free.bind((_HERE, 0))
        port = free.getsockname()[1]
    server = [
        *[str(_SPARK / "bin" / "spark-submit"), "--master", "local[2]", "--class", _CONNECT],
        *["--conf", f"spark.connect.grpc.binding.address={_HERE}"],
        *["--conf", f"spark.connect.grpc.binding.port={port}"],
        *["--conf", "spark.ui.enabled=false", "spark-internal"],
    ]
    with _service(server, tmp_path / "logs", r"Spark Connect server started at: (\S+)"):
        run = command(source, output, "--remote", f"sc://{_HERE}:{port}")
        with started(run) as process:
            process.communicate()

    assert process.returncode == 0
    assert tables_in(output) == undisturbed
