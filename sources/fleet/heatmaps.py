"""A figure of many groups or consumers over time, as a heatmap small enough for a browser."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from assignors.model import FloatArray
from sources.errors import guarded
from sources.fleet.totals import KEYS

MOST_CELLS: Final = 200_000
"""Browsers take seconds for more."""
MOST_COLUMNS: Final = 1_000
_Moments: TypeAlias = npt.NDArray[np.datetime64]


@dataclass(frozen=True, eq=False)
class Heatmap:
    """One row per group or consumer, one column per snapshot or slot of time."""

    names: tuple[str, ...]
    moments: _Moments
    """(columns,) the snapshot or the start of the slot; UTC."""
    cells: FloatArray
    """(rows, columns) the largest value; NaN where unknown."""
    slot: timedelta | None
    """The duration of a column; None if each is one snapshot."""
    per_row: int
    """Number of consumers per row."""


@guarded("the tables")
def group_heatmap(rows: pd.DataFrame, figure: str, most: int) -> Heatmap:
    """Return the groups with the largest means of a figure, in descending order.

    ``rows`` is ``totals.as_it_was``. Groups of the same name in two clusters are labelled with the
    cluster.
    """
    values = rows[figure].astype("float64")
    keys = pd.MultiIndex.from_frame(rows[KEYS])
    means = values.groupby(keys).mean().dropna().sort_values(ascending=False, kind="stable")
    chosen = means.index[:most]
    row = chosen.get_indexer(keys)
    is_shown = row >= 0
    groups = [group for _, group in chosen]
    names = [
        group if groups.count(group) == 1 else f"{group} ({cluster})" for cluster, group in chosen
    ]
    moments = _moments(rows["snapshot_at"][is_shown])
    return _heatmap(names, row[is_shown], moments, np.asarray(values[is_shown], np.float64))


@guarded("the tables")
def member_heatmap(loads: pd.DataFrame, figure: str) -> Heatmap:
    """Return a figure of every consumer over time, in the order of their ids."""
    names, row = np.unique(loads["member_id"].to_numpy(str), return_inverse=True)
    values = np.asarray(loads[figure].astype("float64"), np.float64)
    return _heatmap(names.tolist(), row, _moments(loads["snapshot_at"]), values)


def _heatmap(
    names: list[str], row: npt.NDArray[np.intp], moments: _Moments, values: FloatArray
) -> Heatmap:
    column, starts, slot = _columns(moments)
    most_rows = max(MOST_CELLS // max(starts.size, 1), 1)
    per_row = max(-(-len(names) // most_rows), 1)
    cells = np.full((-(-len(names) // per_row), starts.size), -np.inf)
    is_known = ~np.isnan(values)
    place = (row[is_known] // per_row, column[is_known])
    np.maximum.at(cells, place, values[is_known])
    cells[np.isneginf(cells)] = np.nan
    return Heatmap(tuple(_row_names(names, per_row)), starts, cells, slot, per_row)


def _columns(moments: _Moments) -> tuple[npt.NDArray[np.intp], _Moments, timedelta | None]:
    """Return the column of each moment, the starts of columns, and their duration."""
    starts, column = np.unique(moments, return_inverse=True)
    if starts.size <= MOST_COLUMNS:
        return column, starts, None
    whole = starts[-1] - starts[0]
    length = whole // MOST_COLUMNS + np.timedelta64(1, "us")
    column = (moments - starts[0]) // length
    begins = starts[0] + np.arange(int(column.max()) + 1) * length
    return column.astype(np.intp), begins, length.astype("timedelta64[us]").item()


def _row_names(names: list[str], per_row: int) -> list[str]:
    if per_row == 1:
        return names
    blocks = [names[first : first + per_row] for first in range(0, len(names), per_row)]
    return [
        block[0] if len(block) == 1 else f"{block[0]} and {len(block) - 1} after it"
        for block in blocks
    ]


def _moments(times: pd.Series) -> _Moments:
    """Return UTC moments without time zone, as numpy represents them."""
    moments: _Moments = times.dt.tz_localize(None).to_numpy("datetime64[us]")
    return moments
