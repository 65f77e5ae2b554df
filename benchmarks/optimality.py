"""How long bounds and lag strategies take, and how close they come.

``python -m benchmarks.optimality`` prints two tables: the limits of a group with the gap between
what is proved and what was found, and the largest lag that each budget of moves reaches.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from assignors.lag.sticky import lag_sticky
from assignors.model import Group
from assignors.roundrobin import roundrobin
from assignors.rules import check
from benchmarks.measuring import markdown, timed
from evaluation.bounds.frontier import frontier
from evaluation.bounds.lag import count_balanced_bound, free_bound
from evaluation.bounds.optimality import bounds_of
from evaluation.metrics import lag_per_member

_RUNS: Final = 5
_SPREADS: Final = (1.0, 1.5)
"""Standard deviations of the logarithm of lag: everyday, and wild."""
_BUDGETS: Final = (0, 20, 100, 200, 1_000)


class Workload(NamedTuple):
    """One group to assign."""

    name: str
    topics: int
    partitions: int
    """Of each topic."""
    members: int
    subscribed: float = 1
    """The part of the topics that each member, on its own, subscribes to."""

    def group(self, spread: float) -> Group:
        """Return the group with lognormal lags; the same each time."""
        random, lags = np.random.default_rng(20160411), np.random.default_rng(5337)
        classes = self.members if self.subscribed < 1 else 1
        wants = random.random((classes, self.topics)) < self.subscribed
        return Group.of(
            [f"topic-{number:06}" for number in range(self.topics)],
            [self.partitions] * self.topics,
            [f"consumer-{number:06}" for number in range(self.members)],
            class_of_member=np.arange(self.members) % classes,
            class_topics=[np.flatnonzero(row) for row in wants],
            lags=lags.lognormal(6, spread, self.topics * self.partitions).astype(np.int64),
        )


_WORKLOADS: Final = (
    Workload("240 x 10", 20, 12, 10),
    Workload("10,000 x 200", 20, 500, 200),
    Workload("10,000 x 200, each wants 30%", 100, 100, 200, 0.3),
    Workload("100,000 x 1,000", 100, 1_000, 1_000),
)


def gaps() -> Iterator[dict[str, str]]:
    """Yield what the limits of every workload and spread cost, and what they leave open.

    A gap of 1 % says: the best assignment found is at most 1 % above the best there is.
    """
    for workload in _WORKLOADS:
        for spread in _SPREADS:
            group = workload.group(spread)
            reached = bounds_of(group)
            yield {
                "workload": workload.name,
                "spread": str(spread),
                "bounds ms": f"{_milliseconds(_bounds, group):.1f}",
                "all ms": f"{_milliseconds(bounds_of, group):.1f}",
                "free gap": _percent(reached.found_max_lag, reached.max_lag),
                "even gap": _percent(reached.found_balanced_max_lag, reached.balanced_max_lag),
            }


def points() -> Iterator[dict[str, str]]:
    """Yield what moves buy from the owners that roundrobin leaves; every answer is checked."""
    for workload in _WORKLOADS:
        group = workload.group(_SPREADS[0])
        owned = group.owned_by(roundrobin(group))
        mean = lag_per_member(owned, owned.present_owners).mean()
        for moves in _BUDGETS:
            assign = partial(lag_sticky, moves=moves)
            largest = lag_per_member(owned, check(owned, assign(owned))).max()
            yield _point(workload.name, moves, largest / mean, _milliseconds(assign, owned))
        curve = frontier(owned)
        if curve is not None:
            name, moves = f"{workload.name}: curve", curve.max_lag.size - 1
            yield _point(name, moves, curve.max_lag[-1] / mean, _milliseconds(frontier, owned))


def main() -> None:
    """Print both tables."""
    print(markdown(gaps()), flush=True)
    print("\n" + markdown(points()))


def _bounds(group: Group) -> tuple[int | None, int | None]:
    return free_bound(group), count_balanced_bound(group)


def _milliseconds(action: Callable[[Group], object], group: Group) -> float:
    """Return the median processor time on a group of which nothing is worked out yet."""
    return median(timed(partial(action, replace(group)))[0].cpu_ms for _ in range(_RUNS))


def _point(name: str, moves: int, over_mean: float, cpu_ms: float) -> dict[str, str]:
    return {
        "workload": name,
        "moves": str(moves),
        "max/mean lag": f"{over_mean:.3f}",
        "median ms": f"{cpu_ms:.1f}",
    }


def _percent(reached: int | None, bound: int | None) -> str:
    return f"{100 * (reached - bound) / bound:.3f} %" if reached is not None and bound else "-"


if __name__ == "__main__":
    main()
