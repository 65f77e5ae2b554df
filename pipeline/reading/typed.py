"""Parsed columns to the columns of telemetry, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.limits import OFFSETS, RAW_CHARACTERS
from pipeline.reading import values
from pipeline.reading.checks import NAMES, fault
from schemas.tables import columns
from schemas.telemetry import TELEMETRY

COLUMNS: Final = columns(TELEMETRY)
"""The columns of telemetry and their types."""


@dataclass(frozen=True)
class Parsed:
    """How the columns of a frame become telemetry; columns that it lacks are left out."""

    typed: Mapping[str, Column]
    """Columns in telemetry's types, null where that failed."""
    found: Mapping[str, Column]
    """The text of those that may have failed, null where it is not needed."""
    raw: Column
    """The row as it was."""
    broken: Column
    """What is wrong with the row as a whole; null: nothing."""


def checked(frame: DataFrame, others: Sequence[str], parsed: Parsed) -> DataFrame:
    """Return ``others``, the columns of telemetry, ``raw`` and ``fault`` (null: usable).

    In steps, so that Spark computes each column once: the rules look at columns that stand.
    """
    nothing = F.lit(None).cast("string")
    found = {name: parsed.found.get(name, nothing) for name in COLUMNS}
    rows = frame.select(
        *others,
        parsed.raw.alias("line"),
        parsed.broken.alias("broken"),
        F.struct(*(text.alias(name) for name, text in found.items())).alias("found"),
        *(_value(name, parsed.typed.get(name), found[name]).alias(name) for name in COLUMNS),
    )
    # Spark would copy a column's whole computation, its parse of the line many times over, into
    # any filter on it. It does not where chance has a part: rand() is below 1.
    once = F.when(F.rand(0) < 1, fault(F.col("broken"), F.col("found")))
    judged = rows.withColumn("fault", once)
    kept = F.when(F.col("fault").isNotNull(), _shown(F.col("line")))
    return judged.select(*others, *COLUMNS, kept.alias("raw"), "fault")


def _value(name: str, typed: Column | None, text: Column) -> Column:
    """Return a column of telemetry from what fitted its type, else from text."""
    if typed is None:
        value = F.lit(None).cast(COLUMNS[name])
    elif name in OFFSETS:
        value = values.offset(F.coalesce(typed, values.whole_number(text)))
    elif name == "partition":
        value = F.coalesce(typed, values.whole_number(text).try_cast("int"))
    elif name in NAMES:
        value = F.nullif(typed, F.lit(""))
    elif name == "auto_offset_reset":
        value = F.nullif(F.lower(typed), F.lit(""))
    elif name == "subscribed_topics":
        value = F.array_compact(F.coalesce(typed, values.topics(text)))
    else:
        value = typed
    return value


def _shown(line: Column) -> Column:
    """Return a rejected row as it was, as valid UTF-8 and not without end."""
    start = F.substring(F.make_valid_utf8(line), 1, RAW_CHARACTERS)
    return F.when(F.length(line) > RAW_CHARACTERS, F.concat(start, F.lit("…"))).otherwise(start)
