"""Sticky as merged for KAFKA-12464: two phases, with one list of members to fill."""

from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import (
    Quota,
    give_up_beyond,
    held_by_each,
    is_even_now,
    round_robin_turns,
    tell_quotas,
)
from assignors.single_member import unless_single_member
from assignors.sticky.claims import Resolved, as_read, is_of_one_generation, of_newest_generation
from assignors.sticky.kafka import is_constrained, sticky
from assignors.trace.events import Trace
from assignors.trace.rules import Claimed, Listing, Shares, TurnBelowShare


@unless_single_member
def sticky_kafka_12464(group: Group, *, trace: Trace | None = None) -> Owners:
    """Keep the first claimed partitions up to the quota, assign the rest round robin.

    Only the newest generation keeps anything. A partition that two of its members claim counts
    for both; if both would keep it Kafka assigned it twice, here it is reassigned. Racks are
    ignored. Unequal subscriptions take today's general path. One more fault of the merged
    code is not reproduced: it could assign to a member without room (KAFKA-12984). Source:
    KAFKA-12464.

    >>> before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], np.int32)
    >>> group = Group.of(["t"], [10], ["C0", "C1", "C2"], owners=before)
    >>> sticky_kafka_12464(group)
    array([0, 0, 0, 0, 2, 1, 1, 1, 2, 2], dtype=int32)
    """
    today = same_as_today(group, trace)
    return _two_phases(group, trace) if today is None else today


def same_as_today(group: Group, trace: Trace | None) -> Owners | None:
    """Return today's result if no earlier algorithm differs from it, else None."""
    if not group.wanted.size:
        return group.nobody()
    if not is_constrained(group):
        return sticky(group, trace=trace)
    if is_of_one_generation(group) and is_even_now(group) and not trace:
        return group.fit_owners.copy()
    return None


class KeptFirst(NamedTuple):
    """What members keep of the newest generation's claims; the start of both earlier algorithms."""

    claims: Resolved
    quota: Quota
    allowed: LongArray
    """(M,) how many partitions each member may keep."""
    owners: Owners
    """(P,) the members that keep them."""

    def tell(self, trace: Trace, group: Group) -> None:
        """Tell what members keep and give up, and by which quota."""
        trace.note(Shares(*self.quota))
        trace.note(Claimed(self.claims.holder, is_newest_only=True))
        holder = self.claims.holder
        rows = [
            held_as_read(group, holder, np.array([member], np.int32))
            for member in np.unique(holder[holder != UNOWNED]).tolist()
        ]
        listed = np.concatenate([group.claims.partitions[:0], *rows])
        tell_quotas(trace, holder, self.owners, self.allowed, listed, Listing.AS_LISTED)


def _two_phases(group: Group, trace: Trace | None) -> Owners:
    """Keep as many as the quota allows, then assign the rest round robin."""
    quota, claims = Quota.of(group), of_newest_generation(group)
    both = _kept_of_both(group, quota) if claims.disputed.size else None
    if both is not None:
        kept, counts, keepers = both
    else:
        counts = held_by_each(claims.holder, group.member_count)
        allowed, keepers = _allowed(group, quota, counts)
        kept = keep_first(group, claims, quota, allowed)
    unassigned = np.flatnonzero(group.is_wanted & (kept.owners == UNOWNED))
    takers = _takers(quota, np.minimum(counts, kept.allowed), keepers)
    owners = kept.owners.copy()
    owners[unassigned] = takers
    if trace:
        kept.tell(trace, group)
        trace.assigned(unassigned, takers, TurnBelowShare())
    return owners


def _allowed(group: Group, quota: Quota, counts: LongArray) -> tuple[LongArray, IntArray]:
    """Return how many partitions each member may keep, and which may keep the most."""
    keepers = quota.keepers_of_extras(group, counts)
    allowed = np.full(group.member_count, quota.least)
    allowed[keepers] = quota.most
    return allowed, keepers


def _kept_of_both(group: Group, quota: Quota) -> tuple[KeptFirst, LongArray, IntArray] | None:
    """Count a partition for both of its claimants, as Kafka did; None if both would keep it.

    Also returns how many each member claims, and which may keep the most.
    """
    newest = np.flatnonzero(group.claims.generations == group.claims.generations.max()).astype(
        np.int32
    )
    claims = as_read(group, newest)
    members = newest.repeat(np.diff(group.claims.starts)[newest])
    is_wanted = group.is_wanted[claims]
    claims, members = claims[is_wanted], members[is_wanted]
    counts = np.bincount(members, minlength=group.member_count)
    allowed, keepers = _allowed(group, quota, counts)
    is_kept = ragged.place_in_row(counts[newest]) < allowed[members]
    if np.bincount(claims[is_kept], minlength=1).max() > 1:
        return None
    owners, holder = group.nobody(), of_newest_generation(group).holder.copy()
    owners[claims[is_kept]] = holder[claims[is_kept]] = members[is_kept]
    disputed = of_newest_generation(group).disputed
    resolved = Resolved(holder, disputed[holder[disputed] == UNOWNED])
    return KeptFirst(resolved, quota, allowed, owners), counts, keepers


def keep_first(group: Group, claims: Resolved, quota: Quota, allowed: LongArray) -> KeptFirst:
    """Leave each member its first claims, up to the number it is allowed."""
    owners = claims.holder.copy()
    overfull = np.flatnonzero(held_by_each(owners, group.member_count) > allowed)
    give_up_beyond(owners, allowed, held_as_read(group, owners, overfull.astype(np.int32)))
    return KeptFirst(claims, quota, allowed, owners)


def held_as_read(group: Group, owners: Owners, members: IntArray) -> IntArray:
    """Return what these members own, one after another, in the order of their claims."""
    claims = as_read(group, members)
    is_chosen = np.zeros(group.member_count + 1, np.bool_)  # the last entry is for UNOWNED
    is_chosen[members] = True
    held: IntArray = claims[is_chosen[owners[claims]]]
    return held


def _takers(quota: Quota, counts: LongArray, keepers: IntArray) -> IntArray:
    """Return the member that takes each partition, round robin among all that may take any.

    A member stays for one extra partition while there are extras left.
    """
    extras_left = quota.extras - keepers.size
    may_take = counts < (quota.most if extras_left else quota.least)
    members: IntArray = np.flatnonzero(may_take).astype(np.int32)
    needs = quota.least - counts[members]
    turn, place = round_robin_turns(needs + (extras_left > 0))
    is_extra = turn == needs[place]
    has_room = ~is_extra | (np.cumsum(is_extra) <= extras_left)
    takers: IntArray = members[place[has_room]]
    return takers
