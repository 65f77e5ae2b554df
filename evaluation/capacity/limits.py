"""The fewest consumers that can be enough under any assignment."""

from bisect import bisect_left, insort
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

import numpy as np

from assignors.model import UNOWNED, FloatArray, Group, IntArray
from evaluation.capacity.draining import (
    TOLERANCE,
    Capacity,
    demand_of,
    drained,
    is_in_time,
    speeds,
    too_heavy,
)
from evaluation.capacity.resizing import as_planned

_ROUNDING: Final = 1e-9
"""Bin counts this close to an integer are that integer."""


@dataclass(frozen=True, kw_only=True)
class ConsumerLimits:
    """Bounds on the number of consumers for every assignment of the group."""

    fewest: int | None
    """No assignment needs fewer (Martello and Toth's L2); None if no number is enough."""
    enough: int | None
    """Some assignment needs no more (best fit decreasing); None if unknown."""


def consumer_limits(group: Group, capacity: Capacity) -> ConsumerLimits:
    """Return bounds on the number of consumers that are enough.

    Both treat every consumer as the fastest of the group. If speeds differ, or the cap on one
    partition makes the packing late, only the lower bound holds, and ``enough`` is None.
    """
    planned = as_planned(group)
    demand = demand_of(planned, capacity)
    fastest = fastest_of(group, capacity)
    if too_heavy(demand, fastest, capacity).size:
        return ConsumerLimits(fewest=None, enough=None)
    room = fastest * (1 + TOLERANCE)  # as much as is_in_time accepts
    fewest = max(fewest_bins(demand.needs, room), 1)
    if (speeds(planned, capacity.throughput) != fastest).any():
        return ConsumerLimits(fewest=fewest, enough=None)
    owners = np.full(demand.needs.size, UNOWNED, np.int32)
    owners[demand.needs > 0] = best_fit_decreasing(demand.needs[demand.needs > 0], room)
    enough = max(int(owners.max(initial=0)) + 1, 1)
    # With a cap on one partition, a consumer that carries its needs can still be late.
    load = drained(demand, owners, np.full(enough, fastest), capacity).load
    return ConsumerLimits(fewest=fewest, enough=enough if is_in_time(load) else None)


def consumers_to_keep_pace(
    rates: FloatArray, speed: float, partition_cap: float | None = None
) -> int | None:
    """Return how many consumers of this speed keep up, by best fit decreasing.

    A partition has one owner, so partitions count whole. None if one alone gets more than a
    consumer reads, or ``partition_cap`` lets be read, of it; then no number is enough.

    >>> consumers_to_keep_pace(np.full(8, 60.0), 100.0)  # 480/s in all, but no two fit together
    8
    """
    known = np.nan_to_num(rates)
    alone = speed if partition_cap is None else min(speed, partition_cap)
    if not speed > 0 or (known > alone * (1 + TOLERANCE)).any():
        return None
    bins = best_fit_decreasing(known[known > 0], speed * (1 + TOLERANCE))
    return max(int(bins.max(initial=0)) + 1, 1)


def least_growth(rates: FloatArray, speed: float, consumers: int) -> float:
    """Return by how many records/s the backlog grows with this many consumers of this speed.

    Partitions count whole, heaviest first to the consumer with the least; 0 where
    ``consumers_to_keep_pace`` says that they keep pace.

    >>> least_growth(np.full(4, 60.0), 100.0, 3)  # 120, 60 and 60
    20.0
    """
    needed = consumers_to_keep_pace(rates, speed)
    if needed is not None and consumers >= needed:
        return 0.0
    loads = [0.0] * consumers
    for rate in sorted(np.nan_to_num(rates).tolist(), reverse=True):
        heappush(loads, heappop(loads) + rate)
    return sum(max(load - speed, 0.0) for load in loads)


def fastest_of(group: Group, capacity: Capacity) -> float:
    """Return the highest throughput of a member, of today or new."""
    return float(speeds(group, capacity.throughput).max(initial=capacity.throughput))


def fewest_bins(weights: FloatArray, size: float) -> int:
    """Return a lower bound on the number of bins (Martello and Toth's L2).

    For every threshold: items that leave no room for one of that weight take a bin each, so does
    every other item above half a bin, and the rest must fit beside the latter. No weight may
    exceed the size. Not always reached: for 3, 3, 3, 3 and 2 in bins of 7 it is 2, but 3 are
    needed.

    >>> fewest_bins(np.array([6.0, 6.0, 6.0, 2.0]), 10.0)
    3
    """
    items = np.sort(weights[weights > 0])
    if not items.size:
        return 0
    below = np.concatenate([[0.0], np.cumsum(items)])
    half = int(np.searchsorted(items, size / 2, side="right"))
    least = np.concatenate([[0.0], items[:half]])  # the relevant thresholds
    first_light = np.searchsorted(items, least)
    first_full = np.maximum(np.searchsorted(items, size - least, side="right"), half)
    halves = first_full - half
    room = halves * size - (below[first_full] - below[half])
    light = below[half] - below[first_light]
    more = np.ceil(np.maximum(light - room, 0.0) / size - _ROUNDING)
    return int((items.size - first_full + halves + np.maximum(more, 0)).max())


def best_fit_decreasing(weights: FloatArray, size: float) -> IntArray:
    """Return a bin for each item: heaviest first, each into the fullest bin with room for it.

    Close to 11/9 of the fewest bins at worst. No weight may exceed the size.

    >>> best_fit_decreasing(np.array([2.0, 6.0, 5.0, 3.0]), 8.0).tolist()
    [0, 0, 1, 1]
    """
    bins = np.zeros(weights.size, np.int32)
    rooms: list[tuple[float, int]] = []
    opened = 0
    for item in np.argsort(-weights, kind="stable").tolist():
        weight = float(weights[item])
        place = bisect_left(rooms, (weight, -1))
        if place < len(rooms):
            room, chosen = rooms.pop(place)
        else:
            room, chosen, opened = size, opened, opened + 1
        insort(rooms, (room - weight, chosen))
        bins[item] = chosen
    return bins
