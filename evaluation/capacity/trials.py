"""Trials of numbers of consumers under each strategy, recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.model import BoolArray, Group, LongArray, Owners
from assignors.rules import checked_answer
from assignors.strategy import Strategy
from evaluation.capacity.draining import (
    Capacity,
    Drained,
    demand_of,
    drained,
    is_in_time,
    known_rates,
    speeds,
    too_heavy,
)
from evaluation.capacity.limits import fastest_of
from evaluation.capacity.resizing import as_planned, resizer


@dataclass(frozen=True, eq=False)
class Curve:
    """One strategy at the K numbers of consumers tried, ascending."""

    strategy: Strategy
    tried: Mapping[int, Drained]

    @cached_property
    def consumers(self) -> LongArray:
        """(K,)."""
        return np.array(sorted(self.tried), np.int64)

    @cached_property
    def columns(self) -> Mapping[str, npt.NDArray[Any]]:
        """(K,) each: the fields of ``Drained``."""
        rows = [self.tried[m] for m in self.consumers.tolist()]
        columns = zip(*rows, strict=True) if rows else ((),) * len(Drained._fields)
        return {k: np.array(column) for k, column in zip(Drained._fields, columns, strict=True)}

    @property
    def works(self) -> BoolArray:
        """(K,) whether the backlog is cleared in time."""
        return np.asarray(is_in_time(self.columns["load"]))

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
        return self.tried.get(consumers)


class Tried(NamedTuple):
    """One number of consumers under one strategy."""

    base: Drained
    raised: Drained
    """With more arriving, by the headroom."""


Tries: TypeAlias = Mapping[Strategy, Mapping[int, Tried]]
"""By strategy and number of consumers."""


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
        settle: Callable[[Group, Strategy], Owners] = checked_answer,
        headroom: float = 0.0,
    ) -> None:
        """Start without trials, of up to ``most`` consumers.

        ``settle`` runs a strategy, possibly in another process. ``headroom`` is the share by which
        more may arrive than the owners were chosen for.
        """
        planned = as_planned(group)
        self._settle = settle
        self.resized = resizer(group, most)
        self._tried: dict[Strategy, dict[int, Tried]] = {}
        self.capacity = capacity
        self.demand = demand_of(planned, capacity)
        more = known_rates(planned) * (1 + headroom)
        self.raised = demand_of(planned.with_rates(more), capacity)
        """What must be read with the headroom."""
        self.fastest = fastest_of(group, capacity)
        alone = too_heavy(self.raised, self.fastest, capacity)
        carried = more.copy()
        carried[alone] = known_rates(planned)[alone]
        self._carried = demand_of(planned.with_rates(carried), capacity)
        self.topic_sizes = planned.topic_sizes

    @property
    def tried(self) -> Tries:
        """All trials so far."""
        return {strategy: dict(tries) for strategy, tries in self._tried.items()}

    def add(self, tries: Tries) -> None:
        """Take over trials of the same question that ran elsewhere; what is known stays."""
        for strategy, new in tries.items():
            of_strategy = self._tried.setdefault(strategy, {})
            for consumers, each in new.items():
                of_strategy.setdefault(consumers, each)

    def attempt(self, strategy: Strategy, consumers: int) -> Drained:
        """Return the trial of a number of consumers under a strategy.

        Raises InvalidAssignmentError if the strategy breaks a rule.
        """
        if not self.is_tried(strategy, consumers):
            self.put(strategy, consumers, self._settle(self.resized(consumers), strategy))
        return self._tried[strategy][consumers].base

    def put(self, strategy: Strategy, consumers: int, owners: Owners) -> None:
        """Make this the trial of a number of consumers, with owners from elsewhere."""
        read = speeds(self.resized(consumers), self.capacity.throughput)
        self._tried.setdefault(strategy, {})[consumers] = Tried(
            drained(self.demand, owners, read, self.capacity),
            drained(self._carried, owners, read, self.capacity),
        )

    def is_tried(self, strategy: Strategy, consumers: int) -> bool:
        """Return whether a number of consumers was tried under a strategy."""
        return consumers in self._tried.get(strategy, {})

    def curve(self, strategy: Strategy) -> Curve:
        """Return all trials of a strategy so far."""
        tried = dict(self._tried.get(strategy, {}))
        return Curve(strategy, {n: each.base for n, each in tried.items()})

    def curve_with_headroom(self, strategy: Strategy) -> Curve:
        """Return the same trials with more arriving, by the headroom.

        Partitions that no consumer could then read in time get what they get without it: no
        number of consumers decides about them.
        """
        tried = dict(self._tried.get(strategy, {}))
        return Curve(strategy, {n: each.raised for n, each in tried.items()})
