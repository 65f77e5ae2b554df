"""The metrics of lag exporters: which of them measure what of a consumer group."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from sources import cells
from sources.pastes.documents import number, offset, partition
from sources.pastes.parsed import GroupKey, Parsed, Row, StateRow, at_lines


class Sample(NamedTuple):
    """One value of one metric."""

    line: int
    metric: str
    labels: Mapping[str, str]
    value: str


class Figure(Enum):
    """What a metric measures."""

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
_METRICS: Final[dict[str, tuple[Figure, str]]] = {
    "kafka_consumergroup_group_lag": (Figure.LAG, _LAG_EXPORTER),
    "kafka_consumergroup_group_topic_sum_lag": (Figure.LAG, _LAG_EXPORTER),
    "kafka_consumergroup_group_offset": (Figure.COMMITTED, _LAG_EXPORTER),
    "kafka_partition_latest_offset": (Figure.END, _LAG_EXPORTER),
    "kafka_partition_earliest_offset": (Figure.BEGIN, _LAG_EXPORTER),
    "kminion_kafka_consumer_group_topic_partition_lag": (Figure.LAG, _KMINION),
    "kminion_kafka_consumer_group_topic_lag": (Figure.LAG, _KMINION),
    "kminion_kafka_topic_partition_high_water_mark": (Figure.END, _KMINION),
    "kminion_kafka_topic_partition_low_water_mark": (Figure.BEGIN, _KMINION),
    "kminion_kafka_consumer_group_info": (Figure.INFO, _KMINION),
    "kminion_kafka_consumer_group_members": (Figure.MEMBERS, _KMINION),
    "kminion_kafka_consumer_group_empty_members": (Figure.EMPTY_MEMBERS, _KMINION),
    "kafka_consumergroup_lag": (Figure.LAG, _KAFKA_EXPORTER),
    "kafka_consumergroup_lag_sum": (Figure.LAG, _KAFKA_EXPORTER),
    "kafka_consumergroup_current_offset": (Figure.COMMITTED, _KAFKA_EXPORTER),
    "kafka_topic_partition_current_offset": (Figure.END, _KAFKA_EXPORTER),
    "kafka_topic_partition_oldest_offset": (Figure.BEGIN, _KAFKA_EXPORTER),
    "kafka_consumergroup_members": (Figure.MEMBERS, _KAFKA_EXPORTER),
}
_LAG_ENDINGS: Final = ("_lag", "_lag_sum", "_sum_lag")
_GROUP: Final = ("group", "consumergroup", "group_id", "consumer_group", "group_name", "groupid")
_TOPIC: Final = ("topic", "topic_name")
_PARTITION: Final = ("partition", "partition_id")


_COUNTS: Final = (Figure.MEMBERS, Figure.EMPTY_MEMBERS, Figure.INFO)
_OWN: Final = (Figure.LAG, Figure.COMMITTED, *_COUNTS)
"""Measured for each group; the others are of a partition, whoever reads it."""


class _Place(NamedTuple):
    group: str
    topic: str
    partition: int | None


class _Measurement(NamedTuple):
    """A sample whose meaning is known."""

    figure: Figure
    place: _Place
    sample: Sample


def parsed_from(samples: Iterable[Sample], format_: str) -> Parsed:
    """Return the rows and counts in these samples; ``used`` holds the lines they are from.

    The sum of a topic counts only where the topic has no metric per partition, and is then
    read as partition 0, with a note.
    """
    measurements = [item for sample in samples if (item := _measurement(sample)) is not None]
    single, sums = _lags(measurements)
    places = {item.place for item in (*single, *sums)}
    only_committed = [
        i for i in measurements if i.figure == Figure.COMMITTED and i.place not in places
    ]
    used = sorted([*single, *sums, *only_committed], key=lambda item: item.sample.line)
    offsets = _offsets(measurements)
    parsed = Parsed(format_, [_row(item, offsets) for item in used], states=_counts(measurements))
    topics = {"", *(row.topic for row in parsed.rows)}
    parsed.used = {item.sample.line for item in used}
    parsed.used |= {
        i.sample.line for i in measurements if i.figure != Figure.LAG and i.place.topic in topics
    }
    if sums:
        parsed.notes.append(
            f"{at_lines(item.sample.line for item in sums)}: the lag is a sum over all "
            "partitions of the topic; it is read as partition 0."
        )
    return parsed


def _lags(measurements: Iterable[_Measurement]) -> tuple[list[_Measurement], list[_Measurement]]:
    """Return the lags of partitions, and the sums of topics without a lag per partition."""
    lags = [item for item in measurements if item.figure == Figure.LAG]
    single = [item for item in lags if item.place.partition is not None]
    topics = {item.place[:2] for item in single}
    sums = [i for i in lags if i.place.partition is None and i.place[:2] not in topics]
    return single, sums


def exporter_of(samples: Iterable[Sample]) -> str:
    """Return the exporter whose metrics these are, "" if unknown."""
    return next((_METRICS[s.metric][1] for s in samples if s.metric in _METRICS), "")


def _measurement(sample: Sample) -> _Measurement | None:
    figure_ = _METRICS[sample.metric][0] if sample.metric in _METRICS else None
    labels = sample.labels
    group, topic, place = (_label(labels, names) for names in (_GROUP, _TOPIC, _PARTITION))
    if figure_ is None and topic and (not sample.metric or sample.metric.endswith(_LAG_ENDINGS)):
        figure_ = Figure.LAG
    if figure_ is None or (figure_ in _OWN and not group):
        return None
    if figure_ not in _COUNTS and not topic:
        return None
    number_ = partition(place)
    if (place and number_ is None) or (figure_ == Figure.COMMITTED and not place):
        return None
    return _Measurement(figure_, _Place(group if figure_ in _OWN else "", topic, number_), sample)


def _label(labels: Mapping[str, str], names: Sequence[str]) -> str:
    return next((labels[name].strip() for name in names if labels.get(name)), "")


def _offsets(measurements: Iterable[_Measurement]) -> dict[tuple[Figure, _Place], int | None]:
    return {(item.figure, item.place): offset(item.sample.value) for item in measurements}


def _row(item: _Measurement, offsets: Mapping[tuple[Figure, _Place], int | None]) -> Row:
    labels, place = item.sample.labels, item.place
    anyone = place._replace(group="")
    committed = offsets.get((Figure.COMMITTED, place))
    end = offsets.get((Figure.END, anyone))
    lag = number(item.sample.value) if item.figure == Figure.LAG else None
    if item.figure != Figure.LAG and committed is not None and end is not None:
        lag = max(end - committed, 0)
    return Row(
        item.sample.line,
        GroupKey(place.group),
        place.topic,
        place.partition or 0,
        offsets.get((Figure.BEGIN, anyone)),
        committed,
        end,
        lag,
        cells.member(labels.get("consumer_id", "")),
        host=labels.get("member_host", ""),
        client=labels.get("client_id", ""),
    )


def _counts(measurements: Iterable[_Measurement]) -> list[StateRow]:
    """Return how many members each group has, how many of them idle, and its strategy."""
    parsed: dict[str, StateRow] = {}
    for figure_, place, sample in measurements:
        if figure_ in _COUNTS:
            row = parsed.get(place.group) or StateRow(sample.line, GroupKey(place.group))
            parsed[place.group] = row._replace(**_counted(figure_, sample))
    return list(parsed.values())


def _counted(figure_: Figure, sample: Sample) -> dict[str, Any]:
    figure = offset(sample.value)
    if figure_ == Figure.MEMBERS:
        return {"members": figure}
    if figure_ == Figure.EMPTY_MEMBERS:
        return {"idle": figure}
    count = offset(sample.labels.get("member_count"))
    used = {"strategy": cells.member(sample.labels.get("protocol", ""))}
    return used if count is None else used | {"members": count}
