"""How many partitions a topic needs, and which numbers of consumers divide them (nearly) evenly."""

import math
from typing import Final, NamedTuple

import numpy as np

from assignors.model import FloatArray, Group, LongArray
from assignors.sums import float_sums

_ROUNDING: Final = 1e-9


def partitions_needed(group: Group, rates: FloatArray, speed: float) -> LongArray:
    """Return how many partitions each topic needs for its arrivals, with keys spread evenly.

    ``rates`` (P,) records/s, NaN unknown; ``speed`` is the read rate of one partition. (T,), at
    least 1 each. Keys that are not spread evenly need more, or a split of the heaviest.

    >>> group = Group.fresh({"a": 2, "b": 4}, ["c"])
    >>> partitions_needed(group, np.array([900.0, 100, 50, 50, 50, 50]), 300.0).tolist()
    [4, 1]
    """
    totals = float_sums(group.topic_of_partition, np.nan_to_num(rates), len(group.topics))
    return np.maximum(np.ceil(totals / speed - _ROUNDING), 1).astype(np.int64)


def partitions_in_time(rate: float, backlog: float, speed: float, allowed_s: float) -> int | None:
    """Return over how many partitions the keys of a partition are to be split; None if none helps.

    ``rate`` and ``speed`` in records/s. What it has behind, ``backlog``, stays where it is: that
    alone may take too long. 1 means that the partition is in time as it is.

    >>> partitions_in_time(900.0, 0.0, 600.0, 600.0), partitions_in_time(900.0, 4e5, 600.0, 600.0)
    (2, None)
    """
    spare = speed - backlog / allowed_s
    if spare < 0 or (rate and not spare):
        return None
    return max(math.ceil(rate / spare - _ROUNDING), 1) if rate else 1


class Pods(NamedTuple):
    """Consumers as threads of pods."""

    threads: int
    needed: int
    useful: int
    """More pods than this leave whole pods without a partition, under even counts."""


def pods_of(consumers: int, partitions: int, threads: int) -> Pods:
    """Return how many pods of ``threads`` threads run these consumers, and how many are useful.

    >>> pods_of(consumers=10, partitions=24, threads=4)
    Pods(threads=4, needed=3, useful=6)
    """
    return Pods(threads, -(-consumers // threads), max(-(-partitions // threads), 1))


def even_counts(partitions: int, most: int) -> list[int]:
    """Return the numbers of consumers, 2 to ``most``, that get equally many partitions each.

    >>> even_counts(24, 24)
    [2, 3, 4, 6, 8, 12, 24]
    """
    return [n for n in range(2, min(partitions, most) + 1) if partitions % n == 0]


def useful_counts(partitions: int) -> list[int]:
    """Return the numbers of consumers at which ``ceil(partitions / consumers)`` falls, ascending.

    Between two of them the fullest consumer holds as many partitions as with the smaller number.
    That is by count, for an assignment as even as counts allow; lags and rates may differ.

    >>> useful_counts(24)
    [1, 2, 3, 4, 5, 6, 8, 12, 24]
    """
    return [
        consumers
        for consumers in range(1, partitions + 1)
        if consumers == 1 or -(-partitions // consumers) < -(-partitions // (consumers - 1))
    ]
