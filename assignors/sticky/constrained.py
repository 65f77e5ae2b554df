"""Sticky assignment where all members subscribe to the same topics."""

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, Unfilled, give_up_beyond, held_by_each, in_turns
from assignors.racks import Racks
from assignors.sticky.claims import Claims
from assignors.sticky.rack_matching import deal_near


def constrained(group: Group, claims: Claims) -> Owners:
    """Keep what the quota allows, then deal the rest to whoever has too few.

    Counts differ by at most one. Without racks no more partitions move than that demands;
    with racks (KIP-881), members also give up what has no replica in their rack, and take
    what has one first. Sources: KAFKA-9987, KAFKA-12464, KAFKA-14639, KAFKA-16277.
    """
    quota, racks = Quota.of(group), Racks.that_matter(group)
    owners = kept_at_most(claims, racks)
    counts = held_by_each(owners, group.member_count)
    if quota.is_met(counts):
        return owners
    keepers = quota.keepers_of_extras(group, counts)
    give_up_excess(group, owners, counts, quota, keepers)
    extras_left = quota.extras - keepers.size
    needy = np.flatnonzero(counts < quota.least).astype(np.int32)
    unfilled = Unfilled(
        needy, quota.least - counts[needy], even_members(counts, quota, keepers, extras_left)
    )
    unassigned = np.flatnonzero(group.is_wanted & (owners == UNOWNED)).astype(np.int32)
    if racks is not None:
        unassigned, unfilled = deal_near(racks, owners, unassigned, unfilled, extras_left)
    owners[unassigned] = takers(unfilled)[: unassigned.size]
    return owners


def kept_at_most(claims: Claims, racks: Racks | None) -> Owners:
    """Return the holders, less what is disputed or has no replica in its holder's rack."""
    owners = claims.holder.copy()
    owners[claims.disputed] = UNOWNED
    if racks is not None:
        held = np.flatnonzero(owners != UNOWNED).astype(np.int32)
        owners[held[racks.mismatch(owners[held], held)]] = UNOWNED
    return owners


def give_up_excess(
    group: Group, owners: Owners, counts: LongArray, quota: Quota, keepers: IntArray
) -> None:
    """Leave every member the first partitions of its quota, by partition, then topic number.

    So a member keeps some of every topic instead of all of the first (KAFKA-16277).
    """
    allowed = np.full(group.member_count, quota.least)
    allowed[keepers] = quota.most
    # One entry more, for UNOWNED.
    is_overfull = np.append(counts > allowed, False)
    excess = np.flatnonzero(is_overfull[owners]).astype(np.int32)
    if excess.size:
        order = np.lexsort((group.number_in_topic[excess], owners[excess]))
        give_up_beyond(owners, allowed, excess[order])


def even_members(counts: LongArray, quota: Quota, keepers: IntArray, extras_left: int) -> IntArray:
    """Return the members that hold the least count and may take an extra partition."""
    if not extras_left:
        return np.zeros(0, np.int32)
    is_even = counts >= quota.least
    is_even[keepers] = False
    return np.flatnonzero(is_even).astype(np.int32)


def takers(unfilled: Unfilled) -> IntArray:
    """Return who takes each partition: first the needy in turns, then one extra to each.

    Members that were needy queue for the extras in the order they ceased to be.
    """
    ceased = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
    return np.concatenate([in_turns(unfilled.needy, unfilled.needs), unfilled.even, ceased])
