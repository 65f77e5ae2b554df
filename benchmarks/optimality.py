"""How long bounds and lag strategies take, and how close they come.

``python -m benchmarks.optimality`` prints two tables: the limits of a group with the gap
between what is proved and what was found, and what each budget of moves buys.
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
from benchmarks.measuring import timed
from evaluation.bounds.frontier import frontier
from evaluation.bounds.lag import count_balanced_bound, free_bound
from evaluation.bounds.optimality import limits
from evaluation.metrics import lag_per_member

RUNS: Final = 5
SPREADS: Final = (1.0, 1.5)
"""Standard deviations of the logarithm of lag: everyday, and wild."""
BUDGETS: Final = (0, 20, 100, 200, 1_000)


class Workload(NamedTuple):
    """One group to assign."""

    name: str
    topics: int
    partitions: int
    """Of each topic."""
    members: int
    subscribed: float = 1
    """The part of the topics that each member, on its own, subscribes to."""

    def group(self) -> Group:
        """Return the group without lags; the same each time."""
        random = np.random.default_rng(20160411)
        classes = self.members if self.subscribed < 1 else 1
        wants = random.random((classes, self.topics)) < self.subscribed
        return Group.of(
            [f"topic-{number:06}" for number in range(self.topics)],
            [self.partitions] * self.topics,
            [f"consumer-{number:06}" for number in range(self.members)],
            class_of_member=np.arange(self.members) % classes,
            class_topics=[np.flatnonzero(row) for row in wants],
        )


def milliseconds(action: Callable[[], object]) -> float:
    """Return the processor time the action takes, once."""
    return timed(action)[0].cpu_ms


WORKLOADS: Final = (
    Workload("240 x 10", 20, 12, 10),
    Workload("10,000 x 200", 20, 500, 200),
    Workload("10,000 x 200, each wants 30%", 100, 100, 200, 0.3),
    Workload("100,000 x 1,000", 100, 1_000, 1_000),
)


class Gap(NamedTuple):
    """What one group's limits cost, and what they leave open."""

    workload: str
    spread: float
    bounds_ms: float
    limits_ms: float
    free_percent: float
    """The best assignment found is at most so much above the best there is."""
    even_percent: float | None
    """Likewise with even counts; None where subscriptions differ."""


class Point(NamedTuple):
    """What a budget of moves comes to."""

    workload: str
    moves: int
    over_mean: float
    """Largest lag over mean lag."""
    median_ms: float


def lognormal(workload: Workload, spread: float) -> Group:
    """Return the workload's group with lognormal lags, the same each time."""
    group, random = workload.group(), np.random.default_rng(5337)
    lags = random.lognormal(6, spread, group.partition_count).astype(np.int64)
    return replace(group, lags=lags)


def gaps(runs: int = RUNS) -> Iterator[Gap]:
    """Yield the limits of every workload and spread."""
    for workload in WORKLOADS:
        for spread in SPREADS:
            group = lognormal(workload, spread)
            found = limits(group)
            yield Gap(
                workload.name,
                spread,
                median(milliseconds(partial(_bounds, replace(group))) for _ in range(runs)),
                median(milliseconds(partial(limits, replace(group))) for _ in range(runs)),
                _percent(found.found_max_lag, found.max_lag) or 0.0,
                _percent(found.found_balanced_max_lag, found.balanced_max_lag),
            )


def points(runs: int = RUNS) -> Iterator[Point]:
    """Yield what moves buy from the owners that roundrobin leaves; every answer is checked."""
    for workload in WORKLOADS:
        group = lognormal(workload, SPREADS[0])
        owned = group.owned_by(roundrobin(group))
        for moves in BUDGETS:
            assign = partial(lag_sticky, moves=moves)
            lags = lag_per_member(owned, check(owned, assign(owned)))
            times = (milliseconds(partial(assign, replace(owned))) for _ in range(runs))
            yield Point(workload.name, moves, float(lags.max() / lags.mean()), median(times))
        curve = (milliseconds(partial(frontier, replace(owned))) for _ in range(runs))
        found = frontier(owned)
        if found is not None:
            over_mean = float(found.max_lag[-1] / lags.mean())
            yield Point(f"{workload.name}: curve", found.max_lag.size - 1, over_mean, median(curve))


def main() -> None:
    """Print both tables, a line as soon as it is known."""
    print(f"{'workload':36}{'spread':>7}{'bounds ms':>11}", end="")
    print(f"{'all ms':>9}{'free gap':>10}{'even gap':>10}")
    for gap in gaps():
        even = "-" if gap.even_percent is None else f"{gap.even_percent:.3f} %"
        print(
            f"{gap.workload:36}{gap.spread:7}{gap.bounds_ms:11.1f}{gap.limits_ms:9.1f}"
            f"{f'{gap.free_percent:.3f} %':>10}{even:>10}",
            flush=True,
        )
    print(f"\n{'workload':36}{'moves':>7}{'max/mean lag':>14}{'median ms':>11}")
    for point in points():
        print(
            f"{point.workload:36}{point.moves:7}{point.over_mean:14.3f}{point.median_ms:11.1f}",
            flush=True,
        )


def _bounds(group: Group) -> tuple[int | None, int | None]:
    return free_bound(group), count_balanced_bound(group)


def _percent(found: int | None, bound: int | None) -> float | None:
    return 100 * (found - bound) / bound if found is not None and bound else None


if __name__ == "__main__":
    main()
