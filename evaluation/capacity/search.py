"""The smallest number of consumers in time, searched from coarse to fine.

Strategies are not monotone: one more consumer can shift every partition and put the two heaviest
on one consumer. If few numbers are possible, all are tried. Otherwise the lowest are tried
one by one, then ever larger steps up to the first in time, then bisection of that last step,
then the neighbours. Untried numbers are counted, and no claim covers them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.capacity.draining import is_in_time
from evaluation.capacity.trials import Curve, Trials

_IN_A_ROW: Final = 16
"""Numbers tried one by one from the lowest, where strategies that see lag usually succeed."""
_STEP: Final = 1.25
"""Factor between one number and the next after that."""
_TURNS: Final = 8
NEIGHBOURS: Final = 4
"""Numbers tried on either side of the smallest in time."""

_MOST_IN_A_ROW: Final = 200
"""Numbers of consumers that are all tried, at most."""
MOST_WORK: Final = 1_000_000
"""Numbers of consumers times partitions that are tried one by one."""
MOST_CONSUMERS: Final = 10_000
USUAL_MOST: Final = 1_000
"""Numbers of consumers considered, unless there are nearly as many or a user asks for more."""


@dataclass(frozen=True, kw_only=True)
class SearchRange:
    """The possible numbers of consumers."""

    fewest: int
    """Proved: with fewer, no assignment is in time."""
    most: int
    exhaustive: int
    """If no more numbers than this are untried, all of them are tried."""

    @property
    def is_tried_out(self) -> bool:
        """Whether every number is tried."""
        return self.most - self.fewest < self.exhaustive


@dataclass(frozen=True, kw_only=True)
class Minimum:
    """The smallest number of consumers tried that is in time under one strategy."""

    strategy: Strategy
    consumers: int | None
    """None if no number tried is in time."""
    seconds: float
    """Until that many clear the backlog; infinite without a number."""
    tried_below: int
    """Numbers tried from the proved fewest up to ``consumers`` (or the most)."""
    untried_below: int
    """Numbers not tried there: one of them may be in time. With 0 the minimum is exact."""
    tried_above: int
    """Larger numbers tried."""
    late_above: tuple[int, ...]
    """Those of them that are late, ascending."""
    always_from: int | None
    """From here on, all numbers tried are in time; None if the largest is late."""


def usual_most(group: Group) -> int:
    """Return the largest number of consumers considered unless a user asks for more."""
    usual = min(group.partition_count, max(USUAL_MOST, 4 * group.member_count))
    return min(max(usual, 1), MOST_CONSUMERS)


def search_range(group: Group, fewest: int | None, most: int) -> SearchRange:
    """Return the numbers considered, from the ``fewest`` that may be in time; None if none is."""
    return SearchRange(
        fewest=fewest or 1,
        most=max(most, fewest or 1),
        exhaustive=min(MOST_WORK // max(group.partition_count, 1), _MOST_IN_A_ROW),
    )


def search(trials: Trials, strategies: Sequence[Strategy], scope: SearchRange) -> Iterator[int]:
    """Try the numbers that determine the minimum of every strategy; yield each.

    Lazily: a caller that stops iterating pays no more.
    """
    if scope.is_tried_out:
        yield from try_numbers(trials, strategies, range(scope.fewest, scope.most + 1))
        return
    undecided = list(strategies)
    for consumers in coarse(scope):
        yield from try_numbers(trials, undecided, [consumers])
        undecided = [each for each in undecided if not _works(trials, each, consumers)]
        if not undecided:
            break
    for strategy in strategies:
        yield from _refined(trials, strategy, scope)


def try_numbers(
    trials: Trials, strategies: Sequence[Strategy], numbers: Sequence[int]
) -> Iterator[int]:
    """Try these numbers under every strategy given unless tried before; yield each."""
    for consumers in numbers:
        for strategy in strategies:
            if not trials.is_tried(strategy, consumers):
                trials.attempt(strategy, consumers)
                yield consumers


def coarse(scope: SearchRange) -> list[int]:
    """Return the numbers tried first, ascending: a few in a row, then ever larger steps.

    >>> coarse(SearchRange(fewest=3, most=40, exhaustive=0))[14:]
    [17, 18, 22, 27, 33, 40]
    """
    last = min(scope.fewest + _IN_A_ROW, scope.most + 1)
    numbers = list(range(scope.fewest, last))
    while numbers[-1] < scope.most:
        numbers.append(min(int(numbers[-1] * _STEP) + (numbers[-1] < _IN_A_ROW), scope.most))
    return numbers


def minimum(curve: Curve, scope: SearchRange) -> Minimum:
    """Return the smallest number tried that is in time, and what is known around it."""
    inside = (curve.consumers >= scope.fewest) & (curve.consumers <= scope.most)
    consumers, works = curve.consumers[inside], curve.works[inside]
    fewest = int(consumers[works][0]) if works.any() else None
    end = scope.most + 1 if fewest is None else fewest
    tried_below = int(np.count_nonzero(consumers < end))
    above = consumers > end
    at = None if fewest is None else curve.at(fewest)
    return Minimum(
        strategy=curve.strategy,
        consumers=fewest,
        seconds=np.inf if at is None else at.seconds,
        tried_below=tried_below,
        untried_below=end - scope.fewest - tried_below,
        tried_above=int(np.count_nonzero(above)),
        late_above=tuple(consumers[above & ~works].tolist()),
        always_from=curve.always_from,
    )


def _works(trials: Trials, strategy: Strategy, consumers: int) -> bool:
    return bool(is_in_time(trials.attempt(strategy, consumers).load))


def _refined(trials: Trials, strategy: Strategy, scope: SearchRange) -> Iterator[int]:
    """Bisect the gap below the smallest number in time, try its neighbours, then small gaps.

    A smaller number among the neighbours starts another iteration, but only a few times.
    """
    least = minimum(trials.curve(strategy), scope)
    for _ in range(_TURNS):
        if least.consumers is None:
            return
        yield from _halved(trials, strategy, least.consumers)
        least = minimum(trials.curve(strategy), scope)
        at = least.consumers or scope.most
        near = range(max(scope.fewest, at - NEIGHBOURS), min(scope.most, at + NEIGHBOURS) + 1)
        yield from try_numbers(trials, [strategy], near)
        if least.untried_below <= scope.exhaustive:
            yield from try_numbers(trials, [strategy], range(scope.fewest, at))
        before, least = at, minimum(trials.curve(strategy), scope)
        if least.consumers == before:
            return


def _halved(trials: Trials, strategy: Strategy, working: int) -> Iterator[int]:
    """Bisect between the largest late number below and this one."""
    tried = trials.curve(strategy).consumers
    late = int(tried[tried < working].max(initial=0)) or working - 1
    while working - late > 1:
        middle = (late + working) // 2
        yield from try_numbers(trials, [strategy], [middle])
        if _works(trials, strategy, middle):
            working = middle
        else:
            late = middle


def window(today: int, minima: Sequence[int], fewest: int | None) -> tuple[int, int]:
    """Return the first and last number of consumers to show.

    From today's number to twice as many, widened to the given minima; if these are far below, from
    there to just above today's. Without consumers today, from the minima to twice as many; without
    minima, from the proved fewest.
    """
    if not minima:
        start = today or fewest or 1
        return max(start - 1, 1), 2 * start
    least, most = min(minima), max(minima)
    if not today:
        return max(least - 1, 1), 2 * most
    end = 2 * today if 2 * most >= today else today + max(today // 10, 1)
    return max(min(today, least) - 1, 1), max(end, most + max(most // 10, 2))


def spread(numbers: Sequence[int], needed: Iterable[int], most: int) -> list[int]:
    """Return at most ``most`` of ascending numbers: the needed first, then evenly spread.

    >>> spread(range(1, 101), [14, 13, 500], 6)
    [1, 13, 14, 34, 67, 100]
    """
    if len(numbers) <= most:
        return list(numbers)
    inside = set(numbers)
    kept = [number for number in dict.fromkeys(needed) if number in inside][:most]
    for steps in range(most, 1, -1):
        places = np.linspace(0, len(numbers) - 1, steps).round().astype(int)
        together = sorted({*kept, *(numbers[place] for place in places.tolist())})
        if len(together) <= most:
            return together
    return sorted(kept)
