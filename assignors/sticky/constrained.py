"""Sticky assignment where all members subscribe to the same topics."""

from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, Unfilled, give_up_beyond, held_by_each, round_robin
from assignors.sticky.claims import Resolved
from assignors.sticky.rack_matching import assign_near
from assignors.sticky.racks import Racks


class ConstrainedStages(NamedTuple):
    """The state after each stage of the constrained path."""

    claims: Resolved
    quota: Quota
    racks: Racks | None
    held: Owners
    """(P,) the holders after claims and racks are checked."""
    keepers: IntArray
    """Members that may keep one more than the least count."""
    kept: Owners
    """(P,) ``held`` less what exceeds the quotas."""
    unassigned: IntArray
    """What nobody keeps, in the order of assignment."""
    near: Owners
    """(P,) ``kept`` plus what the rack pass assigned."""
    waiting: IntArray
    """What the rack pass left over, in order."""
    unfilled: Unfilled
    """The members that take it."""
    takers: IntArray
    """The member that takes each of ``waiting``."""

    @property
    def owners(self) -> Owners:
        """(P,) the result."""
        owners = self.near.copy()
        owners[self.waiting] = self.takers
        return owners


def constrained(group: Group, claims: Resolved) -> ConstrainedStages:
    """Keep what the quota allows, then assign the rest to members below it.

    Counts differ by at most one. Without racks no more partitions move than that requires; with
    racks (KIP-881), members also give up what has no replica in their rack and take what has
    one first. Sources: KAFKA-9987, KAFKA-12464, KAFKA-14639, KAFKA-16277.
    """
    quota, racks = Quota.of(group), Racks.that_matter(group)
    held = _held_near(claims, racks)
    counts = held_by_each(held, group.member_count)
    keepers = quota.keepers_of_extras(group, counts)
    kept = _without_excess(group, held, counts, quota, keepers)
    extras_left = quota.extras - keepers.size
    needy = np.flatnonzero(counts < quota.least).astype(np.int32)
    even = _even_members(counts, quota, keepers, extras_left)
    unfilled = Unfilled(needy, quota.least - counts[needy], even)
    unassigned = np.flatnonzero(group.is_wanted & (kept == UNOWNED)).astype(np.int32)
    near, waiting = kept, unassigned
    if racks is not None:
        unassigned = unassigned[np.argsort(racks.members_near(unassigned), kind="stable")]
        near, waiting, unfilled = assign_near(racks, kept, unassigned, unfilled, extras_left)
    takers = _takers(unfilled)[: waiting.size]
    return ConstrainedStages(
        claims, quota, racks, held, keepers, kept, unassigned, near, waiting, unfilled, takers
    )


def _held_near(claims: Resolved, racks: Racks | None) -> Owners:
    """Return the holders, less disputed partitions and those without a replica in their rack."""
    owners = claims.holder.copy()
    owners[claims.disputed] = UNOWNED
    return owners if racks is None else racks.matching(owners)


def _without_excess(
    group: Group, held: Owners, counts: LongArray, quota: Quota, keepers: IntArray
) -> Owners:
    """Leave each member the first partitions of its quota, by partition, then topic number.

    So a member keeps some of every topic instead of all of the first (KAFKA-16277).
    """
    owners, allowed = held.copy(), np.full(group.member_count, quota.least)
    allowed[keepers] = quota.most
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


def _takers(unfilled: Unfilled) -> IntArray:
    """Return the member that takes each partition: the needy in turn, then one extra each.

    Members that were needy queue for the extras in the order in which they were filled.
    """
    filled = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
    return np.concatenate([round_robin(unfilled.needy, unfilled.needs), unfilled.even, filled])
