"""Sticky before KAFKA-12464: the four phases that KAFKA-9987 describes."""

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, give_up_beyond, held_by_each, is_even_now
from assignors.single_member import unless_alone
from assignors.sticky.claims import is_of_one_generation, of_newest_generation
from assignors.sticky.eager import balanced, is_constrained
from assignors.sticky.kafka_12464 import held_as_read


@unless_alone
def sticky_kafka_9987(group: Group) -> Owners:
    """Keep, fill, take from the full, hand out what is left.

    1. Every member keeps its first partitions, up to the greatest count. 2. Members below
    the least count take what is free, one member after the other. 3. If that was too
    little, the full give up their last partition, one each. 4. If it was too much, members
    below the greatest count take one each. Claims and unequal subscriptions as in
    ``sticky_kafka_12464``. Source: the description in KAFKA-9987; Kafka's code of the time
    took from the full in the order of a hash map, as is done here.

    >>> before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], np.int32)
    >>> group = Group.of(["t"], [10], ["C0", "C1", "C2"], owners=before)
    >>> sticky_kafka_9987(group)
    array([0, 0, 0, 2, 2, 1, 1, 1, 1, 2], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    if not is_constrained(group):
        return balanced(group).copy()
    if is_of_one_generation(group) and is_even_now(group):
        return group.fit_owners.copy()
    quota = Quota.of(group)
    owners = of_newest_generation(group).holder.copy()
    if quota.is_met(held_by_each(owners, group.member_count)):
        return owners
    allowed = np.full(group.member_count, quota.most)
    overfull = np.flatnonzero(held_by_each(owners, group.member_count) > allowed).astype(np.int32)
    give_up_beyond(owners, allowed, held_as_read(group, owners, overfull))
    kept = owners.copy()
    left, short = fill_to_least(group, owners, quota)
    if short.size:
        owners[last_of_full(group, kept, quota)[: short.size]] = short
    below = np.flatnonzero(held_by_each(owners, group.member_count) < quota.most)
    owners[left] = below[: left.size]
    return owners


def last_of_full(group: Group, owners: Owners, quota: Quota) -> IntArray:
    """Return the last partition of every full member, in the order Kafka iterates them."""
    heard = group.hash_map_order
    full = heard[held_by_each(owners, group.member_count)[heard] == quota.most]
    held = held_as_read(group, owners, full)
    last = np.full(group.member_count, UNOWNED, np.int32)
    last[owners[held]] = held
    found: IntArray = last[full]
    return found


def fill_to_least(group: Group, owners: Owners, quota: Quota) -> tuple[IntArray, LongArray]:
    """Fill members up to the least count, in place, from the free partitions.

    These are taken by partition, then topic number. Returns the partitions that are left,
    and a member for every partition that is still lacking.
    """
    free = np.flatnonzero(group.is_wanted & (owners == UNOWNED)).astype(np.int32)
    free = free[np.argsort(group.number_in_topic[free], kind="stable")]
    needs = np.maximum(quota.least - held_by_each(owners, group.member_count), 0)
    takers = np.repeat(np.arange(group.member_count), needs)
    filled = min(free.size, takers.size)
    owners[free[:filled]] = takers[:filled]
    return free[filled:], takers[filled:]
