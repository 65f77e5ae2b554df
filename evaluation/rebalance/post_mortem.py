"""A rebalance that has happened: who caused it, what it moved, and what assignors would have done.

P partitions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED
from assignors.strategy import Strategy
from evaluation.consumer_labels import labels_of
from evaluation.moves import is_moved
from evaluation.rebalance.observed import past_owners, with_past_owners
from evaluation.rebalance.owner_changes import OwnerChange


class RebalanceTrigger(Enum):
    """What caused a rebalance, as far as two snapshots tell; the first that holds."""

    RESTARTED = "restarted"
    """Back under a new id."""
    TIMED_OUT = "timed out"
    """Gone, and had committed nothing for a while although records waited: a guess."""
    LEFT = "left"
    JOINED = "joined"
    PARTITIONS = "partitions came or went"
    UNSEEN = "nobody came or went"
    """Someone came and went between the snapshots, or consumers balanced again."""


class MovedPartition(NamedTuple):
    """A partition that changed its owner; labels of consumers."""

    partition: str
    was: str
    now: str | None
    """None if nobody has it."""
    is_owner_gone: bool
    """Whether it had to move, since its owner is not in the group any more."""


class WouldHave(NamedTuple):
    """What an assignor makes of the same members, each with what it owned before."""

    strategy: Strategy
    moved: int
    alike: int
    """Partitions whose owner is the one that it gives."""


@dataclass(frozen=True, kw_only=True)
class PostMortem:
    """One rebalance, looked at afterwards."""

    change: OwnerChange
    trigger: RebalanceTrigger
    by: tuple[str, ...]
    """Labels of who triggered it."""
    owned: int
    """Partitions that had an owner before."""
    moved: tuple[MovedPartition, ...]
    would_have: tuple[WouldHave, ...]

    @property
    def lost_owner(self) -> int:
        """How many had to move because their owner is gone."""
        return sum(each.is_owner_gone for each in self.moved)


def post_mortem(change: OwnerChange, strategies: Sequence[Strategy]) -> PostMortem:
    """Return what a change of owners was, and what these strategies would have done instead."""
    before, after = change.before, change.after
    gone = tuple(sorted(set(before.members) - set(after.members)))
    past, now = past_owners(before, after, gone), after.present_owners
    label = {
        member: text
        for group in (before, after)
        for member, text in zip(group.members, labels_of(group), strict=True)
    }
    holders = [label[name] for name in (*after.members, *gone)]
    joined = with_past_owners(before, after)
    settled = [(each, each.settle(joined)) for each in strategies if after.member_count]
    trigger, by = _trigger(change)
    return PostMortem(
        change=change,
        trigger=trigger,
        by=tuple(label.get(name, name) for name in by),
        owned=int(np.count_nonzero(past != UNOWNED)),
        moved=tuple(
            MovedPartition(
                partition=after.partition_name(p),
                was=holders[past[p]],
                now=None if now[p] == UNOWNED else holders[now[p]],
                is_owner_gone=int(past[p]) >= after.member_count,
            )
            for p in np.flatnonzero(is_moved(past, now)).tolist()
        ),
        would_have=tuple(
            WouldHave(
                strategy=each,
                moved=int(np.count_nonzero(is_moved(past, owners))),
                alike=int(np.count_nonzero(owners == now)),
            )
            for each, owners in settled
        ),
    )


def _trigger(change: OwnerChange) -> tuple[RebalanceTrigger, tuple[str, ...]]:
    seen = change.rebalance
    for trigger, by in (
        (RebalanceTrigger.RESTARTED, change.renewed),
        (RebalanceTrigger.TIMED_OUT, seen.timed_out),
        (RebalanceTrigger.LEFT, seen.left),
        (RebalanceTrigger.JOINED, seen.joined),
    ):
        if by:
            return trigger, by
    if change.before.partition_count != change.after.partition_count:
        return RebalanceTrigger.PARTITIONS, ()
    return RebalanceTrigger.UNSEEN, ()
