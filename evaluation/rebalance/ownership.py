"""The ownership timeline: which consumer reads which partition when, through several rebalances.

Numbers are those of the last group of the series, P partitions; consumers are numbered over the
whole series, in the order of their first appearance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group, IntArray, Owners
from assignors.strategy import Protocol
from evaluation.rebalance.events import ComeBack
from evaluation.rebalance.schedule import Planned
from evaluation.rebalance.simulation import HistoryStep, Rebalance
from evaluation.rebalance.timing import Timing


@dataclass(frozen=True, eq=False, kw_only=True)
class Phase:
    """A time during which every consumer reads the same partitions."""

    start_s: float
    end_s: float
    holders: IntArray
    """(P,) the consumer that owns the partition or owned it last; ``UNOWNED`` if none did."""
    is_read: BoolArray
    """(P,) whether its holder reads it."""
    is_wanted: BoolArray
    """(P,) whether it exists and has subscribers."""
    exists: BoolArray
    """(P,)"""

    @property
    def seconds(self) -> float:
        """Its duration."""
        return self.end_s - self.start_s

    @property
    def paused(self) -> int:
        """How many partitions are wanted but not read."""
        return int(np.count_nonzero(self.is_wanted & ~self.is_read))


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnershipTimeline:
    """All phases, one after another from 0 s, and the times of the events."""

    consumers: tuple[str, ...]
    phases: tuple[Phase, ...]
    event_at_s: tuple[float, ...]
    """When each event happens."""


def ownership_of(
    steps: Sequence[HistoryStep],
    plan: Sequence[Planned],
    protocol: Protocol,
    timing: Timing,
    *,
    calm_s: float,
) -> OwnershipTimeline:
    """Return the readers from the start to ``calm_s`` after the last rebalance.

    ``steps`` are the simulated events of the plan. An eager round pauses all partitions, a
    cooperative one only those revoked, and a broker those that move (KIP-848), as soon as its
    interval between assignments is over (KIP-1263). A static consumer that restarts is away
    meanwhile, and nothing else happens.
    """
    consumers = tuple(dict.fromkeys(name for s in steps for name in s.rebalance.group.members))
    draft = _Draft(steps[-1].group, consumers, steps[0].rebalance)
    event_at_s: list[float] = []
    assigned_at_s = -math.inf
    for step, entry in zip(steps[1:], plan, strict=True):
        began = event_at_s[-1] if event_at_s else 0.0
        draft.go_to(max(began + entry.wait_s, draft.stable_s))
        event_at_s.append(draft.now_s)
        if isinstance(step.event, ComeBack) and not step.rebalance.rounds:
            draft.restart(step.event, timing.restart_s)
            continue
        draft.seat(step.rebalance.group)
        draft.let_go(step.rebalance)
        draft.go_to(draft.now_s + entry.unnoticed_s)
        draft.go_to(max(draft.now_s, assigned_at_s + timing.interval_s(protocol)))
        assigned_at_s = draft.now_s
        draft.rebalance(step.rebalance, timing.round_s(protocol), timing.warm_up_s)
    draft.go_to(draft.stable_s + calm_s)
    return OwnershipTimeline(
        consumers=consumers,
        phases=tuple(draft.phases),
        event_at_s=tuple(event_at_s),
    )


class _Draft:
    """An ownership timeline under construction."""

    def __init__(self, last: Group, consumers: tuple[str, ...], first: Rebalance) -> None:
        count = last.partition_count
        self.last, self.phases = last, list[Phase]()
        self.now_s = self.stable_s = 0.0
        self.number = {name: k for k, name in enumerate(consumers)}
        self.topic = {name: t for t, name in enumerate(last.topics)}
        self.holders: IntArray = np.full(count, UNOWNED, np.int32)
        self.is_owned: BoolArray = np.zeros(count, np.bool_)
        self.ready_s: FloatArray = np.zeros(count)
        self.exists: BoolArray = np.zeros(count, np.bool_)
        self.is_wanted: BoolArray = np.zeros(count, np.bool_)
        self.seat(first.group)
        self._own(self._names(first, first.after))

    def seat(self, group: Group) -> None:
        """Update which partitions exist and which have subscribers."""
        self.places = np.concatenate(
            [
                np.arange(size) + self.last.layout.topic_starts[self.topic[name]]
                for name, size in zip(group.topics, group.topic_sizes.tolist(), strict=True)
            ]
            or [np.zeros(0, np.int64)]
        )
        self.exists[self.places] = True
        self.is_wanted[:] = False
        self.is_wanted[self.places] = group.is_wanted

    def let_go(self, event: Rebalance) -> None:
        """Stop reading what departed members owned."""
        stays = [self.number[name] for name in event.group.members]
        self.is_owned &= np.isin(self.holders, stays)

    def restart(self, event: ComeBack, seconds: float) -> None:
        """Let a consumer be away for some seconds and return to what it owns."""
        mine = self.is_owned & (self.holders == self.number[event.old_id])
        self.holders[mine] = self.number[event.new_id]
        self.ready_s[mine] = np.maximum(self.ready_s[mine], self.now_s + seconds)
        self._stabilize(mine)
        self.stable_s = max(self.stable_s, self.now_s + seconds)

    def rebalance(self, event: Rebalance, round_s: float, warm_up_s: float) -> None:
        """Go through the rounds; what pauses in one is read again at its end."""
        for round_ in event.rounds:
            self._own(self._names(event, round_.during))
            self.go_to(self.now_s + round_s)
            held = self.holders.copy()
            was_paused = ~self.is_owned
            self._own(self._names(event, round_.owners))
            is_new = self.is_owned & (self.holders != held)
            is_back = self.is_owned & was_paused
            self.ready_s[is_back] = np.maximum(self.ready_s[is_back], self.now_s)
            self.ready_s[is_new] = self.now_s + warm_up_s
        self.stable_s = self.now_s
        self._stabilize(self.is_owned)

    def go_to(self, end_s: float) -> None:
        """Advance time; partitions that become ready meanwhile start phases of their own."""
        ready = np.unique(self.ready_s[self.is_owned])
        cuts = ready[(ready > self.now_s) & (ready < end_s)].tolist()
        for cut in [*cuts, end_s]:
            if cut <= self.now_s:
                continue
            self.phases.append(
                Phase(
                    start_s=self.now_s,
                    end_s=cut,
                    holders=self.holders.copy(),
                    is_read=self.is_owned & self.is_wanted & (self.ready_s <= self.now_s),
                    is_wanted=self.is_wanted.copy(),
                    exists=self.exists.copy(),
                )
            )
            self.now_s = cut

    def _names(self, event: Rebalance, owners: Owners) -> IntArray:
        """Return owners of a step in the timeline's numbering."""
        number = [self.number[name] for name in event.group.members]
        named = np.full(self.last.partition_count, UNOWNED, np.int32)
        named[self.places] = np.array([*number, UNOWNED], np.int32)[owners]
        return named

    def _own(self, owners: IntArray) -> None:
        """Set the owners; a partition without one stays with its last owner."""
        self.is_owned = owners != UNOWNED
        self.holders = np.where(self.is_owned, owners, self.holders)

    def _stabilize(self, touched: BoolArray) -> None:
        latest = float(self.ready_s[touched].max(initial=0.0))
        self.stable_s = max(self.stable_s, self.now_s, latest)
