"""What arrives: the files of a folder or the records of a Kafka topic, as rows of telemetry."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline.early import Asked
from pipeline.frames import frame_of
from pipeline.packed import packed_telemetry
from pipeline.reading import ReadingError, with_telemetry
from pipeline.reading.files import input_files, literal
from pipeline.reading.typed import COLUMNS
from pipeline.replayed import tasks_for
from pipeline.row_packets import as_rows
from schemas.tables import REJECTED
from schemas.telemetry import TELEMETRY

_FILE: Final = "path STRING, modificationTime TIMESTAMP, length BIGINT, content BINARY"
"""What Spark knows of a file; of these only the path is asked for, so no content is read."""
_FILES_A_BATCH: Final = 1_000
_RECORDS_A_BATCH: Final = 2_000_000


@dataclass(frozen=True)
class Arrived:
    """The rows of one micro-batch."""

    rows: DataFrame
    """The usable ones: the columns of telemetry, and ``file``, its name."""
    rejected: DataFrame
    """The table ``rejected``."""
    rows_in: int
    """How many arrived, counted apart from the others."""


def folder_stream(spark: SparkSession, folder: str) -> DataFrame:
    """Return the stream of the files that arrive below a folder: their paths alone.

    Spark remembers which it has seen; it skips names that begin with ``_`` or ``.``, which is
    how writers hide files that are not whole yet. Contents are read by the same readers as a
    run's, so that a damaged file is a rejected row and not the end of the stream.
    """
    files = spark.readStream.format("binaryFile").schema(_FILE)
    files = files.options(recursiveFileLookup=True, maxFilesPerTrigger=_FILES_A_BATCH)
    return files.load(folder).select("path")


def from_folder(batch: DataFrame, shelves: Path | None = None) -> Arrived:
    """Return the telemetry in the files that a micro-batch names, read as a run reads it.

    ``shelves`` is a folder for what must last until all of it was used.
    """
    spark = batch.sparkSession
    paths = sorted(literal(row["path"]) for row in batch.collect())
    gone = _gone(spark, paths)
    reason = "the file went away before it was read"
    paths_lost = [(path, reason, None, None) for path in sorted(gone)]
    lost = frame_of(spark, REJECTED, paths_lost)
    left = [path for path in paths if path not in gone]
    if not left:
        return Arrived(frame_of(spark, f"{TELEMETRY}, file STRING", []), lost, 0)
    found = packed_telemetry(spark, Asked(left, shelves=shelves))
    rows = as_rows(found.packets, tasks_for(found.rows_in))
    named = rows.withColumn("file", found.judged.name_of(F.col("file")))
    return Arrived(named, found.rejected(found.unused()).unionByName(lost), found.rows_in)


def _gone(spark: SparkSession, paths: Sequence[str]) -> set[str]:
    """Return the paths that lead nowhere any more; one at a time only if it is not none."""
    if _is_there(spark, paths):
        return set()
    return {path for path in paths if not _is_there(spark, [path])}


def _is_there(spark: SparkSession, paths: Sequence[str]) -> bool:
    try:
        input_files(spark, paths)
    except ReadingError:
        return False
    return True


def kafka_stream(
    spark: SparkSession, servers: str, topic: str, properties: Sequence[tuple[str, str]] = ()
) -> DataFrame:
    """Return the stream of a topic's records, from its beginning, for ``from_kafka``."""
    records = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", servers)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", _RECORDS_A_BATCH)
        .options(**{f"kafka.{name}": value for name, value in properties})
    )
    return records.load().select("topic", "partition", "offset", "value")


def from_kafka(batch: DataFrame) -> Arrived:
    """Return the telemetry in a micro-batch of records, each one JSON object."""
    place = F.concat_ws("-", F.lit("kafka:"), "topic", "partition")
    lines = batch.select(
        F.regexp_replace(place, "^kafka:-", "kafka:").alias("file"),
        F.col("offset").alias("record_offset"),
        F.coalesce(F.decode("value", "UTF-8"), F.lit("")).alias("value"),
    )
    checked = with_telemetry(lines)
    rejected = checked.where(F.col("fault").isNotNull()).select(
        F.concat_ws("@", "file", "record_offset").alias("file"),
        F.col("fault").alias("reason"),
        "raw",
        F.lit(1).cast("bigint").alias("rows"),
    )
    usable = checked.where(F.col("fault").isNull()).select(*COLUMNS, "file")
    return Arrived(usable, rejected, batch.count())
