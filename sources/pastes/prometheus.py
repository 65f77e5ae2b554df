"""Metrics of lag exporters, as text and API responses of Prometheus and Datadog."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from live.prometheus.exporters import METRICS, Meaning
from sources import cells
from sources.columns import Field
from sources.pastes.documents import number, objects_in, offset, partition
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, Parsed, Row, StateRow, at_lines, row_of
from sources.pastes.samples import (
    Sample,
    sample_in,
    samples_in_columns,
    samples_of,
    snapshots_by_time,
    snapshots_in,
)

FORMAT: Final = "Prometheus text"
JSON_FORMAT: Final = "Prometheus HTTP JSON"
DATADOG_FORMAT: Final = "Datadog JSON"
_LAG_ENDINGS: Final = ("_lag", "_lag_sum", "_sum_lag")
_CLIENTS_OWN: Final = "records_lag"
"""Suffix of a consumer's own metric, which has its client.id but not its group."""
_GROUP: Final = (
    *("group", "consumergroup", "group_id", "consumer_group", "group_name", "groupid", "groupId"),
    "consumer_group_id",
)
_TOPIC: Final = ("topic", "topic_name")
_CLUSTER: Final = ("cluster", "cluster_name", "kafka_cluster", "cluster_id", "kafka_cluster_id")
_PARTITION: Final = ("partition", "partition_id")
_COUNTS: Final = (Meaning.MEMBERS, Meaning.EMPTY_MEMBERS, Meaning.INFO)
_OF_GROUPS: Final = (Meaning.LAG, Meaning.AGE, Meaning.COMMITTED, *_COUNTS)
"""Measured per group; the others are per partition, independent of groups."""
_OLDEST_S: Final = 1e12
"""Beyond it, a time lag is none."""


class _Subject(NamedTuple):
    """What a sample tells of: a partition of a group, or a topic of it, or the group."""

    group: str
    topic: str
    partition: int | None
    cluster: str = ""
    """The cluster, if there are several."""


class _Measurement(NamedTuple):
    """A sample of a known metric."""

    figure: Meaning
    subject: _Subject
    sample: Sample


def read_prometheus(page: Page) -> Parsed:
    """Return the groups in the metrics of a text."""
    samples = [
        sample
        for line, text in enumerate(page.lines)
        if "{" in text and (sample := sample_in(line, text)) is not None
    ]
    columns = [] if samples else samples_in_columns(page.lines)
    samples += columns
    exporters = (METRICS[s.metric][1] for s in samples if s.metric in METRICS)
    exporter = next(exporters, "")
    parsed = _parsed_from_snapshots(
        snapshots_in(samples), f"{FORMAT} ({exporter})" if exporter else FORMAT
    )
    if parsed.has_groups:
        parsed.used |= {0} if columns else set()
        unread = {
            line
            for line, text in enumerate(page.lines)
            if "_lag{" in text and line not in parsed.used and not text.lstrip().startswith("#")
        } - {sample.line for sample in samples}
        parsed.note_unreadable("a lag metric", unread)
    return parsed


def _parsed_from_snapshots(snapshots: Sequence[Sequence[Sample]], format_: str) -> Parsed:
    """Return the last round, after the rows of the earlier ones."""
    parsed = _parsed_from(snapshots[-1], format_)
    earlier = [_parsed_from(samples, format_) for samples in snapshots[:-1]]
    parts = [*(part.rows for part in earlier), parsed.rows]
    times = [next((s.at_s for s in samples if s.at_s > 0), math.nan) for samples in snapshots]
    parsed.used = parsed.used.union(*(part.used for part in earlier))
    parsed.rows = [
        row._replace(snapshot=number, at_s=at_s)
        for number, (rows, at_s) in enumerate(zip(parts, times, strict=True))
        for row in rows
    ]
    return parsed


def read_prometheus_json(page: Page) -> Parsed:
    """Return the groups of instant and range queries; of a range, the last value counts."""
    samples: list[Sample] = []
    used: set[int] = set()
    for document in page.documents:
        before = len(samples)
        for item in objects_in(document.value):
            if "metric" in item:
                samples += samples_of(document.lines.start, item)
        if len(samples) > before:
            used.update(document.lines)
    is_datadog = any(sample.metric.startswith("kafka.") for sample in samples)
    format_ = DATADOG_FORMAT if is_datadog else JSON_FORMAT
    parsed = _parsed_from_snapshots(snapshots_by_time(samples), format_)
    parsed.used |= used
    return parsed


def _parsed_from(samples: Iterable[Sample], format_: str) -> Parsed:
    """Return the rows and counts in these samples, read from the lines ``used``.

    The sum of a topic counts only without metrics per partition, and is then read as partition 0,
    with a note.
    """
    measurements = [item for sample in samples if (item := _measurement(sample)) is not None]
    if len({item.subject.cluster for item in measurements if item.figure in _OF_GROUPS}) == 1:
        measurements = [m._replace(subject=m.subject._replace(cluster="")) for m in measurements]
    lags = [item for item in measurements if item.figure == Meaning.LAG]
    single = [item for item in lags if item.subject.partition is not None]
    topics = {item.subject._replace(partition=None) for item in single}
    sums = [i for i in lags if i.subject.partition is None and i.subject not in topics]
    subjects = {item.subject for item in (*single, *sums)}
    only_committed = [
        i for i in measurements if i.figure == Meaning.COMMITTED and i.subject not in subjects
    ]
    used = sorted([*single, *sums, *only_committed], key=lambda item: item.sample.line)
    offsets = {(item.figure, item.subject): offset(item.sample.value) for item in measurements}
    ages = {i.subject: _seconds(i.sample.value) for i in measurements if i.figure == Meaning.AGE}
    rows = [_row(item, offsets)._replace(age_s=ages.get(item.subject, math.nan)) for item in used]
    parsed = Parsed(format_, rows, states=_counts(measurements))
    parsed.used = {item.sample.line for item in used}
    shown = {"", *(row.topic for row in parsed.rows)}
    parsed.used |= {
        i.sample.line for i in measurements if i.figure != Meaning.LAG and i.subject.topic in shown
    }
    if sums:
        parsed.notes.append(
            f"{at_lines(item.sample.line for item in sums)}: the lag is a sum over all "
            "partitions of the topic; it is read as partition 0."
        )
    return parsed


def _measurement(sample: Sample) -> _Measurement | None:
    figure = METRICS[sample.metric][0] if sample.metric in METRICS else None
    group, topic, digits = (_label(sample, names) for names in (_GROUP, _TOPIC, _PARTITION))
    if figure is None and topic and (not sample.metric or sample.metric.endswith(_LAG_ENDINGS)):
        figure = Meaning.LAG
    is_of_client = sample.metric.endswith(_CLIENTS_OWN) and bool(digits)
    if figure is None or (figure in _OF_GROUPS and not (group or is_of_client)):
        return None
    if figure not in _COUNTS and not topic:
        return None
    number_ = partition(digits)
    if (digits and number_ is None) or (figure == Meaning.COMMITTED and not digits):
        return None
    group = group if figure in _OF_GROUPS else ""
    return _Measurement(figure, _Subject(group, topic, number_, _label(sample, _CLUSTER)), sample)


def _seconds(value: str) -> float:
    """Return a time lag; NaN where the exporter knows none."""
    try:
        seconds = float(value)
    except ValueError:
        return math.nan
    return seconds if 0 <= seconds <= _OLDEST_S else math.nan


def _label(sample: Sample, names: Sequence[str]) -> str:
    labels = sample.labels
    return next((labels[name].strip() for name in names if labels.get(name)), "")


def _row(item: _Measurement, offsets: Mapping[tuple[Meaning, _Subject], int | None]) -> Row:
    labels, subject = item.sample.labels, item.subject
    anyone = subject._replace(group="")
    figures = {
        Field.BEGIN: offsets.get((Meaning.BEGIN, anyone)),
        Field.COMMITTED: offsets.get((Meaning.COMMITTED, subject)),
        Field.END: offsets.get((Meaning.END, anyone)),
    }
    lag = number(item.sample.value) if item.figure == Meaning.LAG else None
    end = None if subject.partition is None else figures[Field.END]
    if lag and end and figures[Field.COMMITTED] is None and 0 < lag <= end:
        figures[Field.COMMITTED] = end - lag  # as exporters compute it
    stated: dict[Field, Any] = {
        field: value for field, value in figures.items() if value is not None
    }
    if item.figure == Meaning.LAG:
        stated[Field.LAG] = lag
    stated[Field.MEMBER] = cells.member(labels.get("consumer_id", "")) or _client(item.sample)
    stated |= {Field.HOST: labels.get("member_host"), Field.CLIENT: labels.get("client_id")}
    key = GroupKey(subject.group, subject.cluster)
    whole = subject.topic, subject.partition or 0
    return row_of(item.sample.line, key, whole, stated, lambda value: value)


def _client(sample: Sample) -> str:
    """Return the consumer that measured its own lag, else ""."""
    return sample.labels.get("client_id", "") if sample.metric.endswith(_CLIENTS_OWN) else ""


def _counts(measurements: Iterable[_Measurement]) -> list[StateRow]:
    """Return how many members each group has, and its strategy."""
    states: dict[GroupKey, StateRow] = {}
    for figure, subject, sample in measurements:
        if figure in _COUNTS:
            key = GroupKey(subject.group, subject.cluster)
            row = states.get(key) or StateRow(sample.line, key)
            states[key] = row._replace(**_counted(figure, sample))
    return list(states.values())


def _counted(figure: Meaning, sample: Sample) -> dict[str, Any]:
    if figure == Meaning.MEMBERS:
        return {"members": offset(sample.value)}
    if figure == Meaning.EMPTY_MEMBERS:
        return {}
    count = offset(sample.labels.get("member_count"))
    used = {"strategy": cells.member(sample.labels.get("protocol", ""))}
    return used if count is None else used | {"members": count}
