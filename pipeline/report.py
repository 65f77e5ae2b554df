"""What a run tells of itself, in ``run_report.json``."""

import platform
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline import __version__
from pipeline.errors import PipelineError

_MOST_REASONS: Final = 100


def check_account(account: Mapping[str, int]) -> None:
    """Raise PipelineError unless every row that came in was used, rejected or too early."""
    used, rejected, early = (account[f"rows_{what}"] for what in ("used", "rejected", "early"))
    if account["rows_in"] != used + rejected + early:
        message = (
            f"{account['rows_in']:,} rows came in, but {used:,} were used, {rejected:,} rejected "
            f"and {early:,} before --since: nothing is published; if the files did not change "
            "meanwhile, this is a mistake in this program, please report it"
        )
        raise PipelineError(message)


def rejected_by_reason(rejected: DataFrame) -> list[dict[str, Any]]:
    """Return the reasons with their rows, the most frequent first; null rows: not known."""
    reasons = rejected.groupBy("reason").agg(F.sum("rows").alias("rows"))
    listed = reasons.orderBy(F.desc_nulls_last("rows"), "reason").limit(_MOST_REASONS)
    return [row.asDict() for row in listed.collect()]


def window(summary: DataFrame) -> dict[str, str | None]:
    """Return the first and the last snapshot, UTC."""
    at = F.col("snapshot_at")
    ends = (F.min(at).alias("start"), F.max(at).alias("end"))
    shown = summary.agg(*ends).select(
        *(
            F.date_format(name, "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").alias(name)
            for name in ("start", "end")
        )
    )
    found: dict[str, str | None] = shown.collect()[0].asDict()
    return found


def versions(spark: SparkSession) -> dict[str, str]:
    """Return what the figures were made with."""
    java = spark.sql(
        "SELECT java_method('java.lang.System', 'getProperty', 'java.version') AS java"
    )
    return {
        "kafka-assignments": __version__,
        "python": platform.python_version(),
        "java": java.collect()[0]["java"],
        "spark": spark.version,
        "pyspark": pyspark.__version__,
        "numpy": np.__version__,
        "pyarrow": pa.__version__,
    }
