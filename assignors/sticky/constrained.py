"""Sticky assignment where all members subscribe to the same topics."""

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, Unfilled, give_up_beyond, held_by_each, round_robin, tell_quotas
from assignors.sticky.claims import Resolved
from assignors.sticky.rack_matching import assign_near
from assignors.sticky.racks import Racks
from assignors.trace.events import Trace
from assignors.trace.rules import (
    Claimed,
    Disputed,
    Extra,
    Filled,
    Listing,
    Near,
    OffRack,
    Queue,
    Shares,
    Unmatched,
)


def constrained(group: Group, claims: Resolved, trace: Trace | None = None) -> Owners:
    """Keep what the quota allows, then assign the rest to members below it.

    Counts differ by at most one. Without racks no more partitions move than that requires; with
    racks (KIP-881), members also give up what has no replica in their rack and take what has
    one first. Sources: KAFKA-9987, KAFKA-12464, KAFKA-14639, KAFKA-16277.
    """
    quota, racks = Quota.of(group), Racks.that_matter(group)
    held = _held_near(claims, racks)
    counts = held_by_each(held, group.member_count)
    keepers = quota.keepers_of_extras(group, counts)
    allowed = np.full(group.member_count, quota.least)
    allowed[keepers] = quota.most
    kept = _without_excess(group, held, counts, allowed)
    if trace:
        trace.note(Shares(*quota))
        trace.note(Claimed(claims.holder, is_newest_only=False))
        _tell_lost(trace, claims, held)
        listed = np.flatnonzero(held != UNOWNED)
        listed = listed[np.lexsort((listed, group.number_in_topic[listed], held[listed]))]
        tell_quotas(trace, held, kept, allowed, listed, Listing.BY_NUMBER, Shares(*quota))
    extras_left = quota.extras - keepers.size
    needy = np.flatnonzero(counts < quota.least).astype(np.int32)
    even = _even_members(counts, quota, keepers, extras_left)
    unfilled = Unfilled(needy, quota.least - counts[needy], even)
    unassigned = np.flatnonzero(group.is_wanted & (kept == UNOWNED)).astype(np.int32)
    if racks is None:
        if trace:
            trace.note(Queue(), unassigned)
        return _filled(kept, unassigned, unfilled, quota, trace)
    unassigned = unassigned[np.argsort(racks.members_near(unassigned), kind="stable")]
    near, waiting, unfilled = assign_near(racks, kept, unassigned, unfilled, extras_left)
    if trace:
        trace.note(Queue(is_by_racks=True), unassigned)
        is_near = near[unassigned] != UNOWNED
        trace.assigned(unassigned[is_near], near[unassigned[is_near]], Near(quota.least))
        trace.note(Unmatched(), waiting)
    return _filled(near, waiting, unfilled, quota, trace)


def _tell_lost(trace: Trace, claims: Resolved, held: Owners) -> None:
    """Tell which claims are void, by dispute or by rack."""
    trace.given_up(claims.disputed, UNOWNED, Disputed())
    lost = np.flatnonzero((claims.holder != UNOWNED) & (held == UNOWNED))
    lost = lost[~np.isin(lost, claims.disputed)]
    trace.given_up(lost, claims.holder[lost], OffRack())


def _held_near(claims: Resolved, racks: Racks | None) -> Owners:
    """Return the holders, less disputed partitions and those without a replica in their rack."""
    owners = claims.holder.copy()
    owners[claims.disputed] = UNOWNED
    return owners if racks is None else racks.matching(owners)


def _without_excess(group: Group, held: Owners, counts: LongArray, allowed: LongArray) -> Owners:
    """Leave each member the first partitions of its quota, by partition, then topic number.

    So a member keeps some of every topic instead of all of the first (KAFKA-16277).
    """
    owners = held.copy()
    # The extra entry is for UNOWNED.
    is_overfull = np.append(counts > allowed, False)
    excess = np.flatnonzero(is_overfull[owners]).astype(np.int32)
    if excess.size:
        order = np.lexsort((group.number_in_topic[excess], owners[excess]))
        give_up_beyond(owners, allowed, excess[order])
    return owners


def _even_members(counts: LongArray, quota: Quota, keepers: IntArray, extras_left: int) -> IntArray:
    """Return the members that hold the least count and may take an extra partition."""
    if not extras_left:
        return np.zeros(0, np.int32)
    is_even = counts >= quota.least
    is_even[keepers] = False
    return np.flatnonzero(is_even).astype(np.int32)


def _filled(
    owners: Owners, waiting: IntArray, unfilled: Unfilled, quota: Quota, trace: Trace | None
) -> Owners:
    """Give what waits to the needy in turn, then one extra each.

    Members that were needy queue for the extras in the order in which they were filled.
    """
    filled = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
    queue = np.concatenate([unfilled.even, filled])
    in_turn = round_robin(unfilled.needy, unfilled.needs)
    owners = owners.copy()
    owners[waiting] = np.concatenate([in_turn, queue])[: waiting.size]
    if trace:
        filling, extra = np.split(waiting, [in_turn.size])
        trace.assigned(filling, owners[filling], Filled(quota.least))
        trace.assigned(extra, owners[extra], Extra(quota.least, queue))
    return owners
