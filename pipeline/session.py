"""The Spark session: on this machine, on a cluster, or through Spark Connect."""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from pipeline.archive import Archive
from pipeline.java import Java, java_found
from pipeline.packets.workers import spare_imports
from pipeline.packing import ROOT, pack

LOCAL: Final = "local[*]"
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
"""A variable that is there where Spark has started this process."""

ONE_THREAD: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "ARROW_NUM_THREADS",
    "ARROW_IO_THREADS",
)
"""Spark starts a Python worker for each core; more threads in each would only be in the way."""

_SESSION: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.sources.partitionOverwriteMode": "dynamic",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.constraintPropagation.enabled": "false",  # takes minutes over long expressions
    "spark.sql.codegen.wholeStage": "false",  # half a second to plan; fails over long expressions
    "spark.sql.maxConcurrentOutputFileWriters": "40",  # days, without sorting by day first
}
"""What any session may be told, a remote one too."""

_LONG_METHODS: Final = "-XX:TieredStopAtLevel=1 -XX:-DontCompileHugeMethods"
"""Spark makes one long method of all the checks of a row; Java would interpret it, seven times
slower, for its length."""

_JAVA_OPTIONS: Final = "spark.driver.extraJavaOptions"

_START: Final = {
    "spark.app.name": "kafka-assignments",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    _JAVA_OPTIONS: _LONG_METHODS,
    "spark.executor.extraJavaOptions": _LONG_METHODS,
    **{f"spark.executorEnv.{name}": "1" for name in ONE_THREAD},
}
"""What must be known when Spark starts."""

_LOCAL: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.python.daemon.module": "pipeline.daemon",
    "spark.sql.shuffle.partitions": str(max(4, 2 * (os.cpu_count() or 1))),
}
"""On one machine nothing needs to be reached from outside."""


def open_session(
    master: str | None = None,
    remote: str | None = None,
    more: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return a session on the Connect server ``remote``, else on ``master``, else here.

    Under ``spark-submit`` Spark runs already, and knows its master and its code. Raises
    PipelineError where Spark would have to be started here and there is no Java for it.
    """
    if remote:
        return _with_code(_built(SparkSession.builder.remote(remote), _SESSION))
    if _SUBMITTED in os.environ:
        return _built(SparkSession.builder, _SESSION | _START)
    is_local = starts_here(master, remote)
    master = master or LOCAL
    java = java_found()
    _prepare_environment(java, is_local=is_local)
    settings = _SESSION | _START | (_local(java) if is_local else {}) | dict(more or {})
    session = _built(SparkSession.builder.master(master), settings)
    return session if is_local else _with_code(session)


def start_workers(spark: SparkSession) -> Thread:
    """Let Spark start its Python workers, which takes a while, as it lists and plans.

    Nothing depends on it: a cluster may start others later, and without one all is the same.
    Return the thread that waits for them; it ends with the session at the latest.
    """

    def imported(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        spare_imports()
        list(batches)
        yield from ()

    cores = os.cpu_count() or 1
    frame = spark.range(0, cores, 1, cores).mapInArrow(imported, "id BIGINT")
    waiting = Thread(target=_tried, args=(frame,), daemon=True)
    waiting.start()
    return waiting


def _tried(frame: DataFrame) -> None:
    """Run it, no row coming here: a thread that Arrow holds when Python ends aborts the process."""
    with suppress(Exception):  # the run itself will say what is wrong with Spark
        frame.write.format("noop").mode("overwrite").save()


def starts_here(master: str | None, remote: str | None) -> bool:
    """Tell whether ``open_session`` starts all of Spark on this machine."""
    is_local = (master or LOCAL).startswith("local")
    return is_local and not remote and _SUBMITTED not in os.environ


def local_archive(java: Java) -> Archive:
    """Return where the classes are kept that Spark on this machine reads when it starts."""
    settings = (_START[_JAVA_OPTIONS], _LOCAL["spark.driver.memory"])
    return Archive.of(java, settings)


def _local(java: Java) -> dict[str, str]:
    """Return what holds on one machine, with the classes of ``prepare`` if they are there."""
    options = " ".join([_START[_JAVA_OPTIONS], *local_archive(java).options()])
    return _LOCAL | {_JAVA_OPTIONS: options}


def _prepare_environment(java: Java, *, is_local: bool) -> None:
    """Say which Java starts, and which Python with which modules its workers start."""
    os.environ["JAVA_HOME"] = str(java.home)
    if is_local:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(filter(None, paths)))
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))


def _built(builder: SparkSession.Builder, settings: dict[str, str]) -> SparkSession:
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _with_code(session: SparkSession) -> SparkSession:
    """Send this code to the workers of a cluster, which do not have it.

    The file stays until this process ends, for workers that start later fetch it later.
    """
    folder = tempfile.mkdtemp(prefix="kafka-assignments-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    session.addArtifacts(str(pack(Path(folder, "pipeline.zip"))), pyfile=True)
    return session
