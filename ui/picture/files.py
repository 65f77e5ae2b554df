"""The figures of a picture as a file, which the menu beside it saves."""

import pandas as pd

from ui import downloads
from ui.picture.model import BlockChart, RateChart, SideBySide


def files_of(picture: SideBySide | RateChart | BlockChart, group: str) -> dict[str, str]:
    """Return the name of the files of a picture of this group, and its figures as CSV."""
    table = None
    if isinstance(picture, SideBySide):
        table = _loads(picture)
    elif isinstance(picture, RateChart):
        table = _rates(picture)
    return {
        "file": downloads.file_name(group, "-picture"),
        "csv": "" if table is None else downloads.encoded(lambda: table, "CSV").decode(),
    }


def _loads(picture: SideBySide) -> pd.DataFrame:
    """Return a row per consumer, with two columns per strategy; those without a row are counted."""
    names = [row.full_id for row in picture.rows]
    missing = [None] if picture.hidden else []
    if picture.hidden:
        names.append(f"{picture.hidden:,} others, not listed")
    columns: dict[str, object] = {"consumer": names}
    for each in picture.columns:
        if not picture.is_counts:
            loads = pd.array([*each.loads, *missing], "Int64")
            columns[f"{each.label}: {picture.noun}"] = loads
        columns[f"{each.label}: partitions"] = pd.array([*each.counts, *missing], "Int64")
        if any(each.unknown):
            unknown = pd.array([*each.unknown, *missing], "Int64")
            columns[f"{each.label}: of unknown lag"] = unknown
    return pd.DataFrame(columns)


def _rates(chart: RateChart) -> pd.DataFrame:
    columns: dict[str, object] = {chart.subject.lower(): [row.full_id for row in chart.rows]}
    if chart.arrives:
        columns[chart.arrives] = [row.arrives for row in chart.rows]
    columns[chart.reads] = [row.reads for row in chart.rows]
    if any(row.host for row in chart.rows):
        columns["host"] = [row.host for row in chart.rows]
    return pd.DataFrame(columns)
