"""The figures of a picture as a file, which the menu beside it saves."""

import math
from collections.abc import Sequence

from ui import downloads
from ui.picture.model import BarChart, BlockChart, SideBySide


def files_of(picture: SideBySide | BarChart | BlockChart, group: str) -> dict[str, str]:
    """Return the name of the files of a picture of this group, and its figures as CSV."""
    columns: dict[str, Sequence[object]] = {}
    if isinstance(picture, SideBySide):
        columns = _loads(picture)
    elif isinstance(picture, BarChart):
        columns = _rates(picture)
    return {
        "file": downloads.file_name(group, "-picture"),
        "csv": downloads.csv_of(columns) if columns else "",
    }


def _loads(picture: SideBySide) -> dict[str, Sequence[object]]:
    """Return a row per consumer, with two columns per strategy; those without a row are counted."""
    names = [row.full_id for row in picture.rows]
    missing = [None] if picture.hidden else []
    if picture.hidden:
        names.append(f"{picture.hidden:,} others, not listed")
    columns: dict[str, Sequence[object]] = {"consumer": names}
    for each in picture.columns:
        if not picture.is_counts:
            columns[f"{each.label}: {picture.noun}"] = [*each.loads, *missing]
        columns[f"{each.label}: partitions"] = [*each.counts, *missing]
        if any(each.unknown):
            columns[f"{each.label}: of unknown lag"] = [*each.unknown, *missing]
    return columns


def _rates(chart: BarChart) -> dict[str, Sequence[object]]:
    columns: dict[str, Sequence[object]] = {
        chart.subject.lower(): [row.full_id for row in chart.rows]
    }
    if chart.upper:
        columns[chart.upper] = [_known(row.upper) for row in chart.rows]
    columns[chart.lower] = [_known(row.lower) for row in chart.rows]
    if any(row.host for row in chart.rows):
        columns["host"] = [row.host for row in chart.rows]
    return columns


def _known(rate: float) -> float | None:
    return None if math.isnan(rate) else rate
