"""The first lines of CSV files: which field is which column."""

import csv
from collections.abc import Sequence

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.reading.files import PATH, START, InputFile, opened

_TELLTALE = "group_id"
"""A column without which no row can be used: a first line without it is no header."""


def first_lines(spark: SparkSession, files: Sequence[InputFile]) -> dict[str, str]:
    """Return the header of each file that has one, as it stands there, by encoded name."""
    if not files:
        return {}
    lines = opened(spark, files, is_lenient=True).where(F.col(START) == 0)
    header = F.when(F.lower("value").contains(_TELLTALE), F.col("value")).alias("header")
    numbered = lines.select(PATH, header, F.monotonically_increasing_id().alias("place"))
    found = numbered.groupBy(PATH, "header").agg(F.min("place").alias("place"))
    first = {row[PATH]: row["header"] for row in found.orderBy(F.desc("place")).collect()}
    return {path: header for path, header in first.items() if header is not None}


def fields(header: str) -> tuple[str, ...]:
    """Return the names in a header, each once; a repeated or empty one gets a name of its own.

    >>> fields("Cluster, topic,topic,")
    ('cluster', 'topic', '_2', '_3')
    """
    names = [name.strip().lower() for name in next(csv.reader([header.lstrip("\ufeff")]))]
    return tuple(
        f"_{place}" if not name or name in names[:place] else name
        for place, name in enumerate(names)
    )
