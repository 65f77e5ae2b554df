"""One rebalance under one strategy, and a series of them.

P partitions, M members of the group after the event; D members that left with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.strategy import Strategy
from evaluation.moves import is_moved
from evaluation.rebalance.events import Event, change_of
from evaluation.rebalance.regroup import past_of
from evaluation.rebalance.rounds import RebalanceRound, next_generation, rebalance_rounds


@dataclass(frozen=True, eq=False, kw_only=True)
class Rebalance:
    """One rebalance: the owners before and after, and the rounds between."""

    group: Group
    """The assignor's input."""
    departed: tuple[str, ...]
    """D members that left just before."""
    before: Owners
    """(P,) a member, ``UNOWNED``, or M + d for the departed member d."""
    after: Owners
    """(P,)"""
    rounds: tuple[RebalanceRound, ...]
    """() if the coordinator responded without a rebalance."""
    fewest: int | None
    """The fewest moves that make counts even; None if unknown."""

    @cached_property
    def is_moved(self) -> BoolArray:
        """(P,) owned before, and now by another member or none."""
        return is_moved(self.before, self.after)

    @cached_property
    def moved(self) -> int:
        """How many partitions lost their owner."""
        return int(np.count_nonzero(self.is_moved))

    @cached_property
    def kept(self) -> int:
        """How many partitions stayed with their owner."""
        return int(np.count_nonzero((self.before != UNOWNED) & (self.before == self.after)))

    @cached_property
    def new(self) -> int:
        """How many unowned partitions got an owner."""
        return int(np.count_nonzero((self.before == UNOWNED) & (self.after != UNOWNED)))

    @property
    def needless(self) -> int | None:
        """Moves that balance did not require; None if the fewest are unknown.

        0 if a strategy leaves counts uneven and moves fewer.
        """
        return None if self.fewest is None else max(self.moved - self.fewest, 0)

    @cached_property
    def is_paused(self) -> BoolArray:
        """(P,) owned before and still wanted, but unread for some time."""
        paused = np.zeros(self.before.size, np.bool_)
        for round_ in self.rounds:
            paused |= round_.paused
        paused &= self.before != UNOWNED
        return paused

    @property
    def paused(self) -> int:
        """How many partitions were unread for some time."""
        return int(np.count_nonzero(self.is_paused))

    def holder(self, number: int) -> str:
        """Return the name of a member, present or departed; "" for nobody."""
        return "" if number == UNOWNED else self.holders[number]

    @property
    def holders(self) -> tuple[str, ...]:
        """The names of the numbers in ``before`` and ``after``: members, then departed ones."""
        return (*self.group.members, *self.departed)


class Flows(NamedTuple):
    """How many partitions went from which member to which; no entry is empty."""

    source: IntArray
    """A number as in ``Rebalance.before``."""
    target: IntArray
    """A number as in ``Rebalance.after``."""
    partitions: LongArray


@dataclass(frozen=True, eq=False, kw_only=True)
class HistoryStep:
    """One step of a series: the event and the rebalance it caused."""

    event: Event | None
    """None for the start."""
    rebalance: Rebalance
    group: Group
    """The group afterwards, with its claims and generations."""


def simulate_rebalance(
    group: Group,
    strategy: Strategy,
    before: Owners | None = None,
    departed: tuple[str, ...] = (),
) -> Rebalance:
    """Return one rebalance of the group under one strategy.

    ``before`` are the owners before the last event, including ``departed`` members; by default
    the group's own claims. Raises InvalidAssignmentError if the strategy breaks a rule.
    """
    before = group.present_owners if before is None else before
    rounds = rebalance_rounds(group, strategy)
    return Rebalance(
        group=group,
        departed=departed,
        before=before,
        after=rounds[-1].owners,
        rounds=rounds,
        fewest=fewest_moves(group, before),
    )


def simulate_history(
    group: Group, events: Iterable[Event], strategy: Strategy
) -> list[HistoryStep]:
    """Return the start and one step per event, each from the strategy's last assignment.

    The start is the group's present owners, or the strategy's own assignment if nobody owns
    anything. Raises InvalidEventError for an impossible event.
    """
    steps = [_start(group, strategy)]
    for event in events:
        steps.append(_step(steps[-1].group, event, strategy))
    return steps


def fewest_moves(group: Group, before: Owners) -> int | None:
    """Return the fewest partitions that must change owner to make counts even.

    In closed form for equal subscriptions; None otherwise. Numbers in ``before`` from M on are
    departed members.
    """
    wanted = group.subscribes[np.unique(group.layout.class_of_member)]
    if not wanted.any() or (wanted != wanted[0]).any():
        return None
    owned = int(np.count_nonzero(before != UNOWNED))
    stays = (before != UNOWNED) & (before < group.member_count) & group.is_wanted
    counts = np.bincount(before[stays], minlength=group.member_count)
    quota, extra = divmod(int(np.count_nonzero(group.is_wanted)), group.member_count)
    can_stay = int(np.minimum(counts, quota).sum())
    return owned - can_stay - min(extra, int(np.count_nonzero(counts > quota)))


def flows(result: Rebalance) -> Flows:
    """Return how many partitions went from which member to which, including ``UNOWNED``."""
    width = len(result.holders) + 1
    pairs = (result.before.astype(np.int64) + 1) * width + result.after + 1
    codes, counts = np.unique(pairs[pairs > 0], return_counts=True)
    source, target = (codes // width - 1).astype(np.int32), (codes % width - 1).astype(np.int32)
    return Flows(source, target, counts.astype(np.int64))


def _start(group: Group, strategy: Strategy) -> HistoryStep:
    if not group.has_claims:
        first = simulate_rebalance(group, strategy)
        after = group.owned_by(first.after, next_generation(group))
        return HistoryStep(event=None, rebalance=first, group=after)
    return HistoryStep(event=None, rebalance=_as_it_was(group, group.present_owners), group=group)


def _step(before: Group, event: Event, strategy: Strategy) -> HistoryStep:
    change = change_of(before, event)
    owners, departed = past_of(before, change)
    if not change.rebalances:
        still = _as_it_was(change.group, owners)
        return HistoryStep(event=event, rebalance=still, group=change.group)
    result = simulate_rebalance(change.group, strategy, owners, departed)
    after = change.group.owned_by(result.after, next_generation(change.group))
    return HistoryStep(event=event, rebalance=result, group=after)


def _as_it_was(group: Group, owners: Owners) -> Rebalance:
    return Rebalance(group=group, departed=(), before=owners, after=owners, rounds=(), fewest=0)
