"""How long every strategy takes with 1, 2, 3 … consumers.

Strategies are not monotone: one more consumer can shift every partition and put the two
heaviest on one consumer. So every number is tried, and "works first at" and "works always
from" are two figures.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assignors.model import BoolArray, FloatArray, Group, LongArray, Owners
from assignors.registry import STRATEGIES
from assignors.rules import check
from evaluation.capacity import (
    TOLERANCE,
    Capacity,
    Drained,
    demand_of,
    drained,
    is_in_time,
    speeds,
    too_heavy,
)
from evaluation.packing import best_fit_decreasing, fewest_bins
from evaluation.resizing import resized, with_shared_subscription


class Sized(NamedTuple):
    """One number of consumers, tried under every strategy."""

    consumers: int
    outcomes: tuple[Drained, ...]
    """One a strategy, in the order asked for."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """One strategy over all numbers of consumers tried, K of them, ascending."""

    name: str
    label: str
    consumers: LongArray
    """(K,)"""
    seconds: FloatArray
    """(K,) until the backlog is gone, infinite if never."""
    loads: FloatArray
    """(K,) of the consumer worst off, as a share of what it can read."""
    idle: LongArray
    """(K,) consumers without a partition."""
    is_exact: BoolArray
    """(K,) False where the seconds are only a lower bound."""

    @property
    def works(self) -> BoolArray:
        """(K,) whether everybody is done in time."""
        return np.asarray(is_in_time(self.loads))

    @property
    def first(self) -> int | None:
        """The smallest number of consumers that works; None if none of those tried does."""
        working = np.flatnonzero(self.works)
        return int(self.consumers[working[0]]) if working.size else None

    @property
    def always_from(self) -> int | None:
        """The number from which on all numbers tried work; None if the last does not."""
        failing = np.flatnonzero(~self.works)
        after = int(failing[-1]) + 1 if failing.size else 0
        return int(self.consumers[after]) if after < self.consumers.size else None

    def at(self, consumers: int) -> Drained:
        """Return what a number of consumers comes to; it must have been tried."""
        k = int(np.searchsorted(self.consumers, consumers))
        return Drained(
            float(self.seconds[k]), float(self.loads[k]), int(self.idle[k]), bool(self.is_exact[k])
        )


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How many consumers it takes at least, whoever assigns the partitions."""

    fewest: int | None
    """No assignment does with fewer (Martello and Toth's L2); None if no number is enough."""
    enough: int | None
    """An assignment that does with so many exists (best fit decreasing); None if not known."""


def sweep(
    group: Group, names: Sequence[str], capacity: Capacity, sizes: Sequence[int]
) -> Iterator[Sized]:
    """Yield what each number of consumers, in this order, comes to under the named strategies.

    The groups are those of ``resizing.resized``. Nothing is computed ahead: whoever stops
    asking pays no more. Raises InvalidAssignmentError if a strategy breaks a rule.
    """
    demand = demand_of(with_shared_subscription(group), capacity)
    for size, tried in zip(sizes, resized(group, sizes), strict=True):
        read = speeds(tried, capacity)
        yield Sized(
            size,
            tuple(drained(demand, _settled(tried, name), read, capacity) for name in names),
        )


def curves(names: Sequence[str], rows: Iterable[Sized]) -> tuple[Curve, ...]:
    """Return one curve a strategy from the rows of a sweep over ascending numbers."""
    found = list(rows)
    consumers = np.array([row.consumers for row in found], np.int64)
    return tuple(
        Curve(
            name=name,
            label=STRATEGIES[name].label,
            consumers=consumers,
            seconds=np.array([row.outcomes[s].seconds for row in found]),
            loads=np.array([row.outcomes[s].load for row in found]),
            idle=np.array([row.outcomes[s].idle for row in found], np.int64),
            is_exact=np.array([row.outcomes[s].is_exact for row in found], np.bool_),
        )
        for s, name in enumerate(names)
    )


def limits(group: Group, capacity: Capacity) -> Limits:
    """Return how few consumers any assignment needs, and how many are enough for one.

    Both see every consumer as the fastest of the group. If speeds differ only the lower
    one holds, and ``enough`` is None.
    """
    alike = with_shared_subscription(group)
    demand = demand_of(alike, capacity)
    read = speeds(alike, capacity)
    fastest = fastest_of(group, capacity)
    if too_heavy(demand, fastest, capacity).size:
        return Limits(fewest=None, enough=None)
    room = fastest * (1 + TOLERANCE)  # as much as is_in_time lets pass
    fewest = max(fewest_bins(demand.needs, room), 1)
    if (read != fastest).any():
        return Limits(fewest=fewest, enough=None)
    packed = best_fit_decreasing(demand.needs[demand.needs > 0], room)
    return Limits(fewest=fewest, enough=max(int(packed.max(initial=0)) + 1, 1))


def fastest_of(group: Group, capacity: Capacity) -> float:
    """Return the greatest throughput of a member, present or to come."""
    return float(speeds(group, capacity).max(initial=capacity.throughput))


def _settled(group: Group, name: str) -> Owners:
    return check(group, STRATEGIES[name].settle(group))
