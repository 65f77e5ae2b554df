"""``python -m pipeline stream``: telemetry as it arrives, the tables kept current."""

import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final, TypeAlias

import msgspec
import pyspark
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from live.properties_text import pairs
from pipeline.errors import PipelineError
from pipeline.jobs.options import add_strategies, check_apart, in_order
from pipeline.session import open_session
from pipeline.streaming.arrivals import (
    Arrived,
    folder_stream,
    from_folder,
    from_kafka,
    kafka_stream,
)
from pipeline.streaming.micro_batch import Batch, Stream, publish_batch
from pipeline.streaming.state import StreamState

_CHECKPOINT: Final = ".stream"
_CONNECTOR: Final = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}"
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LOOK_EVERY_S: Final = 1
_Read: TypeAlias = Callable[[DataFrame, Path], Arrived]
"""What reads a micro-batch, with a folder for what must last as long."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add what can be asked for."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--input", metavar="DIR", help="a folder in which whole files of telemetry arrive"
    )
    source.add_argument("--topic", help="a Kafka topic whose values are telemetry, as JSON objects")
    parser.add_argument(
        "--bootstrap-server", metavar="HOST:PORT", help="of the cluster that has the topic"
    )
    parser.add_argument(
        "--kafka-properties", type=Path, metavar="FILE", help="Kafka's own properties: SASL, SSL"
    )
    parser.add_argument("--output", required=True, metavar="DIR", help="where the tables are")
    add_strategies(parser)
    parser.add_argument(
        "--lateness",
        type=_duration,
        default=timedelta(minutes=2),
        metavar="TIME",
        help="how late a snapshot may come after a later one of its group (default: 2m)",
    )
    parser.add_argument(
        "--window",
        type=_duration,
        default=timedelta(days=7),
        metavar="TIME",
        help="how far back recommendations look (default: 7d)",
    )
    parser.add_argument(
        "--trigger",
        type=_duration,
        default=timedelta(seconds=30),
        metavar="TIME",
        help="how often to look for what arrived (default: 30s)",
    )
    parser.add_argument("--once", action="store_true", help="take what is there, then end")
    parser.add_argument("--master", help="of a Spark cluster; default: this machine, local[*]")
    parser.add_argument(
        "--packages",
        default=_CONNECTOR,
        metavar="COORDINATES",
        help=f"Spark's connector for Kafka (default: {_CONNECTOR}); 'none' with --jars",
    )
    parser.add_argument("--jars", metavar="FILES", help="jars to add, separated by commas")


def main(arguments: Namespace) -> None:
    """Keep the tables current until stopped, or until all that is there is in them."""
    if arguments.topic and not arguments.bootstrap_server:
        message = "--topic needs --bootstrap-server: the cluster that has the topic"
        raise PipelineError(message)
    if arguments.input:
        check_apart([arguments.input], arguments.output)
    spark = open_session(arguments.master, more=_connector(arguments))
    try:
        _Job(spark, arguments).run()
    finally:
        with suppress(Exception):  # a Spark that is gone is stopped
            spark.stop()


class _Job:
    """A running stream, and why it ended."""

    def __init__(self, spark: SparkSession, options: Namespace) -> None:
        self._spark = spark
        self._options = options
        self._stream = Stream(
            output=options.output,
            strategies=tuple(in_order(options.strategies)),
            lateness=options.lateness,
            window=options.window,
        )
        self._checkpoint = Path(options.output).absolute() / _CHECKPOINT
        self._failure: PipelineError | None = None
        self._is_stopping = False

    def run(self) -> None:
        """Run until the end; raise PipelineError if a batch could not be published."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        query = self._started()
        try:
            while not query.awaitTermination(_LOOK_EVERY_S):
                if self._is_stopping:
                    query.stop()
        except StreamingQueryException as error:
            if not self._is_stopping:
                raise self._failure or PipelineError(_in_a_sentence(error)) from error
        _say("stopped; the tables hold all batches told of" if self._is_stopping else "all is in")

    def _started(self) -> StreamingQuery:
        options = self._options
        read: _Read = from_folder
        if options.input:
            batches = folder_stream(self._spark, options.input)
        else:
            properties = _properties(options.kafka_properties)
            servers = options.bootstrap_server
            batches = kafka_stream(self._spark, servers, options.topic, properties)
            read = _from_kafka
        writer = batches.writeStream.foreachBatch(self._publishing(read)).option(
            "checkpointLocation", f"file://{self._checkpoint}"
        )
        if options.once:
            return writer.trigger(availableNow=True).start()
        interval = f"{options.trigger.total_seconds():g} seconds"
        return writer.trigger(processingTime=interval).start()

    def _publishing(self, read: _Read) -> Callable[[DataFrame, int], None]:
        def publish(frame: DataFrame, number: int) -> None:
            batch = Batch(self._query(), number, partial(read, frame))
            try:
                state = publish_batch(frame.sparkSession, self._stream, batch)
            except PipelineError as error:
                self._failure = error  # Spark would hand back its text alone
                raise
            _say(f"batch {number}: {_account(state)}" if state else f"batch {number} is in already")

        return publish

    def _query(self) -> str:
        """Return the id that Spark gave the checkpoint."""
        metadata = (self._checkpoint / "metadata").read_bytes()
        return str(msgspec.json.decode(metadata)["id"])

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._is_stopping = True


def _from_kafka(batch: DataFrame, _shelves: Path) -> Arrived:
    return from_kafka(batch)


def _connector(options: Namespace) -> dict[str, str]:
    """Return the settings that bring Spark's connector for Kafka, where it is needed."""
    if not options.topic:
        return {}
    found = {} if options.packages == "none" else {"spark.jars.packages": options.packages}
    return found | ({"spark.jars": options.jars} if options.jars else {})


def _properties(file: Path | None) -> list[tuple[str, str]]:
    """Return the properties in a file, for Kafka's own client inside Spark."""
    if file is None:
        return []
    try:
        return list(pairs(file.read_text(encoding="utf-8")).items())
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise PipelineError(message) from error


def _account(state: StreamState) -> str:
    return (
        f"{state.rows_in:,} rows in so far; {state.rows_used:,} settled, "
        f"{state.rows_pending:,} pending, {state.rows_rejected:,} rejected"
    )


def _in_a_sentence(error: Exception) -> str:
    """Return the first line of what Spark says."""
    return f"the stream ended: {next(iter(str(error).splitlines()), type(error).__name__)}"


def _duration(text: str) -> timedelta:
    """Return a length of time.

    >>> [_duration(text).total_seconds() for text in ("30s", "2m", " 1h", "7d")]
    [30.0, 120.0, 3600.0, 604800.0]
    """
    number, unit = text.strip()[:-1], text.strip()[-1:]
    if not number.isdecimal() or unit not in _UNITS:
        message = f"expected a time like 30s, 2m, 1h or 7d, found {text!r}"
        raise ArgumentTypeError(message)
    return timedelta(seconds=int(number) * _UNITS[unit])


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
