"""Prometheus' text format: one metric with its labels and value a line."""

import re
from typing import Final

from sources.pastes.lag_metrics import Sample, exporter_of, found_in
from sources.pastes.page import Page
from sources.pastes.rows import Found

FORMAT: Final = "Prometheus text"
_METRIC: Final = re.compile(r"(?<![\w:])([a-zA-Z_:][\w:]{0,199})?\{")
_LABEL: Final = re.compile(r'\s*,?\s*(\w+)\s*=~?\s*"((?:[^"\\]|\\.)*)"')
_VALUE: Final = re.compile(
    r"[\s,]*\}[\s|]*(?:=>)?\s*([-+]?(?:[\d.]+(?:[eE][-+]?\d+)?|NaN|Inf))(?![\w.])"
)


def read_prometheus(page: Page) -> Found | None:
    """Return the groups that metrics in a text tell of, None if there are none.

    Labels may end in a comma, stand in any order, and have blanks between them.
    """
    samples = [
        sample
        for line, text in enumerate(page.lines)
        if "{" in text and (sample := _sample(line, text)) is not None
    ]
    exporter = exporter_of(samples)
    found = found_in(samples, f"{FORMAT} ({exporter})" if exporter else FORMAT)
    if not found.has_groups:
        return None
    unread = {
        line
        for line, text in enumerate(page.lines)
        if "_lag{" in text and line not in found.used and not text.lstrip().startswith("#")
    } - {sample.line for sample in samples}
    found.note_unreadable("a metric of lag", unread)
    return found


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
