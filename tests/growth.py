"""How much longer something takes for a larger input."""

import time
from collections.abc import Callable
from math import inf
from typing import Final

_GROWTH: Final = 8
MOST_SLOWDOWN: Final = 32
"""A linear reader takes 8 times as long for 8 times the text; a quadratic one 64 times."""
_NOISE_S: Final = 0.02
"""Shorter times are not significant."""
_MOST_ROUNDS: Final = 3


def slowdown(read: Callable[[int], object], size: int = 20_000) -> float:
    """Return the ratio of times for ``_GROWTH`` times the text.

    The smallest of several runs; one linear run is enough.
    """
    slowdowns: list[float] = []
    while len(slowdowns) < _MOST_ROUNDS and min(slowdowns, default=inf) >= MOST_SLOWDOWN:
        small, large = _seconds(read, size), _seconds(read, size * _GROWTH)
        slowdowns.append(large / max(small, _NOISE_S))
    return min(slowdowns)


def _seconds(read: Callable[[int], object], size: int) -> float:
    start = time.thread_time()
    read(size)
    return time.thread_time() - start
