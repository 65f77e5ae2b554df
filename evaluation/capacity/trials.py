"""Trials of numbers of consumers under each strategy, recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import BoolArray, FloatArray, Group, LongArray, Owners
from assignors.rules import check
from evaluation.capacity.draining import (
    Capacity,
    Drained,
    demand_of,
    drained,
    is_in_time,
    speeds,
)
from evaluation.capacity.resizing import as_planned, resizer


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """One strategy at the K numbers of consumers tried, ascending."""

    name: str
    label: str
    consumers: LongArray
    """(K,)"""
    seconds: FloatArray
    """(K,) until the backlog is cleared, infinite if never."""
    loads: FloatArray
    """(K,) of the busiest consumer, as a share of its capacity."""
    idle: LongArray
    """(K,) consumers without partitions."""
    is_exact: BoolArray
    """(K,) False if the seconds are only a lower bound."""

    @classmethod
    def of(cls, name: str, tried: Mapping[int, Drained]) -> Self:
        """Return the curve through these trials."""
        consumers = sorted(tried)
        return cls(
            name=name,
            label=ALL_STRATEGIES[name].label,
            consumers=np.array(consumers, np.int64),
            seconds=np.array([tried[m].seconds for m in consumers], np.float64),
            loads=np.array([tried[m].load for m in consumers], np.float64),
            idle=np.array([tried[m].idle for m in consumers], np.int64),
            is_exact=np.array([tried[m].is_exact for m in consumers], np.bool_),
        )

    @property
    def works(self) -> BoolArray:
        """(K,) whether the backlog is cleared in time."""
        return np.asarray(is_in_time(self.loads))

    @property
    def first(self) -> int | None:
        """The smallest number tried that is in time; None if none is."""
        working = np.flatnonzero(self.works)
        return int(self.consumers[working[0]]) if working.size else None

    @property
    def always_from(self) -> int | None:
        """The number from which all tried are in time; None if the last is late."""
        failing = np.flatnonzero(~self.works)
        after = int(failing[-1]) + 1 if failing.size else 0
        return int(self.consumers[after]) if after < self.consumers.size else None

    def at(self, consumers: int) -> Drained | None:
        """Return the trial of a number of consumers; None if it was not tried."""
        k = int(np.searchsorted(self.consumers, consumers))
        if k == self.consumers.size or self.consumers[k] != consumers:
            return None
        return Drained(
            float(self.seconds[k]), float(self.loads[k]), int(self.idle[k]), bool(self.is_exact[k])
        )


def checked_answer(group: Group, name: str) -> Owners:
    """Return the strategy's result after all rounds. Raises InvalidAssignmentError."""
    return check(group, ALL_STRATEGIES[name].settle(group))


class Trials:
    """A group with other numbers of consumers; each pair of number and strategy runs once.

    Groups are those of ``resizing.resizer``. Trials are kept, so an interrupted search continues
    where it stopped.
    """

    def __init__(
        self,
        group: Group,
        capacity: Capacity,
        most: int,
        settle: Callable[[Group, str], Owners] = checked_answer,
    ) -> None:
        """Start without trials, of up to ``most`` consumers.

        ``settle`` runs a strategy, possibly in another process.
        """
        self._settle = settle
        self._capacity = capacity
        self._demand = demand_of(as_planned(group), capacity)
        self._resized = resizer(group, most)
        self._tried: dict[str, dict[int, Drained]] = {}

    def attempt(self, name: str, consumers: int) -> Drained:
        """Return the trial of a number of consumers under a strategy.

        Raises InvalidAssignmentError if the strategy breaks a rule.
        """
        tried = self._tried.setdefault(name, {})
        if consumers not in tried:
            group = self._resized(consumers)
            owners = self._settle(group, name)
            read = speeds(group, self._capacity)
            tried[consumers] = drained(self._demand, owners, read, self._capacity)
        return tried[consumers]

    def is_tried(self, name: str, consumers: int) -> bool:
        """Return whether a number of consumers was tried under a strategy."""
        return consumers in self._tried.get(name, {})

    def curve(self, name: str) -> Curve:
        """Return all trials of a strategy so far."""
        return Curve.of(name, dict(self._tried.get(name, {})))
