"""Ragged arrays: rows of unequal length as two flat arrays, row starts and values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def starts_of(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return where rows of these sizes start; one more entry than rows, ending with the total."""
    starts = np.zeros(sizes.size + 1, np.int64)
    sizes.cumsum(out=starts[1:])
    return starts


def flatten(
    rows: Sequence[npt.ArrayLike],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the starts and the values of rows of numbers."""
    arrays = [np.asarray(row, np.int32) for row in rows]
    sizes = np.array([array.size for array in arrays], np.int64)
    values = np.concatenate(arrays) if arrays else np.zeros(0, np.int32)
    return starts_of(sizes), values


def row_of_each(starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Return the row number of every value."""
    return np.arange(starts.size - 1, dtype=np.int32).repeat(starts[1:] - starts[:-1])


def place_in_row(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the position of every value in its row, for rows of these sizes."""
    first = (sizes.cumsum() - sizes).repeat(sizes)
    return np.arange(first.size) - first


def rows_by_key(
    keys: npt.NDArray[np.int32], row_count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return, for each key from 0 to ``row_count - 1``, its positions, ascending.

    Negative keys are left out; larger keys add rows.

    >>> rows_by_key(np.array([1, 0, -1, 1], np.int32), 2)
    (array([0, 1, 3]), array([1, 0, 3], dtype=int32))
    """
    order = keys.argsort(kind="stable")
    ascending = keys.take(order)
    if ascending.size:
        row_count = max(row_count, int(ascending[-1]) + 1)
    starts = ascending.searchsorted(np.arange(row_count + 1, dtype=keys.dtype))
    positions = order[starts[0] : starts[-1]].astype(np.int32)
    return starts - starts[0], positions


def spans(starts: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return all positions from each start up to its stop, span after span.

    >>> spans(np.array([2, 0]), np.array([5, 2]))
    array([2, 3, 4, 0, 1])
    """
    sizes = stops - starts
    shift = np.repeat(stops - np.cumsum(sizes), sizes)
    return np.arange(shift.size) + shift


def changes(*columns: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
    """Return where any column differs from the entry before; True for the first entry.

    >>> changes(np.array([4, 4, 7])).tolist()
    [True, False, True]
    """
    is_change = np.ones(columns[0].size, np.bool_)
    is_change[1:] = False
    for column in columns:
        is_change[1:] |= column[1:] != column[:-1]
    return is_change
