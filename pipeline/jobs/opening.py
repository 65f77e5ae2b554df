"""Spark and the tables of a command, opened together."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from deltalake.exceptions import DeltaError
from pyspark.sql import SparkSession

from pipeline.errors import PipelineError
from pipeline.ingest.files import SPARK_ERRORS, first_line
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.session import is_local, open_session, packages_for, storage_options
from pipeline.supervised import spark_log
from processes.sessions import is_supervised


@contextmanager
def tables_on_spark(
    options: Namespace, progress: Progress, *inputs: str, reads_kafka: bool = False
) -> Iterator[tuple[SparkSession, Lake]]:
    """Yield Spark, able to reach these locations, and the output's tables; finally stop Spark.

    Errors of Spark and of the tables' storage become PipelineErrors.
    """
    locations = [*inputs, options.output]
    try:
        with progress.stage("starting Spark"):
            with spark_log():
                spark = open_session(
                    options.master,
                    options.remote,
                    packages=packages_for(locations, reads_kafka=reads_kafka),
                    settings=_event_log(options) | dict(options.conf),
                )
            lake = Lake(options.output, storage_options(spark, options.output))
            lake.prepare()
        try:
            yield spark, lake
        finally:
            is_killed = is_supervised() and is_local(options.master, options.remote)
            if options.event_log or not is_killed:
                with suppress(*SPARK_ERRORS, OSError):  # Java may have ended
                    spark.stop()  # takes half a second; the supervisor kills every process anyway
    except (*SPARK_ERRORS, DeltaError, OSError) as error:
        message = f"the run failed: {first_line(error)}"
        raise PipelineError(message) from error


def _event_log(options: Namespace) -> dict[str, str]:
    """Return Spark's settings for an event log, if one is asked for; create a local folder."""
    log = options.event_log
    if not log:
        return {}
    if options.remote:
        message = "--event-log is for Spark started here; a Connect server keeps its own event log"
        raise PipelineError(message)
    if not urlsplit(log).scheme:
        Path(log).mkdir(parents=True, exist_ok=True)
        log = f"file://{Path(log).absolute()}"
    return {"spark.eventLog.enabled": "true", "spark.eventLog.dir": log}
