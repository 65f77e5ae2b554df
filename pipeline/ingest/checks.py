"""The rules that a usable row obeys, each with a name and a reason as a sentence."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial, reduce
from operator import or_
from typing import Final, NamedTuple

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it

from assignors.offsets import RESETS
from pipeline.horizons import Horizons
from pipeline.ingest import limits
from pipeline.ingest.limits import FIRST_YEAR, LAST_YEAR, NEEDED, OFFSETS, PARTITIONS
from pipeline.ingest.values import is_blank, is_no_offset

NAMES: Final = (
    "cluster", "group_id", "topic", "member_id", "client_id", "host", "group_instance_id", "rack",
    "kind", "ownership",
)  # fmt: skip

_MOMENT: Final = (
    f"a date and time of the years {FIRST_YEAR} to {LAST_YEAR} (ISO 8601, or since 1970)"
)
EXPECTED: Final = {
    "snapshot_at": _MOMENT,
    "partition": f"a whole number from 0 to {PARTITIONS - 1:,}",
    **dict.fromkeys(OFFSETS, "a whole number"),
    "subscribed_topics": "a list of topics",
}
"""The columns whose text may be unreadable, and what is expected there."""


class Rule(NamedTuple):
    """One thing that makes a row unusable."""

    name: str
    """What is wrong, in a few words."""
    is_broken: Column
    """Over the columns of telemetry, ``broken`` and ``texts``; null means not broken."""
    reason: Callable[[], Column]
    """Built only where rows are rejected, because each part of it is a call to Java."""


def rules() -> list[Rule]:
    """Return every rule, in the order in which reasons are given.

    They read telemetry's columns; ``broken``, the fault of the line as a whole (null: none); and
    ``texts``, a struct with the text of each column that may have been unreadable.
    """
    line = Rule("malformed line", F.col("broken").isNotNull(), lambda: F.col("broken"))
    return [line, *_types(), *_presence(), *_placement(), *_amounts(), *_lengths()]


def late(horizons: Horizons) -> Rule:
    """Return the rule of a stream: snapshots up to the cluster's horizon have been replayed."""
    moment, own = F.col("snapshot_at"), F.timestamp_micros(F.lit(horizons.others))
    if horizons.clusters:
        pairs = (F.lit(each) for pair in horizons.clusters.items() for each in pair)
        known = F.timestamp_micros(F.try_element_at(F.create_map(*pairs), F.col("cluster")))
        own = F.coalesce(known, own)
    is_candidate = moment <= F.timestamp_micros(F.lit(horizons.furthest))
    expected = F.concat(F.lit("snapshot_at must be after the watermark "), own.cast("string"))
    return Rule("late", is_candidate & (moment <= own), _says(expected, moment))


def ahead(limit: Column) -> Rule:
    """Return the rule that snapshots are not of the future, which a wrong clock would make them."""
    moment = F.col("snapshot_at")
    expected = F.concat(F.lit("snapshot_at must not be ahead of the clock, "), limit.cast("string"))
    return Rule("ahead of the clock", moment > limit, _says(expected, moment))


def another_day(day: date) -> Rule:
    """Return the rule of a run that replaces a day: its rows are of that day."""
    moment = F.col("snapshot_at")
    says = _says(f"snapshot_at must be of the day that is replaced, {day}", moment)
    return Rule("another day", F.to_date(moment) != F.lit(day), says)


def is_unusable(broken: Sequence[Rule]) -> Column:
    """Tell whether a row breaks any rule."""
    return F.coalesce(reduce(or_, (rule.is_broken for rule in broken)), F.lit(False))  # noqa: FBT003 -- no keyword


def reason(broken: Sequence[Rule]) -> Column:
    """Return why a row is unusable, the first reason in order; null if it is usable."""
    return F.coalesce(*(F.when(rule.is_broken, rule.reason()) for rule in broken))


def _types() -> Iterator[Rule]:
    """Yield the rules that each value fits the type of its column."""
    for name, expected in EXPECTED.items():
        text = F.col("texts")[name]
        is_nothing = is_no_offset(text) if name in OFFSETS else is_blank(text)
        is_broken = F.col(name).isNull() & text.isNotNull() & ~is_nothing
        yield Rule(f"{name} unreadable", is_broken, _says(f"{name} must be {expected}", text))


def _presence() -> Iterator[Rule]:
    """Yield the rules that a row names its group and the time of its snapshot."""
    for name in NEEDED:
        yield Rule(f"{name} missing", F.col(name).isNull(), partial(F.lit, f"{name} is missing"))
    moment = F.col("snapshot_at")
    first, beyond = (F.lit(datetime(y, 1, 1, tzinfo=UTC)) for y in (FIRST_YEAR, LAST_YEAR + 1))
    is_far = (moment < first) | (moment >= beyond)
    yield Rule("snapshot_at out of range", is_far, _says(f"snapshot_at must be {_MOMENT}", moment))


def _placement() -> list[Rule]:
    """Return the rules that a row is about a partition, or a member without any."""
    topic, partition, member = F.col("topic"), F.col("partition"), F.col("member_id")
    no_topic, no_partition = topic.isNull(), partition.isNull()
    alone = _says("topic is missing for partition", partition)
    whole = _says("partition is missing for topic", topic)
    nothing = partial(F.lit, "topic, partition and member_id are all missing")
    range_ = _says(f"partition must be {EXPECTED['partition']}", partition)
    return [
        Rule("partition without topic", no_topic & ~no_partition, alone),
        Rule("topic without partition", no_partition & ~no_topic, whole),
        Rule("neither partition nor member", no_topic & member.isNull(), nothing),
        Rule("partition out of range", ~partition.between(0, PARTITIONS - 1), range_),
    ]


def _amounts() -> Iterator[Rule]:
    """Yield the rules that offsets are possible and the reset policy is one of Kafka's."""
    for name in OFFSETS:
        offset = F.col(name)
        yield Rule(f"{name} negative", offset < 0, _says(f"{name} must be 0 or more", offset))
    start, end = F.col("log_start_offset"), F.col("log_end_offset")
    least = F.concat(F.lit("log_end_offset must not be below log_start_offset "), start)
    yield Rule("log ends before it starts", end < start, _says(least, end))
    reset = F.col("auto_offset_reset")
    policies = "auto_offset_reset must be latest, earliest, none or like by_duration:PT1H"
    is_unknown = ~reset.isin(*RESETS) & ~reset.rlike(f"(?i)^{limits.BY_DURATION}$")
    yield Rule("auto_offset_reset unknown", is_unknown, _says(policies, reset))


def _lengths() -> Iterator[Rule]:
    """Yield the rules that names are no longer than Kafka's protocol lets them be."""
    most = dict.fromkeys(NAMES, limits.NAME_BYTES) | {"topic": limits.TOPIC_BYTES}
    for name, limit in most.items():
        says = _says(f"{name} must be at most {limit:,} bytes", F.col(name))
        yield Rule(f"{name} too long", F.octet_length(name) > limit, says)


def _says(expected: str | Column, value: Column) -> Callable[[], Column]:
    """Return a sentence with what was expected and, shortened, what was found."""

    def sentence() -> Column:
        start = F.lit(expected) if isinstance(expected, str) else expected
        text = value.cast("string")
        shortened = F.concat(F.substring(text, 1, limits.QUOTED_CHARACTERS), F.lit("…"))
        shown = F.when(F.length(text) > limits.QUOTED_CHARACTERS, shortened).otherwise(text)
        return F.concat(start, F.lit(", found "), shown)

    return sentence
