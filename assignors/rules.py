"""The rules that every assignment must obey."""

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from assignors.strategy import Protocol, Strategy


class InvalidAssignmentError(ValueError):
    """An assignment that breaks a rule of the protocol; the message names rule and partition."""


def check(group: Group, owners: Owners, *, complete: bool = True) -> Owners:
    """Return the owners, as an array, if they obey the protocol.

    Each partition has at most one owner, a member that subscribes to its topic, and every
    partition with a subscriber has one. ``complete=False`` drops the last rule, for the first
    round of a cooperative rebalance (KIP-429).

    Raises InvalidAssignmentError naming the first partition that breaks a rule.
    """
    owners = np.asarray(owners)
    broken = _broken_rule(group, owners, complete=complete)
    if broken:
        raise InvalidAssignmentError(broken)
    return owners


def checked_answer(group: Group, strategy: Strategy) -> Owners:
    """Return the strategy's owners after all rounds.

    Raises InvalidAssignmentError if they break a rule. That, and whatever the strategy itself
    raises, gets a note that names the strategy.
    """
    try:
        return check(group, strategy.settle(group))
    except Exception as error:
        error.add_note(f"This is the answer of the strategy {strategy.name!r}.")
        if strategy.protocol is Protocol.COOPERATIVE and strategy.target is None:
            error.add_note("If its assign withholds what must be given up first, give it a target.")
        raise


def _broken_rule(group: Group, owners: Owners, *, complete: bool) -> str:
    if owners.shape != (group.partition_count,) or owners.dtype.kind != "i":
        return (
            f"expected one member number for each of {group.partition_count} partitions, "
            f"found {owners.dtype} of shape {owners.shape}"
        )
    least, most = int(owners.min(initial=0)), int(owners.max(initial=UNOWNED))
    if least < UNOWNED or most >= group.member_count:
        partition = int(np.argmax((owners < UNOWNED) | (owners >= group.member_count)))
        return (
            f"{group.partition_name(partition)} is assigned to member {owners[partition]}, "
            f"but the group has members 0 to {group.member_count - 1}"
        )
    if least != UNOWNED and group.layout.wants_everything:
        return ""
    unfit = np.flatnonzero(group.layout.fit(owners) != owners)
    if unfit.size:
        partition = int(unfit[0])
        return (
            f"{group.partition_name(partition)} is assigned to "
            f"{group.members[owners[partition]]}, which does not subscribe to the topic"
        )
    unassigned = np.flatnonzero(group.is_wanted & (owners == UNOWNED))
    if complete and unassigned.size:
        first = group.partition_name(int(unassigned[0]))
        return f"{first} has subscribers but no owner ({unassigned.size} such partitions)"
    return ""
