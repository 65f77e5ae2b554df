"""The cost of switching a running group from one strategy to another."""

from dataclasses import dataclass

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from assignors.strategy import Protocol, Strategy
from evaluation.metrics import figures_of
from evaluation.predicates import is_moved
from evaluation.rebalance.timing import Timing, rolling_restart_losses


@dataclass(frozen=True, kw_only=True)
class SwitchCost:
    """A group before and after a switch, with the same consumers and ids."""

    owned: int
    """Partitions with an owner before."""
    moved: int
    paused: int
    """Partitions unread during the rebalance that brings the new owners."""
    max_lag_before: int | None
    """Known lag of the busiest consumer; None if no lag is known."""
    max_lag_after: int | None
    restart_before: float
    """Partition-seconds lost by a rolling restart of the group under the current protocol."""
    restart_after: float


def pauses_all(before: Strategy, after: Strategy) -> bool:
    """Return whether a switch pauses every partition, not only those that move.

    A classic group stays eager until no consumer lists an eager strategy any more (KIP-429), so
    both protocols must be incremental.
    """
    return Protocol.EAGER in {before.protocol, after.protocol}


def switch_cost(
    group: Group, owners: Owners, before: Strategy, after: Strategy, timing: Timing | None = None
) -> SwitchCost:
    """Return the cost of switching from the current owners to those of ``after`` (P,).

    A group needs a member.
    """
    present = group.present_owners
    owned = int(np.count_nonzero(present != UNOWNED))
    moved = int(np.count_nonzero(is_moved(present, owners)))
    losses = {
        loss.protocol: loss.dynamic
        for loss in rolling_restart_losses(group.member_count, owned, timing or Timing())
    }
    return SwitchCost(
        owned=owned,
        moved=moved,
        paused=owned if pauses_all(before, after) else moved,
        max_lag_before=figures_of(group, present).max_lag,
        max_lag_after=figures_of(group, owners).max_lag,
        restart_before=losses[before.protocol],
        restart_after=losses[after.protocol],
    )
