"""Parsed columns to the columns of telemetry, checked."""

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.reading import values
from pipeline.reading.checks import NAMES, OFFSETS, fault
from schemas.tables import columns
from schemas.telemetry import TELEMETRY

COLUMNS: Final = columns(TELEMETRY)
"""The columns of telemetry and their types."""

NOTHING_COMMITTED: Final = (-1, -1001)
"""Kafka's and librdkafka's numbers for an offset that is not there."""


def checked(
    frame: DataFrame,
    others: Sequence[str],
    typed: Mapping[str, Column],
    found: Mapping[str, Column],
    *,
    broken: Column,
    raw: Column,
) -> DataFrame:
    """Return ``others``, the columns of telemetry, ``raw`` and ``fault``.

    ``typed`` holds columns in telemetry's types, null where that failed; ``found`` the text of
    those that may have failed, null elsewhere. ``snapshot_at`` may come as text alone.
    """
    found = {name: found.get(name, F.lit(None).cast("string")) for name in COLUMNS}
    rows = frame.select(
        *others,
        raw.alias("line"),
        broken.alias("broken"),
        F.struct(*(text.alias(name) for name, text in found.items())).alias("found"),
        *(_value(name, typed.get(name), found[name]).alias(name) for name in COLUMNS),
    )
    judged = rows.withColumn("fault", fault(F.col("broken"), F.col("found")))
    kept = F.when(F.col("fault").isNotNull(), F.col("line"))
    return judged.select(*others, *COLUMNS, kept.alias("raw"), "fault")


def _value(name: str, typed: Column | None, text: Column) -> Column:
    """Return a column of telemetry from what fitted its type, else from text."""
    if typed is None:
        return F.lit(None).cast(COLUMNS[name])
    if name in OFFSETS:
        return _offset(F.coalesce(typed, values.whole_number(text)))
    if name == "partition":
        return F.coalesce(typed, values.whole_number(text).try_cast("int"))
    if name in NAMES:
        return F.nullif(typed, F.lit(""))
    if name == "auto_offset_reset":
        return F.nullif(F.lower(typed), F.lit(""))
    if name == "subscribed_topics":
        return F.array_compact(F.coalesce(typed, values.topics(text)))
    return typed


def _offset(number: Column) -> Column:
    """Return an offset, null for the numbers that say that there is none."""
    return F.when(~number.isin(*NOTHING_COMMITTED), number)
