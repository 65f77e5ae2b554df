"""Sums per key over a whole batch."""

import numpy as np

from assignors.model import FloatArray, IntArray, LongArray

_EXACT_FLOAT = 2.0**53
_HALF_BITS = 31
_LONG_MAX = 2**63 - 1


def counts(keys: LongArray | IntArray, size: int) -> LongArray:
    """Return how often each key from 0 to ``size - 1`` occurs."""
    return np.bincount(keys, minlength=size).astype(np.int64, copy=False)


def sums(keys: LongArray | IntArray, values: LongArray, size: int) -> LongArray:
    """Add up the values (none negative) of each key, exactly; beyond 2^63 - 1 is 2^63 - 1.

    ``np.bincount`` adds floats, exactly as long as a sum stays below 2^53; where one does
    not, upper and lower halves are added apart.
    """
    rough = float_sums(keys, values.astype(np.float64), size)
    if rough.max(initial=0.0) < _EXACT_FLOAT:
        return rough.astype(np.int64)
    lower_half = (values & ((1 << _HALF_BITS) - 1)).astype(np.float64)
    low = float_sums(keys, lower_half, size).astype(np.uint64)
    high = float_sums(keys, (values >> _HALF_BITS).astype(np.float64), size)
    is_beyond = high >= float(1 << (63 - _HALF_BITS))
    total = np.where(is_beyond, 0, high).astype(np.uint64) << np.uint64(_HALF_BITS)
    total += low
    is_beyond |= total > np.uint64(_LONG_MAX)
    return np.where(is_beyond, np.uint64(_LONG_MAX), total).astype(np.int64)


def float_sums(keys: LongArray | IntArray, values: FloatArray, size: int) -> FloatArray:
    """Add up the values of each key, in their order."""
    return np.bincount(keys, values, minlength=size).astype(np.float64, copy=False)


def largest(values: LongArray, starts: LongArray) -> LongArray:
    """Return the largest value of each row of values, 0 where a row is empty."""
    return _reduced(np.maximum, values, starts)


def smallest(values: LongArray, starts: LongArray) -> LongArray:
    """Return the smallest value of each row of values, 0 where a row is empty."""
    return _reduced(np.minimum, values, starts)


def _reduced(how: np.ufunc, values: LongArray, starts: LongArray) -> LongArray:
    found = np.zeros(starts.size - 1, np.int64)
    is_filled = starts[1:] > starts[:-1]
    if is_filled.any():
        found[is_filled] = how.reduceat(values, starts[:-1][is_filled])
    return found
