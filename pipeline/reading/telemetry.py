"""Files of telemetry to checked rows, every row accounted for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.frames import arrow_table, frame_of
from pipeline.reading.files import PATH, InputFile, numbers_of
from pipeline.reading.parts import Lost, Part, csv_parts, json_parts, parquet_parts, unknown_parts
from pipeline.reading.text_rows import with_telemetry
from pipeline.reading.typed import COLUMNS
from schemas.tables import REJECTED
from schemas.telemetry import TELEMETRY


@dataclass(frozen=True)
class Telemetry:
    """What was read, as frames to be computed, and what is known before that."""

    checked: DataFrame
    """Every row: telemetry's columns, ``file`` (a number into ``files``), ``raw`` and ``fault``
    (null: usable), ``is_early`` (before ``since``; null where nobody knows)."""
    files: tuple[InputFile, ...]
    lost: tuple[Lost, ...]
    """Files that could not be read, or not to their end."""
    rows_in: int
    """Rows of all files, counted apart from ``checked``; those of ``lost`` where known."""
    notes: tuple[str, ...]
    """What a reader of the report should know: columns left out, empty files."""
    is_empty: bool
    """Whether ``checked`` is known to have no rows."""

    @property
    def lost_files(self) -> pa.Table:
        """The lost files, as the table ``rejected``."""
        lost = [(each.file.name, each.reason, None, each.rows) for each in self.lost]
        return arrow_table(REJECTED, lost)

    def name_of(self, number: Column) -> Column:
        """Return the name of the file with a number."""
        names = F.array(*(F.lit(file.name) for file in self.files))
        return F.element_at(names, number + 1)


def telemetry_of(
    spark: SparkSession,
    files: tuple[InputFile, ...],
    read: Sequence[InputFile],
    since: date | None = None,
    lines: DataFrame | None = None,
) -> Telemetry:
    """Return the telemetry in those of the files that are to be read.

    ``lines`` are rows of others of the files, as ``file`` (a number) and ``line`` (JSON);
    they are checked with the rest, and not counted in ``rows_in``.
    """
    parts = [
        *json_parts(spark, _of_kind(read, "json")),
        *csv_parts(spark, _of_kind(read, "csv")),
        *parquet_parts(spark, _of_kind(read, "parquet")),
        *unknown_parts(_of_kind(read, "unknown")),
    ]
    frames = list(_numbered(spark, parts, files))
    if lines is not None:
        frames.append(with_telemetry(lines, "line").select(*COLUMNS, "file", "raw", "fault"))
    checked = reduce(DataFrame.unionByName, frames) if frames else _nothing(spark)
    return Telemetry(
        checked=checked.withColumn("is_early", _is_early(since)),
        files=files,
        lost=tuple(lost for part in parts for lost in part.lost),
        rows_in=sum(part.rows + sum(lost.rows or 0 for lost in part.lost) for part in parts),
        notes=tuple(note for part in parts for note in part.notes),
        is_empty=not frames,
    )


def _of_kind(files: Sequence[InputFile], kind: str) -> list[InputFile]:
    """Return the files of a kind."""
    return [file for file in files if file.kind == kind]


def _is_early(since: date | None) -> Column:
    """Tell whether a row is from a day before the first one wanted."""
    if since is None:
        return F.lit(False)  # noqa: FBT003 - a value, not a flag
    return F.col("snapshot_at") < F.lit(since).cast("timestamp")


def _numbered(
    spark: SparkSession, parts: Sequence[Part], files: Sequence[InputFile]
) -> Iterator[DataFrame]:
    """Yield the rows of all parts in one frame, if there are any, with their file's number."""
    frames = [frame for part in parts for frame in part.frames]
    if frames:
        numbered = F.broadcast(numbers_of(spark, files))
        rows = reduce(DataFrame.unionByName, frames).join(numbered, on=PATH, how="inner")
        yield rows.select(*COLUMNS, "file", "raw", "fault")


def _nothing(spark: SparkSession) -> DataFrame:
    nothing = f"{TELEMETRY}, file INT, raw STRING, fault STRING"
    return frame_of(spark, nothing, [])
