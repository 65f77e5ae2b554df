"""Read telemetry as it arrives in a folder or a Kafka topic; update the tables exactly once.

Stop it at any time; the next start continues from there. For schedulers, --available-now processes
what has arrived since the last start and ends.
"""

import json
import re
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from threading import Event
from typing import Any, Final

from deltalake.exceptions import DeltaError
from pyspark.errors import PySparkException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it
from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from evaluation.judging import JudgeBy
from live.properties import parse_properties
from pipeline.backlog import Backlog, plain
from pipeline.batches import MicroBatch
from pipeline.conflicts import started_over
from pipeline.errors import PipelineError
from pipeline.ingest.files import SPARK_ERRORS, InputFile, check_links, first_line
from pipeline.ingest.rows import rows_in_json, with_rows_of
from pipeline.jobs.opening import tables_on_spark
from pipeline.jobs.options import check_apart, in_order
from pipeline.known import known_files
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.session import carried

CHECKPOINT: Final = "_stream"
"""Spark's checkpoint of what it has read of each source, below the output."""
_LATE: Final = "Python worker failed to connect back"
"""A Connect server gives the Python of a new query ten seconds, which no setting changes."""
_STARTS: Final = 6
_REPORTED_WITHIN_S: Final = 10
_OWN_ERROR: Final = re.compile(r"\b(?:PipelineError|ConflictError): (.+)")
"""Of what Spark returns, the sentence of an error of ours in a batch."""
_FAILURES: Final = (*SPARK_ERRORS, DeltaError, OSError)
"""What a batch raises that cannot be read or written."""
_ANY_AGE: Final = "36500d"
"""Spark would leave out, unsaid, what was modified 7 days before the newest file or earlier."""
_FILE: Final = "path STRING, modificationTime TIMESTAMP, length BIGINT, content BINARY"
"""The schema of Spark's binary files; reading only path and length loads no content."""


def main(options: Namespace) -> None:
    """Keep the tables current until stopped, or until all input is processed."""
    if options.topic and not options.bootstrap_server:
        message = "--topic needs --bootstrap-server: the cluster that has the topic"
        raise PipelineError(message)
    if options.input:
        check_apart([options.input], options.output)
        check_links([options.input])
    source, reads_kafka = options.input or "", bool(options.topic)
    with tables_on_spark(options, Progress(), source, reads_kafka=reads_kafka) as (spark, lake):
        Stream(spark, lake, options).run()


class _Reporter(StreamingQueryListener):
    """Writes what Spark reports of the query to stdout, one object per line."""

    def __init__(self) -> None:
        self.ended = Event()

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802 -- Spark's name
        """Report nothing: the first progress follows."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802 -- Spark's
        """Report a batch: rows, durations by step, offsets of the sources."""
        sys.stdout.write(json.dumps(json.loads(event.progress.json)) + "\n")
        sys.stdout.flush()

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802 -- Spark's name
        """Report nothing: nothing has arrived."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: ARG002, N802 -- Spark's
        """Note that nothing more is to report: the command itself says why it ends."""
        self.ended.set()


@dataclass(frozen=True)
class Publisher:
    """Publishes the batches of a query; Spark calls it here, or at the Connect server."""

    lake: Lake
    checkpoint: str
    """Of the query, below the output."""
    backlog: Backlog | None
    """Of the folder; None for a topic."""
    batch: Callable[..., MicroBatch]
    """Takes what differs between batches."""
    known: frozenset[str] = frozenset()
    """Files that were in the tables before the query first started."""

    def __call__(self, arrived: DataFrame, number: int) -> None:
        """Publish a batch, unless it is published already."""
        try:
            row = started_over(lambda: self._attempted(arrived, number))
        except _FAILURES as error:
            message = f"batch {number} was not published: {first_line(error)}"
            raise PipelineError(message) from error
        _say(f"batch {number}: {_counts(row)}" if row else f"batch {number} was published before")

    def _attempted(self, arrived: DataFrame, number: int) -> dict[str, Any] | None:
        with self.lake.unless_overtaken(_FAILURES):
            return self._published(arrived, number)

    def _published(self, arrived: DataFrame, number: int) -> dict[str, Any] | None:
        """Publish a batch; return its row of ``runs``, or None if that is there already."""
        spark = arrived.sparkSession
        own = {"query": self._query(), "number": number}
        batch = self.batch(spark=spark, progress=Progress(), **own)
        if self.backlog is None:
            origin = F.format_string("kafka:%s-%d@%d", "topic", "partition", "offset")
            text = F.coalesce(F.decode("value", "UTF-8"), F.lit(""))
            records = arrived.select(origin.alias("file"), text.alias("raw"))
            return batch.publish(rows_in_json(records), 0)
        arriving = [InputFile(*row) for row in arrived.collect()]
        files = sorted(file for file in arriving if plain(file.path) not in self.known)
        if len(files) < len(arriving):
            _say(f"batch {number}: {len(arriving) - len(files):,} files are in the tables already")
        if not files:
            return batch.publish(None, 0)
        guess, waits = sum(file.rows for file in files), partial(self.backlog.remains, spark)
        return with_rows_of(
            spark, files, lambda rows: batch.publish(rows, guess, waits, files=len(files))
        )

    def _query(self) -> str:
        """Return the id that Spark gave the query at its first start."""
        with self.lake.files().open_input_stream(f"{self.checkpoint}/metadata") as file:
            return str(json.loads(file.read())["id"])


class Stream:
    """A query that publishes rows as they arrive."""

    def __init__(self, spark: SparkSession, lake: Lake, options: Namespace) -> None:
        self._spark, self._options = spark, options
        source = options.input or f"kafka:{options.topic}"
        checkpoint = f"{CHECKPOINT}/{sha256(source.encode()).hexdigest()[:16]}"
        batch = partial(
            MicroBatch,
            lake=lake,
            strategies=strategies_of(lake, options),
            judge_by=JudgeBy(options.judge_by or JudgeBy.LAG),
            lateness=options.lateness,
            window=options.window,
            source=source,
        )
        self._takes_what_is_there = bool(options.available_now or options.remote)
        most = None if self._takes_what_is_there else options.files_per_batch
        backlog = None if options.topic else Backlog(lake, checkpoint, options.input, most)
        known = frozenset[str]() if options.topic else known_files(lake, checkpoint)
        self._publisher = Publisher(lake, checkpoint, backlog, batch, known)
        self._checkpoint = lake.address(checkpoint)
        self._reporter = _Reporter() if options.progress == "json" else None

    def run(self) -> None:
        """Run to the end; raise PipelineError if a batch could not be published.

        A query on a Connect server would outlive this process, so each takes only what is there.
        """
        if self._reporter:
            self._spark.streams.addListener(self._reporter)
        try:
            self._start().awaitTermination()
            while self._options.remote and not self._options.available_now:
                time.sleep(self._options.trigger.total_seconds())
                self._start().awaitTermination()
            if self._reporter:
                self._reporter.ended.wait(_REPORTED_WITHIN_S)
        except StreamingQueryException as error:
            own = _OWN_ERROR.findall(str(error))
            message = own[-1] if own else f"the stream ended: {first_line(error)}"
            raise PipelineError(message) from error
        _say("all input is processed")

    def _start(self) -> StreamingQuery:
        options, publisher = self._options, self._publisher
        if publisher.backlog:
            publisher.backlog.find(self._spark)  # before Spark does: it will read at least these
        arriving = self._files() if options.input else self._records()
        publish = carried(publisher) if options.remote else publisher
        writer = arriving.writeStream.foreachBatch(publish)
        writer = writer.option("checkpointLocation", self._checkpoint)
        if self._takes_what_is_there:
            return start_query(writer.trigger(availableNow=True))
        interval = f"{options.trigger.total_seconds():g} seconds"
        return start_query(writer.trigger(processingTime=interval))

    def _files(self) -> DataFrame:
        """Return the stream of the names of files that arrive below a folder.

        Spark remembers the files it has seen; it skips names that begin with ``_`` or ``.``, by
        which writers hide incomplete files.
        """
        files = self._spark.readStream.format("binaryFile").schema(_FILE)
        most = self._options.files_per_batch
        files = files.options(
            recursiveFileLookup=True, maxFilesPerTrigger=most, maxFileAge=_ANY_AGE
        )
        return files.load(self._options.input).select("path", "length")

    def _records(self) -> DataFrame:
        """Return the stream of a topic's records, from its beginning."""
        options = self._options
        properties = parse_properties(options.kafka_properties or "")
        known = {
            "kafka.bootstrap.servers": options.bootstrap_server,
            "subscribe": options.topic,
            "startingOffsets": "earliest",
            "maxOffsetsPerTrigger": options.records_per_batch,
        } | {f"kafka.{name}": value for name, value in properties.items()}
        records = self._spark.readStream.format("kafka").options(**known).load()
        return records.select("topic", "partition", "offset", "value")


def strategies_of(lake: Lake, options: Namespace) -> tuple[str, ...]:
    """Return the strategies asked for, else those of the tables, with which a stream goes on."""
    newest = None if options.strategies else lake.latest()
    return in_order(options.strategies) if newest is None else tuple(newest["strategies"])


def start_query(writer: DataStreamWriter) -> StreamingQuery:
    """Start a query; again if its Python was too late, before which nothing has been read."""
    for _ in range(_STARTS - 1):
        try:
            return writer.start()
        except PySparkException as error:
            if _LATE not in str(error):
                raise
        _say("the server is busy: its Python did not start within ten seconds; starting again")
    return writer.start()


def _counts(row: dict[str, Any]) -> str:
    return (
        f"{row['rows_in']:,} rows so far: {row['rows_used'] - row['rows_pending']:,} replayed, "
        f"{row['rows_pending']:,} waiting for the watermark, {row['rows_rejected']:,} rejected"
    )


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
