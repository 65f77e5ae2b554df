"""Producers and consumers of set speeds, played step by step: what snapshots of them would show.

A consumer reads what it has fetched of one partition before it turns to the next, as Kafka's
clients do, and commits every five seconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from assignors.model import Group
from evaluation.measuring.offset_history import Moment, OffsetHistory
from tests.advice.groups import Case

STEP_S: Final = 0.1
_COMMIT_S: Final = 5.0


@dataclass(kw_only=True)
class Reader:
    """A consumer of some partitions; ``speed`` in records/s."""

    name: str
    partitions: Sequence[int]
    speed: float
    stops_at_s: float = np.inf
    """From then on it reads and commits nothing."""
    paused: Sequence[int] = ()
    poison: Mapping[int, int] = field(default_factory=dict)
    """By partition, the offset of a record that fails again and again."""
    crashes_every_s: float = np.inf
    """It never gets to its first commit, and comes back under a new id."""
    fetches: int = 1_000
    """Records of one partition at a time."""
    drains: int | None = None
    """The partition whose fetched records it reads."""
    until: int = 0
    turn: int = 0


@dataclass(kw_only=True)
class Play:
    """Partitions of one topic, what arrives in each (records/s), and who reads them."""

    rates: Sequence[float]
    readers: Sequence[Reader]
    waiting: Sequence[int] | None = None
    """Records that wait at the start."""
    is_outside: bool = False
    """Whether the readers are no members."""
    now_s: float = 0.0

    def __post_init__(self) -> None:
        """Start all counts."""
        self.written = np.array(self.waiting or [0] * len(self.rates), np.float64) + 1_000
        self.position = np.full(len(self.rates), 1_000.0)
        self.committed = self.position.copy()

    @property
    def lag(self) -> float:
        """Records that wait, by position."""
        return float((self.written - self.position).sum())

    def run(self, seconds: float) -> None:
        """Let this much time pass."""
        for _ in range(round(seconds / STEP_S)):
            self.now_s = round(self.now_s + STEP_S, 6)
            self.written += np.array(self.rates) * STEP_S
            for reader in self.readers:
                if self.now_s <= reader.stops_at_s:
                    self._read(reader)

    def _read(self, reader: Reader) -> None:
        left = reader.speed * STEP_S
        while left > 1e-9 and (drains := self._next(reader)) is not None:
            most = min(left, reader.until - self.position[drains])
            self.position[drains] += most
            left -= most
        owned = list(reader.partitions)
        if np.isfinite(reader.crashes_every_s):
            if self.now_s % reader.crashes_every_s < STEP_S / 2:
                self.position[owned] = self.committed[owned]
        elif self.now_s % _COMMIT_S < STEP_S / 2:
            self.committed[owned] = np.floor(self.position[owned])

    def _next(self, reader: Reader) -> int | None:
        if reader.drains is not None and self.position[reader.drains] < reader.until:
            return reader.drains
        for k in range(len(reader.partitions)):
            turn = (reader.turn + k) % len(reader.partitions)
            partition = reader.partitions[turn]
            end = min(np.floor(self.written[partition]), self.position[partition] + reader.fetches)
            end = min(end, reader.poison.get(partition, np.inf))
            if partition not in reader.paused and end > self.position[partition]:
                reader.turn, reader.drains, reader.until = turn + 1, partition, int(end)
                return partition
        reader.drains = None
        return None

    def snapshot(self) -> Group:
        """Return what describing the group shows now."""
        names = [self._id(reader) for reader in self.readers]
        owners = np.full(len(self.rates), -1)
        for number, reader in enumerate(self.readers):
            owners[list(reader.partitions)] = number
        ends, committed = np.floor(self.written), self.committed
        return Group.of(
            ["t"],
            [len(self.rates)],
            [] if self.is_outside else names,
            owners=None if self.is_outside else owners,
            lags=(ends - committed).astype(np.int64),
        ).with_offsets(end=ends.astype(np.int64), committed=committed.astype(np.int64))

    def _id(self, reader: Reader) -> str:
        if np.isinf(reader.crashes_every_s):
            return reader.name
        return f"{reader.name}-{int(self.now_s / reader.crashes_every_s)}"

    def seen(self, *every_s: float) -> Case:
        """Return what snapshots tell, one now and one after each of these times."""
        groups, at_s = [self.snapshot()], [self.now_s]
        for seconds in every_s:
            self.run(seconds)
            groups.append(self.snapshot())
            at_s.append(self.now_s)
        moments = [Moment.of(group, at) for group, at in zip(groups, at_s, strict=True)]
        return Case(groups[-1], OffsetHistory(tuple(moments)))


def undated(found: Case) -> Case:
    """Return the same snapshots without their times."""
    moments = tuple(moment._replace(at_s=np.nan) for moment in found.history.moments)
    return Case(found.group, replace(found.history, moments=moments))
