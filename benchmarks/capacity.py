"""How long it takes to try every number of consumers: ``python -m benchmarks.capacity``."""

from time import perf_counter, process_time
from typing import Final

import numpy as np

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity import Capacity
from evaluation.sweep import limits, sweep

_TOPICS: Final = 60
_PARTITIONS: Final = 50
_MEMBERS: Final = 450
_MOST: Final = 500


def main() -> None:
    """Print the seconds for all strategies and 1 to 500 consumers, and for the proof."""
    random = np.random.default_rng(20160411)
    group = Group.of(
        [f"topic-{number:03}" for number in range(_TOPICS)],
        [_PARTITIONS] * _TOPICS,
        [f"consumer-{number:03}" for number in range(_MEMBERS)],
        owners=np.arange(_TOPICS * _PARTITIONS) % _MEMBERS,
        lags=random.lognormal(6, 1.6, _TOPICS * _PARTITIONS).astype(np.int64),
    )
    capacity = Capacity(throughput=500, pause_s=10, allowed_s=600)
    wall, processor = perf_counter(), process_time()
    for _ in sweep(group, tuple(STRATEGIES), capacity, range(1, _MOST + 1)):
        pass
    print(
        f"1 to {_MOST} consumers over {group.partition_count:,} partitions, "
        f"{len(STRATEGIES)} strategies: {perf_counter() - wall:.1f} s, "
        f"{process_time() - processor:.1f} s of one processor"
    )
    wall = perf_counter()
    found = limits(group, capacity)
    print(
        f"at least {found.fewest}, enough {found.enough}: {1000 * (perf_counter() - wall):.0f} ms"
    )


if __name__ == "__main__":
    main()
