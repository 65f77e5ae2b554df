"""What a run tells of itself, in ``run_report.json``."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
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


@dataclass(frozen=True)
class Reasons:
    """Why rows were rejected."""

    rows: int = 0
    """How many there are."""
    listed: Sequence[Mapping[str, Any]] = ()
    """``reason`` and ``rows``, the most frequent first; null rows: not known."""


def reasons_in(rejected: DataFrame) -> Reasons:
    """Add up the table ``rejected``."""
    reasons = rejected.groupBy("reason").agg(F.sum("rows").alias("rows"))
    listed = reasons.orderBy(F.desc_nulls_last("rows"), "reason").limit(_MOST_REASONS)
    total = rejected.agg(F.sum("rows").alias("rows")).collect()[0]["rows"]
    return Reasons(int(total or 0), [row.asDict() for row in listed.collect()])


def moment(at: datetime | None) -> str | None:
    """Return a time as the report writes it, UTC.

    >>> moment(datetime.fromisoformat("2026-03-01T02:00:00.000001+02:00"))
    '2026-03-01T00:00:00.000001Z'
    """
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else None


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
