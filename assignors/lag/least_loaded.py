"""Place weights on the least loaded of equals, many at once where that changes nothing."""

from heapq import heapify, heapreplace
from typing import Final

import numpy as np

from assignors.model import IntArray, LongArray

_MANY: Final = 128
"""With fewer members, one step after another is as fast."""
_STEPS: Final = 8
"""For a share of 1 / 8 of the members at once, or else 8 steps each, arrays pay."""


def least_loaded(loads: LongArray, counts: LongArray, weights: LongArray) -> IntArray:
    """Return the place of the member that takes each weight, in this order; shape (weights,).

    Each goes to the least load, then the smallest count, then the first place. The totals of
    weights (at least 1 each) and loads must fit 64 bits; ``loads`` and ``counts`` grow.

    >>> least_loaded(np.array([4, 0]), np.array([1, 0]), np.array([3, 2, 1])).tolist()
    [1, 1, 0]
    """
    seats, taken = np.empty(weights.size, np.int32), 0
    while taken < weights.size:
        left = weights[taken:]
        some = _at_once(loads, counts, left) if loads.size >= _MANY else seats[:0]
        if some.size * _STEPS < min(loads.size, left.size) or not some.size:
            steps = _STEPS * loads.size if loads.size >= _MANY else left.size
            some = _one_by_one(loads, counts, left[:steps])
        else:
            loads[some] += left[: some.size]
            counts[some] += 1
        seats[taken : taken + some.size] = some
        taken += some.size
    return seats


def _at_once(loads: LongArray, counts: LongArray, weights: LongArray) -> IntArray:
    """Return the places that take the next weights, one each, whatever the order.

    The next emptiest is next indeed as long as all before it are fuller by then.
    """
    emptiest = np.lexsort((counts, loads))[: weights.size]
    fuller = np.minimum.accumulate(loads[emptiest] + weights[: emptiest.size])
    is_next = fuller[:-1] > loads[emptiest[1:]]
    count = emptiest.size if is_next.all() else 1 + int(is_next.argmin())
    return emptiest[:count].astype(np.int32)


def _one_by_one(loads: LongArray, counts: LongArray, weights: LongArray) -> IntArray:
    """Take one step after another; a key is a load, a count and a place."""
    size = loads.size
    unit = size * (int(counts.sum()) + weights.size + 1)
    heap = [
        load * unit + count * size + place
        for place, (load, count) in enumerate(zip(loads.tolist(), counts.tolist(), strict=True))
    ]
    heapify(heap)
    growths = (weight * unit + size for weight in weights.tolist())
    seats = np.array([heapreplace(heap, heap[0] + growth) % size for growth in growths], np.int32)
    np.add.at(loads, seats, weights)
    counts += np.bincount(seats, minlength=size)
    return seats
