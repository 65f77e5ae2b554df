"""What makes a row unusable: one sentence, or null."""

from functools import reduce
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.limits import (
    FIRST_YEAR,
    FOUND_CHARACTERS,
    LAST_YEAR,
    NAME_BYTES,
    NEEDED,
    OFFSETS,
    PARTITIONS,
    RESETS,
    TOPIC_BYTES,
)
from pipeline.reading.values import is_blank, is_no_offset

NAMES: Final = (
    "cluster", "group_id", "topic", "member_id", "client_id", "host", "group_instance_id", "rack",
)  # fmt: skip

_MOMENT: Final = (
    f"a date and time of the years {FIRST_YEAR} to {LAST_YEAR} (ISO 8601, or since 1970)"
)
_EXPECTED: Final = {
    "snapshot_at": _MOMENT,
    "partition": f"a whole number from 0 to {PARTITIONS - 1:,}",
    **dict.fromkeys(OFFSETS, "a whole number"),
    "subscribed_topics": "a list of topics",
}
_Rule = tuple[Column, Column]


def fault(broken: Column, found: Column) -> Column:
    """Return why a row cannot be used, the first reason in order; null: it can.

    ``broken`` says what is wrong with the line as a whole (null: nothing). ``found`` is a
    struct of strings named like telemetry: what was found where a typed column came out null.
    """
    rules = [*_types(found), *_presence(), *_placement(), *_amounts(), *_lengths()]
    first = F.when(broken.isNotNull(), broken)
    return reduce(lambda chain, rule: chain.when(*rule), rules, first)


def _types(found: Column) -> list[_Rule]:
    """Return the rules that what was found fits the type of its column."""
    return [
        (
            F.col(name).isNull()
            & found[name].isNotNull()
            & ~(is_no_offset if name in OFFSETS else is_blank)(found[name]),
            _says(f"{name} must be {expected}", found[name]),
        )
        for name, expected in _EXPECTED.items()
    ]


def _presence() -> list[_Rule]:
    """Return the rules that a row says which group it speaks of, and when."""
    first, last = (
        F.make_timestamp(*(F.lit(part) for part in (year, 1, 1, 0, 0, 0)))
        for year in (FIRST_YEAR, LAST_YEAR + 1)
    )
    moment = F.col("snapshot_at")
    return [
        *((F.col(name).isNull(), F.lit(f"{name} is missing")) for name in NEEDED),
        ((moment < first) | (moment >= last), _says(f"snapshot_at must be {_MOMENT}", moment)),
    ]


def _placement() -> list[_Rule]:
    """Return the rules that a row is a partition, or else a member without partitions."""
    topic, partition, member = F.col("topic"), F.col("partition"), F.col("member_id")
    return [
        (
            topic.isNull() & partition.isNotNull(),
            _says("topic is missing for partition", partition),
        ),
        (partition.isNull() & topic.isNotNull(), _says("partition is missing for topic", topic)),
        (topic.isNull() & member.isNull(), F.lit("topic, partition and member_id are all missing")),
        (
            ~partition.between(0, PARTITIONS - 1),
            _says(f"partition must be {_EXPECTED['partition']}", partition),
        ),
    ]


def _amounts() -> list[_Rule]:
    """Return the rules that offsets are possible and the reset policy is one of Kafka's."""
    start, end = F.col("log_start_offset"), F.col("log_end_offset")
    reset = F.col("auto_offset_reset")
    return [
        *((F.col(name) < 0, _says(f"{name} must be 0 or more", F.col(name))) for name in OFFSETS),
        (
            end < start,
            _says(
                F.concat(F.lit("log_end_offset must not be below log_start_offset "), start), end
            ),
        ),
        (
            ~reset.isin(*RESETS),
            _says("auto_offset_reset must be latest, earliest or none", reset),
        ),
    ]


def _lengths() -> list[_Rule]:
    """Return the rules that names are no longer than Kafka's protocol lets them be."""
    limits = dict.fromkeys(NAMES, NAME_BYTES) | {"topic": TOPIC_BYTES}
    return [
        (
            F.octet_length(F.col(name)) > limit,
            _says(f"{name} must be at most {limit:,} bytes", F.col(name)),
        )
        for name, limit in limits.items()
    ]


def _says(expected: str | Column, found: Column) -> Column:
    """Return a sentence: what was expected, and what was found, shortened."""
    start = F.lit(expected) if isinstance(expected, str) else expected
    text = found.cast("string")
    shown = F.when(
        F.length(text) > FOUND_CHARACTERS,
        F.concat(F.substring(text, 1, FOUND_CHARACTERS), F.lit("…")),
    ).otherwise(text)
    return F.concat(start, F.lit(", found "), shown)
