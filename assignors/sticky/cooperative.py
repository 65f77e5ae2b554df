"""Cooperative sticky: the sticky assignment, reached without stopping the world (KIP-429)."""

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, Owners
from assignors.single_member import unless_alone
from assignors.sticky.claims import Claims, resolved_claims
from assignors.sticky.eager import balanced, is_constrained


@unless_alone
def cooperative_target(group: Group) -> Owners:
    """Return where the cooperative rounds end if nothing else changes meanwhile."""
    return balanced(group).copy()


def cooperative_sticky(group: Group) -> Owners:
    """Return the coming round's answer: the target, less what must first be given up.

    A partition that another member still owns is withheld, so that nobody reads it, until
    its owner has given it up; the next round then gives it to its new owner. Sources:
    KIP-429, KAFKA-14639.
    """
    claims = resolved_claims(group)
    owners = balanced(group).copy()
    if is_constrained(group):
        is_withheld = _is_taken_away(claims, owners)
    else:
        is_withheld = _is_claimed_by_others_only(group, owners)
    owners[is_withheld] = UNOWNED
    return owners


def _is_taken_away(claims: Claims, owners: Owners) -> BoolArray:
    """(P,) whether its holder loses the partition, or members dispute it."""
    taken: BoolArray = (claims.holder != UNOWNED) & (claims.holder != owners)
    taken[claims.disputed] = True
    return taken


def _is_claimed_by_others_only(group: Group, owners: Owners) -> BoolArray:
    """(P,) whether members claim the partition, but not the one that is to own it."""
    claimed = np.zeros(group.partition_count, np.bool_)
    claimed[group.claims] = True
    claimed[group.claims[owners[group.claims] == group.member_of_claim]] = False
    return claimed
