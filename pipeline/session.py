"""The Spark session: on this machine, on a cluster, or through Spark Connect."""

import os
import sys
from typing import Final

from pyspark.sql import SparkSession

from pipeline.java import java_home

LOCAL: Final = "local[*]"

_ONE_THREAD: Final = (
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
}
"""What any session may be told, a remote one too."""

_START: Final = {
    "spark.app.name": "kafka-assignments",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.sql.parquet.compression.codec": "zstd",
    **{f"spark.executorEnv.{name}": "1" for name in _ONE_THREAD},
}
"""What must be known when Spark starts."""

_LOCAL: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": str(max(4, 2 * (os.cpu_count() or 1))),
}
"""On one machine nothing needs to be reached from outside."""


def open_session(master: str | None = None, remote: str | None = None) -> SparkSession:
    """Return a session on the Connect server ``remote``, else on ``master``, else here.

    Under ``spark-submit`` Spark runs already and knows its master. Raises PipelineError where
    Spark would have to be started here and there is no Java for it.
    """
    if remote:
        return _with_settings(SparkSession.builder.remote(remote), _SESSION).getOrCreate()
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return _with_settings(SparkSession.builder, _SESSION | _START).getOrCreate()
    master = master or LOCAL
    is_local = master.startswith("local")
    _prepare_environment(is_local=is_local)
    settings = _SESSION | _START | (_LOCAL if is_local else {})
    return _with_settings(SparkSession.builder.master(master), settings).getOrCreate()


def _prepare_environment(*, is_local: bool) -> None:
    """Say which Java starts, and which Python its workers start."""
    os.environ["JAVA_HOME"] = str(java_home())
    if is_local:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))


def _with_settings(builder: SparkSession.Builder, settings: dict[str, str]) -> SparkSession.Builder:
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder
