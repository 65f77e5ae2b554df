"""Lag-based: assign each topic's partitions by lag, largest first.

Source: KAFKA-5337 and grantneale's LagBasedPartitionAssignor; Kafka never shipped it.
"""

from typing import Final

import numpy as np

from assignors.batch import lag_turns
from assignors.model import Group, Owners
from assignors.single_member import unless_single_member
from assignors.trace.events import Trace
from assignors.trace.rules import FewestOfTopic

_LARGEST: Final = int(np.iinfo(np.int64).max)
_SMALL: Final = 256
_NARROW: Final = 64
"""Up to 256 partitions, or 64 a turn, plain Python is the faster form."""


@unless_single_member
def lag_based(group: Group, *, trace: Trace | None = None) -> Owners:
    """Assign each topic's partitions, most lag first, to the subscriber with the fewest.

    Among those with the fewest partitions of this topic, the one with the least lag of this
    topic comes first, then the smallest member id. Unknown and negative lags count as 0.

    It balances each topic separately: totals restart with every topic and ties go to the
    smallest id, so one member can lead in all of them, like C0 here. Nor is it optimal within
    a topic, since counts come before lag (``lag-count-first`` in the samples).

    >>> lags = {"t0": [100000, 50000, 60000], "t1": [10, 1000]}
    >>> group = Group.fresh({"t0": 3, "t1": 2}, members=["C0", "C1"], lags=lags)
    >>> group.named(lag_based(group))
    {'C0': ('t0-0', 't1-1'), 'C1': ('t0-1', 't0-2', 't1-0')}
    """
    if _is_wide(group) and not trace:
        return lag_turns.lag_based(group)
    return topic_by_topic(group, trace)


def _is_wide(group: Group) -> bool:
    """Return whether arrays pay: many partitions a turn, and totals that fit 64 bits."""
    if group.partition_count <= _SMALL:
        return False
    turns = int(np.max(group.topic_sizes // np.maximum(group.audiences.sizes, 1)))
    largest = int(group.counted_weights.max()) + 1
    fits = largest * (group.partition_count + group.member_count) <= _LARGEST
    return fits and group.partition_count > _NARROW * turns


def topic_by_topic(group: Group, trace: Trace | None = None) -> Owners:
    """Assign in Python integers, which hold any total."""
    owners = group.nobody()
    for partitions, subscribers in group.wanted_slices():
        lags = group.counted_weights[partitions].tolist()
        order = sorted(range(len(lags)), key=lags.__getitem__, reverse=True)
        seats = _in_turns([lags[place] for place in order], subscribers.size)
        owners[partitions][order] = takers = subscribers.take(seats)
        if trace:
            trace.assigned(partitions.start + np.array(order), takers, FewestOfTopic())
    return owners


def _in_turns(lags: list[int], size: int) -> list[int]:
    """Return the seat that takes each partition of a topic; lags descend.

    In each turn every subscriber gets one partition, so between turns counts are equal and only
    lag and id order them. A standing is the lag so far times ``size`` plus the seat.
    """
    if size == 1:
        return [0] * len(lags)
    standing, seats = list(range(size)), []
    for start in range(0, len(lags), size):
        seats += [key % size for key in standing]
        batch = lags[start : start + size]
        standing = sorted(key + lag * size for key, lag in zip(standing, batch, strict=False))
    return seats[: len(lags)]
