"""Sticky as merged for KAFKA-12464: two phases, one list of members to fill."""

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, give_up_beyond, held_by_each, is_even_now, turns
from assignors.single_member import unless_alone
from assignors.sticky.claims import as_read, is_of_one_generation, of_newest_generation
from assignors.sticky.eager import balanced, is_constrained


@unless_alone
def sticky_kafka_12464(group: Group) -> Owners:
    """Keep the first partitions of the quota as claimed, deal the rest round in one circle.

    Only the newest generation keeps anything; racks are not looked at. Unequal
    subscriptions take today's general path. One fault of the merged code is not followed:
    it could deal to a member that had no room left (KAFKA-12984). Source: KAFKA-12464.

    >>> before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], np.int32)
    >>> group = Group.of(["t"], [10], ["C0", "C1", "C2"], owners=before)
    >>> sticky_kafka_12464(group)
    array([0, 0, 0, 0, 2, 1, 1, 1, 2, 2], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    if not is_constrained(group):
        return balanced(group).copy()
    if is_of_one_generation(group) and is_even_now(group):
        return group.fit_owners.copy()
    quota = Quota.of(group)
    owners = of_newest_generation(group).holder.copy()
    counts = held_by_each(owners, group.member_count)
    if quota.is_met(counts):
        return owners
    keepers = quota.keepers_of_extras(group, counts)
    allowed = np.full(group.member_count, quota.least)
    allowed[keepers] = quota.most
    overfull = np.flatnonzero(counts > allowed).astype(np.int32)
    give_up_beyond(owners, allowed, held_as_read(group, owners, overfull))
    unassigned = np.flatnonzero(group.is_wanted & (owners == UNOWNED))
    owners[unassigned] = takers_in_one_circle(quota, np.minimum(counts, allowed), keepers)
    return owners


def held_as_read(group: Group, owners: Owners, members: IntArray) -> IntArray:
    """Return what these members own, one after the other, each in the order of its claims."""
    claims = as_read(group, members)
    is_asked = np.zeros(group.member_count + 1, np.bool_)  # the last one: nobody
    is_asked[members] = True
    held: IntArray = claims[is_asked[owners[claims]]]
    return held


def takers_in_one_circle(quota: Quota, counts: LongArray, keepers: IntArray) -> IntArray:
    """Return who takes each partition, in one circle of all who may take any.

    A member stays in the circle for one extra partition while there are extras left.
    """
    extras_left = quota.extras - keepers.size
    may_take = counts < (quota.most if extras_left else quota.least)
    members: IntArray = np.flatnonzero(may_take).astype(np.int32)
    needs = quota.least - counts[members]
    turn, place = turns(needs + (extras_left > 0))
    is_extra = turn == needs[place]
    has_room = ~is_extra | (np.cumsum(is_extra) <= extras_left)
    takers: IntArray = members[place[has_room]]
    return takers
