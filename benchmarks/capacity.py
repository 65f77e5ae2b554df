"""How long the Capacity page's answer takes: ``python -m benchmarks.capacity``.

The search from coarse to fine stands beside trying every number of consumers, which is given
up after a while.
"""

from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np

from assignors.model import Group
from evaluation.capacity.draining import Capacity
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.rates import default_throughput, spread_evenly
from evaluation.capacity.search import SearchRange, minimum, search, spread, try_numbers, window
from evaluation.capacity.trials import Trials

_NAMES: Final = ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688", "lag-capped")
_SIZES: Final = ((134, 12, 8), (10_000, 200, 50), (100_000, 1_000, 200))
"""Partitions, consumers today, topics."""
_GIVEN_UP_S: Final = 120.0
_POINTS: Final = 20


def main() -> None:
    """Print a line for each size: the recommendation, the pictures, and every number."""
    for partitions, members, topics in _SIZES:
        group = _group(partitions, members, topics)
        usual = default_throughput(group, pause_s=10, allowed_s=600)
        _measure(group, Capacity(throughput=usual, pause_s=10, allowed_s=600))


def _group(partitions: int, members: int, topics: int) -> Group:
    lags = np.random.default_rng(20160411).lognormal(6, 1.6, partitions)
    sizes = np.full(topics, partitions // topics)
    sizes[: partitions % topics] += 1
    group = Group.of(
        [f"topic-{number:03}" for number in range(topics)],
        sizes,
        [f"consumer-{number:04}" for number in range(members)],
        owners=np.arange(partitions) % members,
        lags=np.minimum(lags, 50_000).astype(np.int64),
    )
    return replace(group, rates=spread_evenly(group, 2000))


def _measure(group: Group, capacity: Capacity) -> None:
    begun = perf_counter()
    fewest = consumer_limits(group, capacity).fewest or 1
    most = max(min(group.partition_count, max(1_000, 4 * group.member_count)), fewest)
    exhaustive = min(1_000_000 // group.partition_count, 200)
    scope = SearchRange(fewest=fewest, most=most, exhaustive=exhaustive)
    trials = Trials(group, capacity, most)
    tried = sum(1 for _ in search(trials, _NAMES, scope))
    answered = perf_counter() - begun
    minima = [minimum(trials.curve(name), scope) for name in _NAMES]
    first, last = window(
        group.member_count, [least.consumers for least in minima if least.consumers], fewest
    )
    points = spread(range(first, min(last, most) + 1), [], _POINTS)
    tried += sum(1 for _ in try_numbers(trials, _NAMES, points))
    whole = perf_counter() - begun
    answers = ", ".join(f"{least.name} {least.consumers or 'none'}" for least in minima)
    print(
        f"{group.partition_count:,} partitions, {group.member_count:,} consumers today, "
        f"{fewest:,} to {most:,} considered: recommendation after {answered:.1f} s, with pictures "
        f"{whole:.1f} s, {tried:,} trials ({answers})"
    )
    print(f"  every number: {_exhaustive(Trials(group, capacity, most), range(1, most + 1))}")


def _exhaustive(trials: Trials, numbers: range) -> str:
    begun = perf_counter()
    for consumers in try_numbers(trials, _NAMES, numbers):
        if perf_counter() - begun > _GIVEN_UP_S:
            return f"given up after {_GIVEN_UP_S:.0f} s at {consumers:,} of {numbers[-1]:,}"
    return f"{perf_counter() - begun:.1f} s"


if __name__ == "__main__":
    main()
