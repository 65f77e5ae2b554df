"""The choice among strategies: one rule for a group at a snapshot and for many over a window.

K candidates, G groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import BoolArray, FloatArray, LongArray
from evaluation.comparing.worth import WORTH

NOBODY: Final = -1
"""The number of no candidate."""


class Decider(IntEnum):
    """What decides between a candidate and the chosen one, in this order."""

    JAR = 0
    """The chosen one needs no code on the consumers."""
    FAR = 1
    """It is not near the least load."""
    CHANGE = 2
    """The chosen one runs already, and needs only a rebalance."""
    MOVES = 3
    STOPS = 4
    LOAD = 5
    NUMBER = 6
    """Nothing but the place in the list."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """What decides between candidates; arrays of (K, G), or that broadcast to it."""

    passes: BoolArray
    """Whether nothing stands against it: it is worth a switch, and not refused to the group."""
    takes_jar: BoolArray
    """Whether it is code on every consumer; all alike where that shall not matter."""
    load: npt.NDArray[Any]
    """The busiest consumer's."""
    today: FloatArray
    """(G,) that of the present owners; NaN if unknown."""
    moves: Sequence[npt.NDArray[Any]]
    """How many partitions move, one figure after the other."""
    stops_all: BoolArray
    """Whether its rebalances stop all consumers."""
    runs: BoolArray | None = None
    """Whether it runs already; None where none of them does."""


class Chosen(NamedTuple):
    """What is chosen."""

    first: LongArray
    """(G,) the number of the chosen candidate, or ``NOBODY``."""
    near: BoolArray
    """(K, G) the near equals among which moves, stops and load decide; of jars and settings alone
    those that may be chosen."""


def choose(among: Candidates) -> Chosen:
    """Choose one of the candidates that pass, for each group.

    Settings and brokers' strategies come before a jar, unless only jars pass. Among near equals,
    within 5 % of today's busiest consumer, what runs already wins, then the fewest moves, then the
    cooperative ones, then the least load, then the smallest number: the order of ``Decider``.
    """
    shape = np.broadcast_shapes(among.load.shape, among.passes.shape)
    passes = np.broadcast_to(among.passes, shape)
    if not shape[0]:
        return Chosen(np.full(shape[1], NOBODY, np.int64), passes)
    is_setting = passes & ~among.takes_jar
    may_be = np.where(is_setting.any(axis=0), is_setting, passes)
    load = np.where(may_be, among.load, 0).astype(np.float64)
    least = np.where(may_be, load, np.inf).min(axis=0)
    today = np.where(np.isnan(among.today), least, among.today)
    near = may_be & (load <= least + WORTH * today)
    first = _least([key for _, key in _keys(among, near)])
    return Chosen(np.where(near.any(axis=0), first, NOBODY), near)


def deciders(among: Candidates, found: Chosen) -> LongArray:
    """Return what decided between each candidate that passes and the chosen one, (K, G)."""
    columns = np.arange(found.near.shape[1])
    decided = np.full(found.near.shape, Decider.NUMBER, np.int64)
    takes_jar = np.broadcast_to(among.takes_jar, found.near.shape)
    for decider, key in reversed([(Decider.JAR, takes_jar), *_keys(among, found.near)]):
        decided[key != key[found.first, columns]] = decider
    return decided


def _keys(among: Candidates, near: BoolArray) -> list[tuple[Decider, npt.NDArray[Any]]]:
    """Return what decides among those that pass, in order: less of it wins; each (K, G)."""
    change = [] if among.runs is None else [(Decider.CHANGE, ~among.runs)]
    keys = [
        (Decider.FAR, ~near),
        *change,
        *((Decider.MOVES, each) for each in among.moves),
        (Decider.STOPS, among.stops_all),
        (Decider.LOAD, among.load),
    ]
    return [(decider, np.broadcast_to(key, near.shape)) for decider, key in keys]


def _least(keys: Sequence[npt.NDArray[Any]]) -> LongArray:
    """(G,) the number of the least of K, lexicographically; the smaller of equal ones."""
    count, size = keys[0].shape
    best, everyone = np.zeros(size, np.int64), np.arange(size)
    for number in range(1, count):
        leading = [key[best, everyone] for key in keys]
        best[_precede([key[number] for key in keys], leading)] = number
    return best


def _precede(some: Sequence[npt.NDArray[Any]], others: Sequence[npt.NDArray[Any]]) -> BoolArray:
    """Return where some keys precede others lexicographically."""
    is_less = np.zeros(some[0].size, np.bool_)
    is_open = ~is_less
    for one, other in zip(some, others, strict=True):
        is_less |= is_open & (one < other)
        is_open &= one == other
    return is_less
