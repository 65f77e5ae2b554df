"""How long every strategy takes, and how much memory: ``python -m benchmarks.assignors``.

Names of strategies as arguments measure those alone.
"""

import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from assignors.model import Assignor, Group
from assignors.registry import STRATEGIES
from assignors.rules import check

RUNS: Final = 5


class Workload(NamedTuple):
    """One group to assign; lags are long-tailed, as they are where consumers fall behind."""

    name: str
    topics: int
    partitions: int
    """Of each topic."""
    members: int
    subscribed: float = 1
    """The part of the topics that each member, on its own, subscribes to."""

    def group(self) -> Group:
        """Return the group; the same each time."""
        random = np.random.default_rng(20160411)
        classes = self.members if self.subscribed < 1 else 1
        wants = random.random((classes, self.topics)) < self.subscribed
        return Group.of(
            [f"topic-{number:06}" for number in range(self.topics)],
            [self.partitions] * self.topics,
            [f"consumer-{number:06}" for number in range(self.members)],
            class_of_member=np.arange(self.members) % classes,
            class_topics=[np.flatnonzero(row) for row in wants],
            lags=(random.pareto(1.2, self.topics * self.partitions) * 1000).astype(np.int64),
        )


WORKLOADS: Final = (
    Workload("10,000 partitions", 10, 1_000, 100),
    Workload("100,000 partitions", 100, 1_000, 1_000),
    Workload("1,000,000 partitions", 500, 2_000, 2_000),
    Workload("1,000,000, each wants half", 500, 2_000, 2_000, 0.5),
    Workload("50,000 topics of 2", 50_000, 2, 2_000),
    Workload("50,000 topics, each wants 1%", 50_000, 2, 2_000, 0.01),
    Workload("one topic of 1,000,000", 1, 1_000_000, 2),
)


class Figure(NamedTuple):
    """What one strategy cost on one workload, with nothing of the group worked out before."""

    workload: str
    strategy: str
    median_ms: float
    peak_mb: float


def milliseconds(action: Callable[[], object]) -> float:
    """Return how long the action takes, once."""
    start = perf_counter()
    action()
    return (perf_counter() - start) * 1000


def peak_mb(assign: Assignor, group: Group) -> float:
    """Return the most memory held while assigning, beyond the group itself."""
    tracemalloc.start()
    assign(group)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def measure(strategies: Sequence[str], runs: int = RUNS) -> Iterator[Figure]:
    """Yield the figures of every workload and strategy; every answer is checked."""
    for workload in WORKLOADS:
        group = workload.group()
        for name in strategies:
            assign = STRATEGIES[name].settle
            check(group, assign(group))
            # A copy of a group has nothing worked out yet: subscribers, numbers, ...
            median_ms = median(milliseconds(partial(assign, replace(group))) for _ in range(runs))
            yield Figure(workload.name, name, median_ms, peak_mb(assign, replace(group)))


def microseconds_to_build(runs: int = 2_000) -> float:
    """Return the median time to build a group of 100 partitions from arrays."""
    topics, members = [f"t{t}" for t in range(4)], [f"c{m:02}" for m in range(10)]
    counts, lags, owners = np.full(4, 25), np.arange(100), np.arange(100) % 10

    def build() -> Group:
        return Group.of(topics, counts, members, lags=lags, owners=owners)

    return median(milliseconds(build) for _ in range(runs)) * 1000


def main(names: Sequence[str]) -> None:
    """Print the table, a line as soon as it is known."""
    print(f"{'workload':30}{'strategy':22}{'median ms':>12}{'peak MB':>10}")
    for figure in measure(names or list(STRATEGIES)):
        print(
            f"{figure.workload:30}{figure.strategy:22}"
            f"{figure.median_ms:12.2f}{figure.peak_mb:10.1f}",
            flush=True,
        )
    print(f"A group of 100 partitions is built in {microseconds_to_build():.0f} us.")


if __name__ == "__main__":
    main(sys.argv[1:])
