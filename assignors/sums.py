"""Exact sums per key, and the extremes of rows."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.model import FloatArray, IntArray, LongArray

ExactArray: TypeAlias = LongArray | npt.NDArray[np.object_]
"""int64 if that is enough, else Python integers."""
_EXACT_FLOAT: Final = 2.0**53
_PIECE_BITS: Final = 21
"""Three pieces hold any value, and 2^32 of them add up exactly in a float."""
_PIECE: Final = (1 << _PIECE_BITS) - 1
_LONG_MAX: Final = 2**63 - 1


def counts(keys: LongArray | IntArray, size: int) -> LongArray:
    """Return how often each key from 0 to ``size - 1`` occurs."""
    return np.bincount(keys, minlength=size).astype(np.int64, copy=False)


def exact_sums(keys: LongArray | IntArray, values: LongArray, size: int) -> ExactArray:
    """Add up the values (none negative) of each key from 0 to ``size - 1``, however large.

    ``np.bincount`` adds floats, which is exact while sums stay below 2^53; otherwise the values
    are added in three pieces.
    """
    rough = float_sums(keys, values, size)
    largest_sum = rough.max(initial=0.0)
    if largest_sum < _EXACT_FLOAT:
        return rough.astype(np.int64)
    low, middle, high = (
        float_sums(keys, (values >> shift) & _PIECE, size).astype(np.int64)
        for shift in (0, _PIECE_BITS, 2 * _PIECE_BITS)
    )
    if largest_sum < _LONG_MAX // 2:
        longs: LongArray = low + (middle << _PIECE_BITS) + (high << (2 * _PIECE_BITS))
        return longs
    upper = (high.astype(np.object_) << _PIECE_BITS) + middle
    total: npt.NDArray[np.object_] = (upper << _PIECE_BITS) + low
    return total


def sums(keys: LongArray | IntArray, values: LongArray, size: int) -> LongArray:
    """Add up the values (none negative) of each key; sums are capped at 2^63 - 1."""
    return np.minimum(exact_sums(keys, values, size), _LONG_MAX).astype(np.int64, copy=False)


def whole(value: float) -> int:
    """Return the nearest integer, capped at 2^63 - 1 like ``sums``."""
    return round(value) if value < _LONG_MAX else _LONG_MAX


def exact_total(values: LongArray) -> int:
    """Return the sum of values (none negative), however large."""
    if values.size and int(values.max()) > _LONG_MAX // values.size:
        return sum(values.tolist())
    return int(values.sum())


def float_sums(keys: LongArray | IntArray, values: FloatArray | LongArray, size: int) -> FloatArray:
    """Add up the values of each key, in their order."""
    return np.bincount(keys, values, minlength=size).astype(np.float64, copy=False)


def largest(values: LongArray, starts: LongArray) -> LongArray:
    """Return the largest value of each row, 0 for an empty row."""
    return _reduced(np.maximum, values, starts)


def smallest(values: LongArray, starts: LongArray) -> LongArray:
    """Return the smallest value of each row, 0 for an empty row."""
    return _reduced(np.minimum, values, starts)


def _reduced(how: np.ufunc, values: LongArray, starts: LongArray) -> LongArray:
    reduced = np.zeros(starts.size - 1, np.int64)
    is_filled = starts[1:] > starts[:-1]
    if is_filled.any():
        reduced[is_filled] = how.reduceat(values, starts[:-1][is_filled])
    return reduced
