"""All telemetry of some paths judged row by row, whatever could be read in a quicker way."""

import datetime as dt
from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.frames import framed
from pipeline.reading.files import input_files
from pipeline.reading.telemetry import Telemetry, telemetry_of
from pipeline.reading.typed import COLUMNS
from schemas.tables import REJECTED


def judged(spark: SparkSession, paths: Sequence[str], since: dt.date | None = None) -> Telemetry:
    files = input_files(spark, paths)
    return telemetry_of(spark, files, files, since)


def usable(found: Telemetry) -> DataFrame:
    rows = found.checked.where(F.col("fault").isNull() & ~F.col("is_early"))
    return rows.select(*COLUMNS, "file")


def rejected(found: Telemetry) -> DataFrame:
    rows = found.checked.where(F.col("fault").isNotNull()).select(
        found.name_of(F.col("file")).alias("file"),
        F.col("fault").alias("reason"),
        "raw",
        F.lit(1).cast("bigint").alias("rows"),
    )
    return rows.unionByName(framed(found.checked.sparkSession, REJECTED, found.lost_files))


def tally(found: Telemetry) -> dict[str, int]:
    """Count rows used, rejected and before the first day wanted."""
    is_usable = F.col("fault").isNull()
    row = found.checked.agg(
        F.count_if(is_usable & ~F.col("is_early")).alias("used"),
        F.count_if(is_usable & F.col("is_early")).alias("before_since"),
        F.count_if(~is_usable).alias("rejected"),
    ).first()
    counts: dict[str, int] = {} if row is None else row.asDict()
    counts["rejected"] += sum(each.rows or 0 for each in found.lost)
    return counts
