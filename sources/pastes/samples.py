"""Values of metrics with labels, in the formats of monitoring systems."""

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sources.pastes.documents import Json, below, name

_METRIC: Final = re.compile(r"(?<![\w:])([a-zA-Z_:][\w:]{0,199})?\{")
_LABEL: Final = re.compile(r'\s*(?:,\s*)?(\w+)\s*=~?\s*"((?:[^"\\]|\\.)*)"')
_VALUE: Final = re.compile(
    r"[\s,]*\}[\s|]*(?:=>\s*)?([-+]?(?:[\d.]+(?:[eE][-+]?\d+)?|NaN|Inf))(?![\w.])"
    r"(?:[ @]{1,3}(1\d{9}(?:\.\d{1,9})?|1\d{12})(?![\w.]))?"
)
"""The value with an optional time: in milliseconds, or after an @ in seconds."""
_SERIES: Final = re.compile(r"([\w:]*)\{(.*)\}")
_MILLISECONDS: Final = 1e11
"""Larger times are in milliseconds."""
_LATEST: Final = 1e14
_REDPANDA: Final = "redpanda_"


class Sample(NamedTuple):
    """One value of one metric."""

    line: int
    metric: str
    labels: Mapping[str, str]
    value: str
    at_s: float = math.nan
    """The time, if given."""

    @property
    def series(self) -> tuple[object, ...]:
        """The key of the series of this value."""
        return (self.metric, *sorted(self.labels.items()))


def sample_in(line: int, text: str) -> Sample | None:
    """Return the value in a line of Prometheus text, None if there is none.

    Labels may be in any order, end in a comma, and have spaces between them.
    """
    metric = _METRIC.search(text)
    if metric is None:
        return None
    labels: dict[str, str] = {}
    end = metric.end()
    while (label := _LABEL.match(text, end)) is not None:
        labels[label[1]] = label[2]
        end = label.end()
    value = _VALUE.match(text, end)
    if value is None or not labels:
        return None
    return _sample(line, metric[1] or "", labels, value[1], _seconds(float(value[2] or "nan")))


def samples_of(line: int, item: dict[str, Json]) -> list[Sample]:
    """Return the values of one series in a JSON response of Prometheus or Datadog."""
    named = name(item, "metric")
    tags = item.get("tags") or item.get("tag_set") or name(item, "scope").split(",")
    pairs = [str(tag).partition(":") for tag in (tags if isinstance(tags, list) else ())]
    texts = {key: text for key, _, text in pairs} if named else below(item, "metric")
    labels = {key: text for key, text in texts.items() if isinstance(text, str)}
    metric = labels.pop("__name__", named)
    values = item.get("values") or item.get("pointlist") or item.get("points")
    if not isinstance(values, list):
        value = item.get("value")
        values = [value[-1:]] if isinstance(value, list) else []
    return [
        _sample(line, metric, labels, str(each[-1]), _seconds(each[0] if len(each) > 1 else None))
        for each in values
        if isinstance(each, list) and each and (labels or metric)
    ]


def samples_in_columns(lines: Sequence[str]) -> list[Sample]:
    """Return the values of Grafana's CSV export: a column per series, a line per time."""
    if "{" not in lines[0] or '=""' not in lines[0]:
        return []
    try:
        head, *rows = csv.reader(lines)
    except csv.Error:
        return []
    series = [_SERIES.fullmatch(name.strip()) for name in head]
    return [
        _sample(line, match[1], dict(_LABEL.findall(match[2])), cell, math.nan)
        for line, row in enumerate(rows, start=1)
        for match, cell in zip(series, row, strict=False)
        if match and cell
    ]


def _sample(line: int, metric: str, labels: dict[str, str], value: str, at_s: float) -> Sample:
    """Return a sample; MBean exporters have the name of the metric in a label."""
    labels = {key.removeprefix(_REDPANDA): text for key, text in labels.items()}
    metric = labels.get("name", metric) if metric.endswith("_Value") else metric
    return Sample(line, metric, labels, value, at_s)


def _seconds(at: Json) -> float:
    """Return a time in seconds; NaN if it is invalid or out of range."""
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 < at < _LATEST:
        return math.nan
    return at / 1000 if at > _MILLISECONDS else float(at)


def snapshots_in(samples: Iterable[Sample]) -> list[list[Sample]]:
    """Split samples where a metric with the same labels repeats."""
    snapshots: list[list[Sample]] = [[]]
    seen: set[tuple[object, ...]] = set()
    for sample in samples:
        if sample.series in seen:
            snapshots.append([])
            seen.clear()
        snapshots[-1].append(sample)
        seen.add(sample.series)
    return snapshots


def snapshots_by_time(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Return the samples by time of a range; the last round has the newest of each series."""
    newest = {sample.series: sample for sample in samples}
    snapshots: dict[float, list[Sample]] = {}
    for sample in sorted(samples, key=lambda sample: sample.at_s):
        if sample is not newest[sample.series]:
            snapshots.setdefault(sample.at_s, []).append(sample)
    return [*snapshots.values(), list(newest.values())]
