"""Answers of Prometheus' HTTP API with lag metrics, whole or the list of results alone."""

from typing import Final

from sources.pastes.json_values import below
from sources.pastes.lag_metrics import Sample, found_in
from sources.pastes.loose_json import Json, documents_in, objects_in
from sources.pastes.page import Page
from sources.pastes.rows import Found

FORMAT: Final = "Prometheus HTTP JSON"


def read_prometheus_json(page: Page) -> Found | None:
    """Return the groups of instant and range queries; of a range, the last value counts."""
    samples: list[Sample] = []
    used: set[int] = set()
    for document in documents_in(page):
        before = len(samples)
        for item in objects_in(document.value):
            if "metric" in item:
                samples += _samples(document.lines.start, item)
        if len(samples) > before:
            used.update(document.lines)
    found = found_in(samples, FORMAT)
    found.used |= used
    return found if found.has_groups else None


def _samples(line: int, item: dict[str, Json]) -> list[Sample]:
    labels = {key: value for key, value in below(item, "metric").items() if isinstance(value, str)}
    value, values = item.get("value"), item.get("values")
    if isinstance(values, list) and values:
        value = values[-1]
    if not isinstance(value, list) or not value or not labels:
        return []
    figure = value[-1]
    return [Sample(line, labels.pop("__name__", ""), labels, str(figure))]
