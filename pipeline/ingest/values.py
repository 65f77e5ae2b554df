"""Convert values of another type than their column's, leniently; null if that fails."""

from calendar import timegm
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.ingest.limits import FIRST_YEAR, LAST_YEAR, NO_OFFSET

_EXACT: Final = 2**53
"""Whole numbers below this survive a float."""
_NO_FRACTION: Final = r"^\s*[+-]?[0-9]+\.0*\s*$"


def whole_number(text: Column) -> Column:
    """Return a BIGINT from digits, also with an empty fraction (pandas writes 12.0), never 1e3."""
    whole = F.split_part(text, F.lit("."), F.lit(1)).try_cast("bigint")
    is_whole = text.rlike(_NO_FRACTION) & (F.abs(whole) < _EXACT)
    return F.coalesce(text.try_cast("bigint"), F.when(is_whole, whole))


def without_exponent(number: Column) -> Column:
    """Return a float as text; whole numbers have no exponent, which Spark writes from 1E7 on."""
    whole = number.try_cast("bigint")
    is_whole = (number == whole) & (F.abs(number) < _EXACT)
    return F.when(is_whole, whole.cast("string")).otherwise(number.cast("string"))


def is_blank(text: Column) -> Column:
    """Return whether a text means no value: empty, blank, or a float's NaN."""
    return F.lower(F.trim(text)).isin("", "nan")


def offset(number: Column) -> Column:
    """Return an offset; null for the numbers that Kafka and librdkafka write for a missing one."""
    return F.when(~number.isin(*NO_OFFSET), number)


def is_no_offset(text: Column) -> Column:
    """Return whether a text means no offset."""
    return is_blank(text) | F.coalesce(whole_number(text).isin(*NO_OFFSET), F.lit(False))  # noqa: FBT003 -- no name


def moment(text: Column) -> Column:
    """Return a TIMESTAMP from ISO 8601 text, in UTC by default, or from an epoch number.

    Text must begin with a date, because Spark also takes ``now``, ``12:30`` and ``2024``.
    """
    written = F.when(F.substring(text, 5, 1) == "-", text.try_cast("timestamp"))
    return F.coalesce(written, epoch_moment(text.try_cast("bigint")), _float(text))


def epoch_moment(number: Column) -> Column:
    """Return a TIMESTAMP from seconds, milli-, micro- or nanoseconds since 1970.

    The unit is the one for which the year is within ``limits``; at most one is.
    """
    micros = F.when(_is_epoch(number, 1), number * F.lit(1_000_000))
    micros = micros.when(_is_epoch(number, 10**3), number * F.lit(1_000))
    micros = micros.when(_is_epoch(number, 10**6), number)
    micros = micros.when(_is_epoch(number, 10**9), F.call_function("div", number, F.lit(1_000)))
    return F.timestamp_micros(micros.cast("bigint"))


def reset(text: Column) -> Column:
    """Return a reset policy as Kafka writes it, such as ``latest`` and ``by_duration:PT1H``."""
    name, duration = (F.split_part(text, F.lit(":"), F.lit(place)) for place in (1, 2))
    with_duration = F.concat_ws(":", F.lower(name), F.upper(duration))
    policy = F.when(F.contains(text, F.lit(":")), with_duration).otherwise(F.lower(text))
    return F.nullif(policy, F.lit(""))


def topics(text: Column) -> Column:
    """Return topic names from a JSON array, nulls included, or separated by ``;`` or ``|``."""
    array = F.from_json(text, "array<string>")
    split = F.array_remove(F.split(F.trim(text), r"\s*[;|]\s*"), "")
    named = F.when(F.ltrim(text).startswith("["), array).otherwise(split)
    return F.when(~is_blank(text), named)


def _float(text: Column) -> Column:
    """Return a TIMESTAMP from seconds with a fraction, or an epoch number written 1.7E12."""
    number = text.try_cast("double")
    micros = F.when(_is_epoch(number, 1), number * 1e6)
    micros = micros.when(_is_epoch(number, 10**3), number * 1e3)
    return F.timestamp_micros(F.round(micros).try_cast("bigint"))


def _is_epoch(number: Column, per_second: int) -> Column:
    """Return whether a number in this unit is a time within the allowed years."""
    first, beyond = (timegm((year, 1, 1, 0, 0, 0)) for year in (FIRST_YEAR, LAST_YEAR + 1))
    return (number >= F.lit(first * per_second)) & (number < F.lit(beyond * per_second))
