"""The rounds from a group's present owners to the new ones, by protocol."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, Owners
from assignors.rules import InvalidAssignmentError, check
from assignors.strategy import Protocol, Strategy

MOST_ROUNDS: Final = 10
"""Of one cooperative rebalance; two are usual, more than this would never end."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RebalanceRound:
    """One round: the readers during it, and the owners at its end."""

    during: Owners
    """(P,) differs from the owner before or after only if ``UNOWNED``."""
    owners: Owners
    """(P,) at the end; ``UNOWNED`` while another consumer has yet to revoke the partition."""
    revoked: Owners
    """(P,) the member that revokes the partition in this round, ``UNOWNED`` if none."""
    paused: BoolArray
    """(P,) whether a wanted partition is unread during the round."""


def rebalance_rounds(group: Group, strategy: Strategy) -> tuple[RebalanceRound, ...]:
    """Return the rounds from the present owners to the strategy's final assignment.

    Every result is checked against the rules, and no partition may pass to another owner while the
    first still reads it. Raises InvalidAssignmentError otherwise.
    """
    rounds = _ROUNDS[strategy.protocol](group, strategy)
    check(group, rounds[-1].owners)
    return rounds


def next_generation(group: Group) -> int:
    """Return the generation of the next rebalance."""
    return max(int(group.claims.generations.max(initial=-1)), 0) + 1


def _eager(group: Group, strategy: Strategy) -> tuple[RebalanceRound, ...]:
    """One round: all members revoke all partitions, then get the new ones."""
    return (_round(group, group.nobody(), strategy.assign(group)),)


def _cooperative(group: Group, strategy: Strategy) -> tuple[RebalanceRound, ...]:
    """Revoke only what moves, in rounds until nothing is revoked or withheld (KIP-429).

    A strategy that keeps promises decides once: its second round completes the first one's target.
    """
    rounds: list[RebalanceRound] = []
    promised = strategy.settle(group) if strategy.keeps_promises else None
    while len(rounds) < MOST_ROUNDS:
        owners = strategy.assign(group) if promised is None or not rounds else promised
        round_ = _round(group, _undisputed(group, owners), owners)
        rounds.append(round_)
        is_withheld = (round_.owners == UNOWNED) & group.is_wanted
        if not is_withheld.any() and not (round_.revoked != UNOWNED).any():
            break
        group = group.owned_by(round_.owners, next_generation(group))
    return tuple(rounds)


def _undisputed(group: Group, owners: Owners) -> Owners:
    """Return the present owners, less those whose partition goes to an older claimant at once.

    With unequal subscriptions, CooperativeStickyAssignor withholds nothing from a member that
    claims it, of whatever generation, so two members consider it theirs until the present owner
    learns of it.
    """
    during = group.present_owners.copy()
    is_takers = owners[group.claims.partitions] == group.claims.members
    taken = group.claims.partitions[
        is_takers & (during[group.claims.partitions] != group.claims.members)
    ]
    during[taken] = UNOWNED
    return during


def _broker_side(group: Group, strategy: Strategy) -> tuple[RebalanceRound, ...]:
    """One round: only what moves pauses, until its owner revokes it."""
    held, target = group.present_owners, strategy.settle(group)
    stays = np.where(held == target, held, np.int32(UNOWNED))
    return (_round(group, stays, target),)


def _round(group: Group, during: Owners, owners: Owners) -> RebalanceRound:
    check(group, owners, complete=False)
    held = group.present_owners
    _refuse_handover(group, during, owners)
    gives_up = (held != UNOWNED) & ((during == UNOWNED) | (owners != held))
    return RebalanceRound(
        during=during,
        owners=owners,
        revoked=np.where(gives_up, held, np.int32(UNOWNED)),
        paused=(during == UNOWNED) & group.is_wanted,
    )


def _refuse_handover(group: Group, during: Owners, owners: Owners) -> None:
    """Reject a partition that two members would own at once."""
    is_doubled = (during != UNOWNED) & (owners != UNOWNED) & (during != owners)
    if is_doubled.any():
        partition = int(np.argmax(is_doubled))
        message = (
            f"{group.partition_name(partition)} is given to {group.members[owners[partition]]} "
            f"while {group.members[during[partition]]} still owns it"
        )
        raise InvalidAssignmentError(message)


_Rounds: TypeAlias = Callable[[Group, Strategy], tuple[RebalanceRound, ...]]
_ROUNDS: Final[Mapping[Protocol, _Rounds]] = {
    Protocol.EAGER: _eager,
    Protocol.COOPERATIVE: _cooperative,
    Protocol.BROKER: _broker_side,
}
