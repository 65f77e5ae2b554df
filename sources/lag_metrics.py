"""Which metric of which exporter says what about a consumer group."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from sources import cells
from sources.json_values import number, offset, partition
from sources.rows import Found, GroupKey, Row, StateRow, at_lines


class Sample(NamedTuple):
    """One value of one metric."""

    line: int
    metric: str
    labels: Mapping[str, str]
    value: str


class Says(Enum):
    """What a metric tells."""

    LAG = auto()
    COMMITTED = auto()
    BEGIN = auto()
    END = auto()
    MEMBERS = auto()
    EMPTY_MEMBERS = auto()


_LAG_EXPORTER: Final = "kafka-lag-exporter"
_KMINION: Final = "kminion"
_KAFKA_EXPORTER: Final = "kafka_exporter"
_METRICS: Final[dict[str, tuple[Says, str]]] = {
    "kafka_consumergroup_group_lag": (Says.LAG, _LAG_EXPORTER),
    "kafka_consumergroup_group_topic_sum_lag": (Says.LAG, _LAG_EXPORTER),
    "kafka_consumergroup_group_offset": (Says.COMMITTED, _LAG_EXPORTER),
    "kafka_partition_latest_offset": (Says.END, _LAG_EXPORTER),
    "kafka_partition_earliest_offset": (Says.BEGIN, _LAG_EXPORTER),
    "kminion_kafka_consumer_group_topic_partition_lag": (Says.LAG, _KMINION),
    "kminion_kafka_consumer_group_topic_lag": (Says.LAG, _KMINION),
    "kminion_kafka_topic_partition_high_water_mark": (Says.END, _KMINION),
    "kminion_kafka_topic_partition_low_water_mark": (Says.BEGIN, _KMINION),
    "kminion_kafka_consumer_group_members": (Says.MEMBERS, _KMINION),
    "kminion_kafka_consumer_group_empty_members": (Says.EMPTY_MEMBERS, _KMINION),
    "kafka_consumergroup_lag": (Says.LAG, _KAFKA_EXPORTER),
    "kafka_consumergroup_lag_sum": (Says.LAG, _KAFKA_EXPORTER),
    "kafka_consumergroup_current_offset": (Says.COMMITTED, _KAFKA_EXPORTER),
    "kafka_topic_partition_current_offset": (Says.END, _KAFKA_EXPORTER),
    "kafka_topic_partition_oldest_offset": (Says.BEGIN, _KAFKA_EXPORTER),
    "kafka_consumergroup_members": (Says.MEMBERS, _KAFKA_EXPORTER),
}
_LAG_ENDINGS: Final = ("_lag", "_lag_sum", "_sum_lag")
_GROUP: Final = ("group", "consumergroup", "group_id", "consumer_group", "group_name", "groupid")
_TOPIC: Final = ("topic", "topic_name")
_PARTITION: Final = ("partition", "partition_id")


_OWN: Final = (Says.LAG, Says.COMMITTED, Says.MEMBERS, Says.EMPTY_MEMBERS)
"""What is told of a group; the others tell of a partition, whoever reads it."""


class _Place(NamedTuple):
    group: str
    topic: str
    partition: int | None


class _Meant(NamedTuple):
    """A sample that tells something."""

    says: Says
    place: _Place
    sample: Sample


def found_in(samples: Iterable[Sample], format_: str) -> Found:
    """Return the rows and counts that samples tell of; ``used`` holds the lines of those.

    A sum over a topic's partitions counts only where no partition is told alone, and is
    then read as partition 0, with a note.
    """
    meant = [item for sample in samples if (item := _meant(sample)) is not None]
    found = Found(format_)
    offsets = _offsets(meant)
    lags = [item for item in meant if item.says == Says.LAG]
    alone = {item.place[:2] for item in lags if item.place.partition is not None}
    sums = [i for i in lags if i.place.partition is None and i.place[:2] not in alone]
    told = [item for item in lags if item.place.partition is not None] + sums
    places = {item.place for item in told}
    told += [i for i in meant if i.says == Says.COMMITTED and i.place not in places]
    found.rows = [_row(item, offsets) for item in sorted(told, key=lambda i: i.sample.line)]
    found.states = _counts(meant)
    topics = {row.topic for row in found.rows}
    counts = {id(item) for item in told}
    found.used = {
        item.sample.line
        for item in meant
        if id(item) in counts or (item.says != Says.LAG and item.place.topic in {"", *topics})
    }
    if sums:
        found.notes.append(
            f"{at_lines(item.sample.line for item in sums)}: a sum over the topic's partitions, "
            "read as partition 0"
        )
    return found


def exporter_of(samples: Iterable[Sample]) -> str:
    """Return the exporter whose metrics these are, "" if unknown."""
    return next((_METRICS[s.metric][1] for s in samples if s.metric in _METRICS), "")


def _meant(sample: Sample) -> _Meant | None:
    says = _METRICS[sample.metric][0] if sample.metric in _METRICS else None
    labels = sample.labels
    group, topic, place = (_label(labels, names) for names in (_GROUP, _TOPIC, _PARTITION))
    if says is None and topic and (not sample.metric or sample.metric.endswith(_LAG_ENDINGS)):
        says = Says.LAG
    if says is None or (says in _OWN and not group):
        return None
    if says not in {Says.MEMBERS, Says.EMPTY_MEMBERS} and not topic:
        return None
    number_ = partition(place)
    if (place and number_ is None) or (says == Says.COMMITTED and not place):
        return None
    return _Meant(says, _Place(group if says in _OWN else "", topic, number_), sample)


def _label(labels: Mapping[str, str], names: Sequence[str]) -> str:
    return next((labels[name].strip() for name in names if labels.get(name)), "")


def _offsets(meant: Iterable[_Meant]) -> dict[tuple[Says, _Place], int | None]:
    return {(item.says, item.place): offset(item.sample.value) for item in meant}


def _row(item: _Meant, offsets: Mapping[tuple[Says, _Place], int | None]) -> Row:
    labels, place = item.sample.labels, item.place
    anyone = place._replace(group="")
    committed = offsets.get((Says.COMMITTED, place))
    end = offsets.get((Says.END, anyone))
    lag = number(item.sample.value) if item.says == Says.LAG else None
    if item.says != Says.LAG and committed is not None and end is not None:
        lag = max(end - committed, 0)
    return Row(
        item.sample.line,
        GroupKey(place.group),
        place.topic,
        place.partition or 0,
        offsets.get((Says.BEGIN, anyone)),
        committed,
        end,
        lag,
        cells.member(labels.get("consumer_id", "")),
        host=labels.get("member_host", ""),
        client=labels.get("client_id", ""),
    )


def _counts(meant: Iterable[_Meant]) -> list[StateRow]:
    """Return how many members each group has, and how many of them without partitions."""
    found: dict[str, StateRow] = {}
    for says, place, sample in meant:
        if says not in {Says.MEMBERS, Says.EMPTY_MEMBERS}:
            continue
        row = found.get(place.group) or StateRow(sample.line, GroupKey(place.group))
        figure = offset(sample.value)
        found[place.group] = (
            row._replace(members=figure) if says == Says.MEMBERS else row._replace(idle=figure)
        )
    return list(found.values())
