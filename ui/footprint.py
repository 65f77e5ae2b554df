"""How many bytes the results in the caches take, and a limit on their sum."""

from collections.abc import Callable, Collection, Iterator, Mapping
from threading import Lock
from typing import Any, Final

import numpy as np

MOST_BYTES: Final = 1 << 30
"""What the caches of one server may hold together."""
_SAMPLED: Final = 200
"""So many entries of a longer list or mapping are weighed, and stand for the others."""
_OBJECT: Final = 64


def footprint(value: object) -> int:
    """Return roughly how many bytes a result takes; shared parts count once.

    >>> footprint([np.zeros(1_000), np.zeros(1_000)]) // 1_000
    16
    """
    seen: set[int] = set()
    return _weigh(value, seen)


def _weigh(value: object, seen: set[int]) -> int:
    if value is None or id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return _OBJECT + (value.nbytes if value.base is None else _weigh(value.base, seen))
    if isinstance(value, str | bytes):
        return _OBJECT + len(value)
    parts, count = _parts(value)
    weights = [_weigh(part, seen) for part in parts]
    return _OBJECT + round(sum(weights) * (count / len(weights) if weights else 1))


def _parts(value: object) -> tuple[list[object], int]:
    """Return what an object holds, or a sample of it, and how many parts there are."""
    held = value if isinstance(value, Mapping | list | tuple | set) else vars_of(value)
    listed = _first(held.values() if isinstance(held, Mapping) else held)
    return list(listed), len(held)


def vars_of(value: object) -> Mapping[str, object]:
    """Return an object's attributes; none for numbers and the like."""
    return getattr(value, "__dict__", {})


def _first(values: Collection[object]) -> Iterator[object]:
    return (part for part, _ in zip(values, range(_SAMPLED), strict=False))


class Shelf:
    """Caches that together hold up to so many bytes; beyond that, all of them are emptied."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Begin with nothing."""
        self._most_bytes = most_bytes
        self._held = 0
        self._empty: list[Callable[[], None]] = []
        self._lock = Lock()

    def watch(self, cache: Any) -> None:  # noqa: ANN401 -- a cached function of Streamlit's
        """Empty this cache with the others."""
        self._empty.append(cache.clear)

    def take(self, result: object) -> None:
        """Count a result that a cache is about to keep."""
        weight = footprint(result)
        with self._lock:
            self._held += weight
            is_full = self._held > self._most_bytes
            if is_full:
                self._held = weight
        if is_full:
            for empty in self._empty:
                empty()
