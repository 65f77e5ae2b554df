"""How many consumers it takes at least, whoever assigns the partitions."""

from dataclasses import dataclass

from assignors.model import Group
from evaluation.capacity.draining import TOLERANCE, Capacity, demand_of, speeds, too_heavy
from evaluation.capacity.packing import best_fit_decreasing, fewest_bins
from evaluation.capacity.resizing import as_planned


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What holds for every assignment of the group."""

    fewest: int | None
    """No assignment needs fewer (Martello and Toth's L2); None if no number is enough."""
    enough: int | None
    """Some assignment needs no more (best fit decreasing); None if unknown."""


def limits(group: Group, capacity: Capacity) -> Limits:
    """Return how few consumers any assignment needs, and how many are enough for one.

    Both treat every consumer as the fastest of the group. If speeds differ only the lower
    limit holds, and ``enough`` is None.
    """
    planned = as_planned(group)
    demand = demand_of(planned, capacity)
    fastest = fastest_of(group, capacity)
    if too_heavy(demand, fastest, capacity).size:
        return Limits(fewest=None, enough=None)
    room = fastest * (1 + TOLERANCE)  # as much as is_in_time accepts
    fewest = max(fewest_bins(demand.needs, room), 1)
    if (speeds(planned, capacity) != fastest).any():
        return Limits(fewest=fewest, enough=None)
    packed = best_fit_decreasing(demand.needs[demand.needs > 0], room)
    return Limits(fewest=fewest, enough=max(int(packed.max(initial=0)) + 1, 1))


def fastest_of(group: Group, capacity: Capacity) -> float:
    """Return the greatest throughput of a member, present or new."""
    return float(speeds(group, capacity).max(initial=capacity.throughput))
