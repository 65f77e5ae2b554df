"""How many bytes the results in the caches take, and a limit on their sum."""

from collections import Counter, OrderedDict
from collections.abc import Collection, Hashable, Iterator, Mapping
from enum import Enum
from threading import Lock, RLock
from types import FunctionType
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

MOST_BYTES: Final = 1 << 30
"""What the caches of one server may hold together."""
_SAMPLED: Final = 50
"""That many entries of a longer list or mapping are weighed, and stand for the others."""
_OBJECT: Final = 64
_OF_THE_PROGRAM: Final = (type, Enum, FunctionType)
"""What no result owns, so that what it refers to is not weighed either."""
_NUMBERS: Final = frozenset({bool, int, float})
_Key: TypeAlias = tuple[Hashable, ...]


def footprint(value: object) -> int:
    """Return roughly how many bytes a result takes; shared parts count once.

    >>> footprint([np.zeros(1_000), np.zeros(1_000)]) // 1_000
    16
    """
    seen: set[int] = set()
    return _weigh(value, seen)


def _weigh(value: object, seen: set[int]) -> int:
    if type(value) in _NUMBERS:
        return _OBJECT
    if value is None or isinstance(value, _OF_THE_PROGRAM) or id(value) in seen:
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
    """Results under keys, bounded in bytes together: those asked for longest ago leave first.

    A key begins with the name of what computed the result.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Begin with nothing."""
        self._most_bytes = most_bytes
        self._kept: OrderedDict[_Key, tuple[object, int]] = OrderedDict()
        self._of_name: Counter[Hashable] = Counter()
        self._lock = Lock()
        self._turns: WeakValueDictionary[_Key, RLock] = WeakValueDictionary()
        self.held_bytes = 0

    def turn(self, key: _Key) -> "RLock":
        """Return a lock: of those who miss one result, one computes it while the others wait."""
        with self._lock:
            return self._turns.setdefault(key, RLock())

    def find(self, key: _Key) -> object:
        """Return the result under a key. Raises KeyError without one."""
        with self._lock:
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def __contains__(self, key: _Key) -> bool:
        """Return whether there is a result under a key."""
        with self._lock:
            return key in self._kept

    def keep(self, key: _Key, result: object, most: int | None = None) -> None:
        """Keep a result, or put it in the place of another; at most that many of this name."""
        weight = footprint(result)
        with self._lock:
            self._drop(key)
            self._kept[key] = result, weight
            self.held_bytes += weight
            self._of_name[key[0]] += 1
            if most is not None and self._of_name[key[0]] > most:
                self._drop(next(each for each in self._kept if each[0] == key[0]))
            while self.held_bytes > self._most_bytes and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._of_name.clear()
            self.held_bytes = 0

    def _drop(self, key: _Key) -> None:
        if key in self._kept:
            _, weight = self._kept.pop(key)
            self.held_bytes -= weight
            self._of_name[key[0]] -= 1
