"""Lag-based: assign each topic's partitions by lag, largest first.

Source: KAFKA-5337 and grantneale's LagBasedPartitionAssignor; Kafka never shipped it.
"""

from operator import add
from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import Group, IntArray, LongArray, Owners
from assignors.single_member import unless_single_member

_LARGEST: Final = int(np.iinfo(np.int64).max)
_FEW: Final = 64
"""Rounds of fewer partitions are faster in plain Python."""
_SMALL: Final = 256
"""Groups of up to this many partitions are assigned topic by topic, in plain Python."""


@unless_single_member
def lag_based(group: Group) -> Owners:
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
    if group.partition_count <= _SMALL:
        return _topic_by_topic(group)
    by_lag = most_lag_first(group)
    sizes = np.maximum(group.audiences.sizes, 1)
    # Until a member has lag, subscribers are ordered by id.
    seats = group.number_in_topic % sizes.astype(np.int32)[group.topic_of_partition]
    _reorder_rounds(group, sizes, group.counted_lags[by_lag], seats)
    owners = group.nobody()
    owners[by_lag] = group.seated(seats, group.audiences.members)
    return owners


def _topic_by_topic(group: Group) -> Owners:
    owners = group.nobody()
    for partitions, subscribers in group.wanted_slices():
        lags = group.counted_lags[partitions].tolist()
        order = sorted(range(len(lags)), key=lags.__getitem__, reverse=True)
        seats = _in_rounds([lags[place] for place in order], subscribers.size)
        owners[partitions][order] = subscribers.take(seats)
    return owners


def _in_rounds(lags: list[int], size: int) -> list[int]:
    """Return the seat that takes each partition of a topic; lags descend.

    Standings are those of ``_assign_rounds``: lag so far times ``size`` plus the seat.
    """
    if size == 1:
        return [0] * len(lags)
    standing, seats = list(range(size)), []
    for start in range(0, len(lags), size):
        seats += [key % size for key in standing]
        batch = lags[start : start + size]
        standing = sorted(key + lag * size for key, lag in zip(standing, batch, strict=False))
    return seats[: len(lags)]


def most_lag_first(group: Group) -> LongArray:
    """Return the partitions topic by topic, most lag first, ties by number."""
    lags, topic = group.counted_lags, group.topic_of_partition
    height, width = int(lags.max(initial=0)) + 1, int(group.topic_sizes.max(initial=0))
    if len(group.topics) * height * width > _LARGEST:
        return np.lexsort((-lags, topic))
    # Pack (topic, descending lag, number) into one sort key.
    keys = topic * np.int64(height) + (height - 1 - lags)
    keys = np.sort(keys * width + group.number_in_topic)
    return group.topic_starts[topic] + keys % width


def _reorder_rounds(group: Group, sizes: LongArray, lags: LongArray, seats: IntArray) -> None:
    """Correct the seats of every round whose order changes because of lag assigned before it.

    In each round every subscriber gets one partition, so between rounds counts are equal and
    only lag and id order them. Partitions without lag change nothing, so from round ``last`` on
    a topic's order is final. Topics with the same number of subscribers are processed together.
    """
    behind = np.bincount(group.topic_of_partition[lags > 0], minlength=sizes.size)
    last = np.minimum(-(-behind // sizes), (group.topic_sizes - 1) // sizes)
    topics = np.flatnonzero((last > 0) & (sizes > 1))
    topics = topics[np.lexsort((-last[topics], sizes[topics]))]
    for alike in np.split(topics, np.flatnonzero(np.diff(sizes[topics])) + 1):
        if alike.size:
            starts, size = group.topic_starts[alike], int(sizes[alike[0]])
            order = _assign_rounds(lags, seats, starts, last[alike], size)
            tails = starts + last[alike] * size, group.topic_starts[alike + 1]
            tail = ragged.spans(*tails)
            row = np.repeat(np.arange(alike.size), tails[1] - tails[0])
            seats[tail] = order[row, seats[tail]]


def _assign_rounds(
    lags: LongArray, seats: IntArray, starts: LongArray, last: LongArray, size: int
) -> LongArray:
    """Assign ``last`` rounds (descending) of each topic; return the order of the round after.

    A subscriber's standing is its lag so far times ``size`` plus its seat: one sort key for
    both. Rows of finished topics drop off the end.
    """
    standing = np.tile(np.arange(size), (starts.size, 1))
    is_small = int(lags.max()) * size * (int(last[0]) + 1) <= _LARGEST
    for round_ in range(int(last[0])):
        active = int(np.count_nonzero(last > round_))
        if active * size < _FEW or not is_small:
            for row in range(active):
                left = slice(starts[row] + round_ * size, starts[row] + last[row] * size)
                seats[left], standing[row] = _assign_one_topic(lags[left], standing[row])
            break
        indices = starts[:active, None] + (round_ * size + np.arange(size))
        seats[indices] = standing[:active] % size
        standing[:active] += lags[indices] * size
        standing[:active].sort(axis=1)
    return standing % size


def _assign_one_topic(lags: LongArray, standing: LongArray) -> tuple[list[int], list[int]]:
    """Do the same for one topic in Python integers; return the seats and the order."""
    size = standing.size
    scaled = [lag * size for lag in lags.tolist()]
    now, seats = standing.tolist(), []
    for start in range(0, len(scaled), size):
        seats += now
        now = sorted(map(add, now, scaled[start : start + size]))
    return [seat % size for seat in seats], [seat % size for seat in now]
