"""The cost of switching a running group from one strategy to another."""

from dataclasses import dataclass

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.strategy import Protocol, Strategy
from evaluation.rebalance.timing import Timing, rolling_restart_losses


@dataclass(frozen=True, kw_only=True)
class SwitchCost:
    """The cost of a switch, and of a later rolling restart; for the way see ``lost``.

    Losses are in partition-seconds of reading, with dynamic consumers.
    """

    restarts: int
    """Rolling restarts on the way."""
    restart_before: float
    """By a rolling restart under the strategy before."""
    restart_after: float


def rolling_restarts(before: Strategy, after: Strategy) -> int:
    """Return how many rolling restarts a switch takes.

    All consumers of a classic group need a strategy in common at every moment: the first restart
    adds the new one, the second removes the old one. Between protocols, and between broker-side
    assignors, the coordinator serves old and new consumers together (KIP-848).
    """
    if before == after or (
        before.remote_assignor and before.remote_assignor == after.remote_assignor
    ):
        return 0
    return 1 if Protocol.BROKER in {before.protocol, after.protocol} else 2


def fewest_restarts(before: Strategy, after: Strategy) -> int:
    """Return how many rolling restarts a switch takes where the clients set no strategy.

    Java's list Range and Cooperative sticky since 3.0 (KIP-726): only Range has to be removed.
    """
    is_default = (before.name, after.name) == ("range", "cooperative-sticky")
    return 1 if is_default else rolling_restarts(before, after)


def way_in_words(restarts: int | None, fewest: int | None = None) -> str:
    """Return what leads to another strategy; None is an unknown number of rolling restarts.

    >>> way_in_words(0), way_in_words(2, 2)
    ('the next rebalance', 'two rolling restarts')
    >>> way_in_words(2, 1)
    'one rolling restart (defaults since Kafka 3.0) or two'
    """
    if restarts is None:
        return "one or two rolling restarts"
    if fewest is not None and fewest < restarts:
        return "one rolling restart (defaults since Kafka 3.0) or two"
    return ("the next rebalance", "one rolling restart", "two rolling restarts")[restarts]


def is_switch(group: Group, runs: Strategy | None, strategy: Strategy) -> bool:
    """Return whether a group that runs one strategy, or an unknown one, restarts for another.

    A group that nobody owns yet, or without members, starts afresh under any.
    """
    if not group.has_claims or not group.member_count:
        return False
    return runs is None or rolling_restarts(runs, strategy) > 0


def pauses_all(before: Strategy, after: Strategy) -> bool:
    """Return whether a switch pauses every partition, not only those that move.

    A classic group stays eager until no consumer lists an eager strategy any more (KIP-429), so
    both protocols must be incremental.
    """
    return Protocol.EAGER in {before.protocol, after.protocol}


def keeps_owners(before: Strategy | None, after: Strategy) -> bool:
    """Return whether a sticky strategy that takes over knows the owners there are.

    A broker does, and so does whatever follows one; between classic strategies, if both are
    cooperative.
    """
    protocols = [after.protocol] if before is None else [before.protocol, after.protocol]
    return Protocol.BROKER in protocols or protocols == [Protocol.COOPERATIVE] * 2


def switch_cost(
    group: Group, before: Strategy, after: Strategy, timing: Timing | None = None
) -> SwitchCost:
    """Return the cost of switching a group, which needs a member."""
    owned = int(np.count_nonzero(group.present_owners != UNOWNED))
    losses = {
        loss.protocol: loss.dynamic
        for loss in rolling_restart_losses(group.member_count, owned, timing or Timing())
    }
    return SwitchCost(
        restarts=rolling_restarts(before, after),
        restart_before=losses[before.protocol],
        restart_after=losses[after.protocol],
    )
