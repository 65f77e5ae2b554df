"""The numbers of consumers that decide a plan where not all of a range are tried."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from assignors.model import LongArray
from assignors.strategy import Strategy
from evaluation.capacity.partitions import even_counts
from evaluation.capacity.search import NEIGHBOURS, SearchRange, coarse, spread, try_numbers
from evaluation.capacity.trials import Curve, Trials

_TURNS: Final = 8
_SIZES: Final = 4
_MOST_PILES: Final = 24


def deciding(trials: Trials, strategies: Sequence[Strategy], scope: SearchRange) -> Iterator[int]:
    """Try numbers until those beside the plan of each strategy are tried; yield each."""
    for strategy in strategies:
        yield from try_numbers(trials, [strategy], coarse(scope))
        yield from try_numbers(trials, [strategy], piling_up(trials.topic_sizes, scope))
        for _ in range(_TURNS):
            start = held_from(trials.curve_with_headroom(strategy), scope)
            if start is None:
                break
            yield from _bisected(trials, strategy, start, scope)
            start = held_from(trials.curve_with_headroom(strategy), scope) or scope.most
            near = range(
                max(scope.fewest, start - NEIGHBOURS), min(scope.most, start + NEIGHBOURS) + 1
            )
            yield from try_numbers(trials, [strategy], near)
            if held_from(trials.curve_with_headroom(strategy), scope) == start:
                break


def piling_up(topic_sizes: LongArray, scope: SearchRange) -> list[int]:
    """Return numbers at which consumers tend to get the same partition of several topics.

    Those are multiples of a topic's partitions, where a round through all topics starts anew, and
    their even divisors; of many, some from all over the range.

    >>> piling_up(np.array([20, 20]), SearchRange(fewest=3, most=60, exhaustive=0))
    [4, 5, 10, 20, 40, 60]
    """
    found: set[int] = set()
    for size in np.unique(topic_sizes[topic_sizes > 1]).tolist()[-_SIZES:]:
        found.update(range(size, scope.most + 1, size), even_counts(size, scope.most))
    inside = sorted(number for number in found if scope.fewest <= number <= scope.most)
    return spread(inside, (), _MOST_PILES)


def _bisected(trials: Trials, strategy: Strategy, start: int, scope: SearchRange) -> Iterator[int]:
    tried = trials.curve_with_headroom(strategy).consumers
    late = int(tried[tried < start].max(initial=scope.fewest - 1))
    while start - late > 1:
        middle = (late + start) // 2
        yield from try_numbers(trials, [strategy], [middle])
        curve = trials.curve_with_headroom(strategy)
        if curve.works[np.searchsorted(curve.consumers, middle)]:
            start = middle
        else:
            late = middle


def held_from(curve: Curve, scope: SearchRange) -> int | None:
    """Return the number from which all tried, up to the most considered, are in time."""
    inside = (curve.consumers >= scope.fewest) & (curve.consumers <= scope.most)
    consumers, works = curve.consumers[inside], curve.works[inside]
    late = np.flatnonzero(~works)
    after = int(late[-1]) + 1 if late.size else 0
    return int(consumers[after]) if after < consumers.size else None
