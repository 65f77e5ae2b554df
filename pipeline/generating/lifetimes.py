"""Lifetimes of members: joins, departures, restarts and deployments."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pipeline.generating.traits import Event, Traits

_ODDS: Final = (0.25, 0.2, 0.3, 0.2, 0.05)
"""Of each ``Event``, where chance decides."""


@dataclass(eq=False)
class Lifetimes:
    """One entry a member, in no order; a restart is a second member on the same seat."""

    group: list[int]
    seat: list[int]
    born: list[int]
    gone: list[int]


@dataclass(eq=False)
class _GroupHistory:
    """What happens to one group, event after event; writes into the lifetimes of all."""

    all: Lifetimes
    group: int
    snapshots: int
    present: list[int]
    next_seat: int
    away: list[int] = field(default_factory=list)

    def happen(self, kind: Event, at: int, random: np.random.Generator) -> None:
        """Let one event take place; a group that is away can only come back."""
        if not self.present:
            self._start([self.all.seat[member] for member in self.away], at)
        elif kind == Event.JOIN:
            self._start([self.next_seat], at)
            self.next_seat += 1
        elif kind in {Event.LEAVE, Event.RESTART}:
            member = self.present[int(random.integers(len(self.present)))]
            self._end([member], at)
            if kind == Event.RESTART:
                self._start([self.all.seat[member]], at)
        else:
            present = self.present[:]
            self._end(present, at)
            if kind == Event.DEPLOY:
                self._start([self.all.seat[member] for member in present], at)

    def _start(self, seats: list[int], at: int) -> None:
        for seat in seats:
            self.present.append(len(self.all.seat))
            self.all.group.append(self.group)
            self.all.seat.append(seat)
            self.all.born.append(at)
            self.all.gone.append(self.snapshots)

    def _end(self, members: list[int], at: int) -> None:
        for member in members:
            self.all.gone[member] = at
        self.away = members
        self.present = [member for member in self.present if member not in set(members)]


def lifetimes(traits: Traits, snapshots: int, random: np.random.Generator) -> Lifetimes:
    """Decide who is there when; at most one event a group and snapshot, none at the first."""
    group = np.repeat(np.arange(len(traits)), traits.members)
    first = np.cumsum(traits.members) - traits.members
    seat = np.arange(group.size) - np.repeat(first, traits.members)
    every = Lifetimes(group.tolist(), seat.tolist(), [0] * group.size, [snapshots] * group.size)
    chances = np.minimum(random.poisson(traits.churn * snapshots), snapshots - 1)
    is_scripted = np.array([bool(events) for events in traits.script], np.bool_)
    for g in np.flatnonzero((chances > 0) | is_scripted).tolist():
        count = int(traits.members[g])
        present = list(range(int(first[g]), int(first[g]) + count))
        history = _GroupHistory(every, g, snapshots, present, count)
        times = 1 + random.choice(snapshots - 1, chances[g], replace=False)
        kinds = random.choice(len(_ODDS), chances[g], p=_ODDS)
        events = dict(zip(times.tolist(), map(Event, kinds.tolist()), strict=True))
        for at, event in sorted((events | dict(traits.script[g])).items()):
            history.happen(event, at, random)
    return every
