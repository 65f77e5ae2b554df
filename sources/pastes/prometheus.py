"""Prometheus: its text format, one metric a line, and the answers of its HTTP API."""

import re
from typing import Final

from sources.pastes.documents import Json, below, objects_in
from sources.pastes.lag_metrics import Sample, exporter_of, parsed_from
from sources.pastes.page import Page
from sources.pastes.parsed import Parsed

FORMAT: Final = "Prometheus text"
JSON_FORMAT: Final = "Prometheus HTTP JSON"
_METRIC: Final = re.compile(r"(?<![\w:])([a-zA-Z_:][\w:]{0,199})?\{")
_LABEL: Final = re.compile(r'\s*(?:,\s*)?(\w+)\s*=~?\s*"((?:[^"\\]|\\.)*)"')
_VALUE: Final = re.compile(
    r"[\s,]*\}[\s|]*(?:=>\s*)?([-+]?(?:[\d.]+(?:[eE][-+]?\d+)?|NaN|Inf))(?![\w.])"
)


def read_prometheus(page: Page) -> Parsed:
    """Return the groups whose metrics are in a text.

    Labels may end in a comma, stand in any order, and have blanks between them.
    """
    samples = [
        sample
        for line, text in enumerate(page.lines)
        if "{" in text and (sample := _sample(line, text)) is not None
    ]
    exporter = exporter_of(samples)
    parsed = parsed_from(samples, f"{FORMAT} ({exporter})" if exporter else FORMAT)
    if not parsed.has_groups:
        return parsed
    unread = {
        line
        for line, text in enumerate(page.lines)
        if "_lag{" in text and line not in parsed.used and not text.lstrip().startswith("#")
    } - {sample.line for sample in samples}
    parsed.note_unreadable("a lag metric", unread)
    return parsed


def _sample(line: int, text: str) -> Sample | None:
    metric = _METRIC.search(text)
    if metric is None:
        return None
    labels: dict[str, str] = {}
    end = metric.end()
    while (label := _LABEL.match(text, end)) is not None:
        labels[label.group(1)] = label.group(2)
        end = label.end()
    value = _VALUE.match(text, end)
    if value is None or not labels:
        return None
    return Sample(line, metric.group(1) or "", labels, value.group(1))


def read_prometheus_json(page: Page) -> Parsed:
    """Return the groups of instant and range queries; of a range, the last value counts."""
    samples: list[Sample] = []
    used: set[int] = set()
    for document in page.documents:
        before = len(samples)
        for item in objects_in(document.value):
            if "metric" in item:
                samples += _samples_in(document.lines.start, item)
        if len(samples) > before:
            used.update(document.lines)
    parsed = parsed_from(samples, JSON_FORMAT)
    parsed.used |= used
    return parsed


def _samples_in(line: int, item: dict[str, Json]) -> list[Sample]:
    labels = {key: value for key, value in below(item, "metric").items() if isinstance(value, str)}
    value, values = item.get("value"), item.get("values")
    if isinstance(values, list) and values:
        value = values[-1]
    if not isinstance(value, list) or not value or not labels:
        return []
    figure = value[-1]
    return [Sample(line, labels.pop("__name__", ""), labels, str(figure))]
