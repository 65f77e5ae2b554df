"""Windows of groups from a server: which exporters it has, and their series within limits.

A value counts only if its series has a sample within the step before, and no staleness marker
since: ``metric and last_over_time(metric[step])``. Prometheus alone would repeat a value for five
minutes, and a scrape that failed would look like a consumer that stands.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from live.errors import LiveError
from live.prometheus.api import MOST_POINTS, PrometheusApi, TooMuchError
from live.prometheus.exporters import EXPORTERS, Exporter, Meaning, meanings_of
from live.prometheus.quoting import one_of
from live.prometheus.series import MetricSeries, TimeGrid, on_grid
from live.prometheus.spans import Reads, Remarks, Span, spans_of

SAMPLES: Final = 400_000
"""The most values of a metric in one answer, which bounds memory: about 60 MB as they arrive."""
_FEWEST_POINTS: Final = 30
"""Windows are this long even if groups then have to be asked for in several parts."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of a server, whatever the time."""

    client: PrometheusApi
    exporters: Sequence[Exporter] = EXPORTERS
    cluster_label: str | None = None
    groups: tuple[str, ...] | None = None
    """These groups alone, by name; None for all."""
    is_wanted: Callable[[str], bool] = lambda _: True
    samples: int = SAMPLES
    remarks: Remarks = field(default_factory=Remarks)

    def named(self, groups: Sequence[str]) -> "Question":
        """Return the same question of these groups."""
        return Question(
            client=self.client, exporters=self.exporters, cluster_label=self.cluster_label,
            groups=tuple(groups), is_wanted=self.is_wanted, samples=self.samples,
            remarks=self.remarks,
        )  # fmt: skip


def counts(question: Question, window: TimeGrid) -> dict[str, int]:
    """Return the metrics that the server has in a window, each with its most series at a time."""
    names = [name for name in meanings_of(question.exporters) if "." not in name]
    coarse = max(window.step_s, math.ceil((window.end_s - window.start_s) / 60))
    query = f"count by (__name__) ({{{one_of('__name__', names)}}})"
    found = question.client.range(query, window.start_s, window.end_s, coarse)
    at_the_end = question.client.instant(query, window.end_s)
    counted: dict[str, int] = {}
    for each in (*found, *at_the_end):
        values = [text for _, text in each.values] + ([each.value[1]] if each.value else [])
        name = each.metric.get("__name__", "")
        if name in names and values:
            most = max(map(_whole, values))
            counted[name] = max(counted.get(name, 0), most)
    return counted


def present(question: Question, counted: Mapping[str, int]) -> list[Exporter]:
    """Return the exporters that tell ends, and what groups have read."""
    return [
        exporter
        for exporter in question.exporters
        if exporter.tells_offsets
        and _has(exporter, Meaning.END, counted)
        and (_has(exporter, Meaning.COMMITTED, counted) or _has(exporter, Meaning.LAG, counted))
    ]


def points_at_once(question: Question, counted: Mapping[str, int], most: int) -> int:
    """Return how many times a window has, such that memory is bounded."""
    series = max(counted.values(), default=1)
    return max(1, min(most, MOST_POINTS, max(_FEWEST_POINTS, question.samples // max(series, 1))))


def windows_of(
    question: Question, window: TimeGrid, counted: Mapping[str, int]
) -> Iterator[list[Span]]:
    """Yield the groups of a window, in parts that bound the memory. Raises LiveError."""
    found = present(question, counted)
    series = max(
        (counted.get(name, 0) for e in found for name in _of_groups(e, counted)), default=0
    )
    if question.groups is None and series * window.points > question.samples * 2:
        for groups in _parts(question, window, counted):
            asking = _Asking(question=question.named(groups), window=window, counted=counted)
            yield asking.spans(found)
    elif found:
        yield _Asking(question=question, window=window, counted=counted).spans(found)


def group_names(question: Question, window: TimeGrid, counted: Mapping[str, int]) -> dict[str, int]:
    """Return the groups with samples at some time of a window, each with its number of series."""
    names: dict[str, int] = {}
    for exporter in present(question, counted):
        for metric in _of_groups(exporter, counted)[:1]:
            label = exporter.labels.group
            query = f"count by ({label}) (last_over_time({metric}[{_span_s(window)}s]))"
            for each in question.client.instant(query, window.end_s):
                name = each.metric.get(label, "")
                if name and each.value and question.is_wanted(name):
                    names[name] = max(names.get(name, 0), _whole(each.value[1]))
    return names


def _parts(question: Question, window: TimeGrid, counted: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield groups whose series together stay within the limit, at least one at a time."""
    part: list[str] = []
    size = 0
    for name, count in sorted(group_names(question, window, counted).items()):
        if part and (size + count) * window.points > question.samples:
            yield part
            part, size = [], 0
        part.append(name)
        size += count
    if part:
        yield part


@dataclass(frozen=True, kw_only=True)
class _Asking:
    """A question of one window."""

    question: Question
    window: TimeGrid
    counted: Mapping[str, int]

    def spans(self, found: Sequence[Exporter]) -> list[Span]:
        question = self.question
        return spans_of(
            [self._reads(exporter) for exporter in found],
            self.window,
            question.remarks,
            cluster_label=question.cluster_label,
            is_wanted=question.is_wanted,
        )

    def _reads(self, exporter: Exporter) -> Reads:
        """Return an exporter's series: first those of groups, then those of their topics."""
        groups, labels = self.question.groups, exporter.labels
        has_committed = _has(exporter, Meaning.COMMITTED, self.counted)
        meaning = Meaning.COMMITTED if has_committed else Meaning.LAG
        matcher = "" if groups is None else one_of(labels.group, groups)
        series = {
            each: self._series(exporter, each, matcher) for each in (meaning, Meaning.MEMBERS)
        }
        if groups is not None:
            topics = dict.fromkeys(each.labels.get(labels.topic, "") for each in series[meaning])
            if not topics:
                return Reads(exporter, series)
            matcher = one_of(labels.topic, topics)
        for each in (Meaning.END, Meaning.BEGIN):
            series[each] = self._series(exporter, each, matcher)
        return Reads(exporter, series)

    def _series(self, exporter: Exporter, meaning: Meaning, matcher: str) -> list[MetricSeries]:
        return [
            series
            for metric in exporter.of_partitions(meaning)
            if metric in self.counted
            for series in _metric(
                self.question.client, f"{metric}{{{matcher}}}", metric, self.window
            )
        ]


def _metric(
    client: PrometheusApi, selector: str, metric: str, window: TimeGrid
) -> list[MetricSeries]:
    """Return the series of a selector; in two halves where the server refuses the size."""
    fresh_ms = window.step_s * 1_000 - 1  # a sample of a whole step ago is of the time before
    query = f"{selector} and last_over_time({selector}[{fresh_ms}ms])"
    try:
        raw = client.range(query, window.start_s, window.end_s, window.step_s)
    except TooMuchError as error:
        if window.points == 1:
            message = f"{str(error).rstrip('.')}; ask for fewer groups with --group."
            raise LiveError(message) from error
        return _joined(client, selector, metric, window)
    return list(on_grid(raw, window, metric, client.server))


def _joined(
    client: PrometheusApi, selector: str, metric: str, window: TimeGrid
) -> list[MetricSeries]:
    half = window.start_s + (window.points // 2) * window.step_s
    first = window._replace(end_s=half - window.step_s)
    second = window._replace(start_s=half)
    parts = [_metric(client, selector, metric, each) for each in (first, second)]
    joined: dict[tuple[tuple[str, str], ...], MetricSeries] = {}
    for part, begin in zip(parts, (0, first.points), strict=True):
        for series in part:
            key = tuple(sorted(series.labels.items()))
            whole = joined.get(key)
            if whole is None:
                whole = MetricSeries(metric, series.labels, np.full(window.points, math.nan))
                joined[key] = whole
            whole.values[begin : begin + series.values.size] = series.values
    return list(joined.values())


def _of_groups(exporter: Exporter, counted: Mapping[str, int]) -> list[str]:
    names = (*exporter.of_partitions(Meaning.COMMITTED), *exporter.of_partitions(Meaning.LAG))
    return [name for name in names if name in counted]


def _has(exporter: Exporter, meaning: Meaning, counted: Mapping[str, int]) -> bool:
    return any(name in counted for name in exporter.of_partitions(meaning))


def _span_s(window: TimeGrid) -> int:
    return window.end_s - window.start_s + window.step_s


def _whole(text: str) -> int:
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return 0
