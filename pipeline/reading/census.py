"""How many rows each file holds, counted apart from reading them, and which cannot be read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.frames import frame_of
from pipeline.reading.errors import SPARK_ERRORS, cause
from pipeline.reading.files import PATH, InputFile, opened


@dataclass(frozen=True)
class Count:
    """What was counted of a file."""

    file: InputFile
    rows: int
    damage: str | None = None
    """Why reading it breaks off, in Spark's words; null: it does not. ``rows`` is up to there."""


Counter = Callable[[Sequence[InputFile], bool], DataFrame]
"""Files, and whether to stop at damage silently, to a frame of ``PATH`` and ``rows``."""


def counts(files: Sequence[InputFile], counter: Counter) -> Iterator[Count]:
    """Count the rows of files, all at once; where one is damaged, halve until it stands alone."""
    if not files:
        return
    try:
        yield from _counted(files, counter(files, False))  # noqa: FBT003 - the only flag there is
    except SPARK_ERRORS as error:
        if len(files) > 1:
            half = len(files) // 2
            yield from counts(files[:half], counter)
            yield from counts(files[half:], counter)
        else:
            rows = sum(count.rows for count in _counted(files, counter(files, True)))  # noqa: FBT003
            yield Count(files[0], rows, cause(error))


def lines_counter(spark: SparkSession, headers: Mapping[str, str] | None = None) -> Counter:
    """Return what counts the lines of text files that are neither blank nor the file's header."""
    headers = headers or {}

    def count(files: Sequence[InputFile], is_lenient: bool) -> DataFrame:
        lines = opened(spark, files, is_lenient=is_lenient)
        own = [(file.encoded, headers[file.encoded]) for file in files if file.encoded in headers]
        if own:
            header_of = F.broadcast(frame_of(spark, f"{PATH} STRING, header STRING", own))
            is_header = F.col("value").eqNullSafe(F.col("header"))
            lines = lines.join(header_of, on=PATH, how="left").where(~is_header)
        return lines.groupBy(PATH).agg(F.count("*").alias("rows"))

    return count


def _counted(files: Sequence[InputFile], frame: DataFrame) -> list[Count]:
    """Collect a count for every file; those that Spark found nothing in have 0."""
    rows = {row[PATH]: row["rows"] for row in frame.collect()}
    return [Count(file, rows.get(file.encoded, 0)) for file in files]
