"""Which metric of which exporter says what about a consumer group."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from sources.pastes import cells
from sources.pastes.json_documents import number, offset, partition
from sources.pastes.parsed import GroupKey, Parsed, Row, StateRow, at_lines


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
    INFO = auto()
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
    "kminion_kafka_consumer_group_info": (Says.INFO, _KMINION),
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


_COUNTS: Final = (Says.MEMBERS, Says.EMPTY_MEMBERS, Says.INFO)
_OWN: Final = (Says.LAG, Says.COMMITTED, *_COUNTS)
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


def found_in(samples: Iterable[Sample], format_: str) -> Parsed:
    """Return the rows and counts that samples tell of; ``used`` holds the lines of those.

    A sum over a topic's partitions counts only where no partition is told alone, and is
    then read as partition 0, with a note.
    """
    meant = [item for sample in samples if (item := _meant(sample)) is not None]
    alone, sums = _lags(meant)
    places = {item.place for item in (*alone, *sums)}
    only_committed = [i for i in meant if i.says == Says.COMMITTED and i.place not in places]
    told = sorted([*alone, *sums, *only_committed], key=lambda item: item.sample.line)
    offsets = _offsets(meant)
    parsed = Parsed(format_, [_row(item, offsets) for item in told], states=_counts(meant))
    topics = {"", *(row.topic for row in parsed.rows)}
    parsed.used = {item.sample.line for item in told}
    parsed.used |= {i.sample.line for i in meant if i.says != Says.LAG and i.place.topic in topics}
    if sums:
        parsed.notes.append(
            f"{at_lines(item.sample.line for item in sums)}: the lag is a sum over all "
            "partitions of the topic; it is read as partition 0."
        )
    return parsed


def _lags(meant: Iterable[_Meant]) -> tuple[list[_Meant], list[_Meant]]:
    """Return the lags of partitions, and the sums of topics no partition is told of."""
    lags = [item for item in meant if item.says == Says.LAG]
    alone = [item for item in lags if item.place.partition is not None]
    topics = {item.place[:2] for item in alone}
    sums = [i for i in lags if i.place.partition is None and i.place[:2] not in topics]
    return alone, sums


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
    if says not in _COUNTS and not topic:
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
    """Return how many members each group has, how many of them idle, and its strategy."""
    parsed: dict[str, StateRow] = {}
    for says, place, sample in meant:
        if says in _COUNTS:
            row = parsed.get(place.group) or StateRow(sample.line, GroupKey(place.group))
            parsed[place.group] = row._replace(**_told(says, sample))
    return list(parsed.values())


def _told(says: Says, sample: Sample) -> dict[str, Any]:
    figure = offset(sample.value)
    if says == Says.MEMBERS:
        return {"members": figure}
    if says == Says.EMPTY_MEMBERS:
        return {"idle": figure}
    count = offset(sample.labels.get("member_count"))
    told = {"strategy": cells.member(sample.labels.get("protocol", ""))}
    return told if count is None else told | {"members": count}
