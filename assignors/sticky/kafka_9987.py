"""Sticky before KAFKA-12464: the four phases that KAFKA-9987 describes."""

import numpy as np

from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.quotas import Quota, held_by_each
from assignors.single_member import unless_single_member
from assignors.sticky.claims import of_newest_generation
from assignors.sticky.kafka_12464 import KeptFirst, held_as_read, keep_first, same_as_today
from assignors.trace.events import Trace
from assignors.trace.rules import FilledUp, FromFull, HandedOut


@unless_single_member
def sticky_kafka_9987(group: Group, *, trace: Trace | None = None) -> Owners:
    """Keep, fill, take from the full members, hand out what is left.

    1. Every member keeps its first partitions, up to the greatest count. 2. Members below the
    least count take free partitions, one member after another. 3. If that was too few, full
    members give up their last partition, one each. 4. If it was too many, members below the
    greatest count take one each. Claims and unequal subscriptions as in
    ``sticky_kafka_12464``. Source: the description in KAFKA-9987; like Kafka's code of the
    time, phase 3 visits the full members in hash map order.

    >>> before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], np.int32)
    >>> group = Group.of(["t"], [10], ["C0", "C1", "C2"], owners=before)
    >>> sticky_kafka_9987(group)
    array([0, 0, 0, 2, 2, 1, 1, 1, 1, 2], dtype=int32)
    """
    today = same_as_today(group, trace)
    return _four_phases(group, trace) if today is None else today


def _four_phases(group: Group, trace: Trace | None) -> Owners:
    quota, claims = Quota.of(group), of_newest_generation(group)
    kept = keep_first(group, claims, quota, np.full(group.member_count, quota.most))
    free = np.flatnonzero(group.is_wanted & (kept.owners == UNOWNED))
    free = free[np.argsort(group.number_in_topic[free], kind="stable")]
    needs = np.maximum(quota.least - held_by_each(kept.owners, group.member_count), 0)
    takers = np.repeat(np.arange(group.member_count), needs)
    enough = min(free.size, takers.size)
    owners, short, left = kept.owners.copy(), takers[enough:], free[enough:]
    owners[free[:enough]] = takers[:enough]
    taken = _last_of_full(group, kept)[: short.size] if short.size else free[:0]
    owners[taken] = short
    counts = held_by_each(owners, group.member_count)
    owners[left] = below = np.flatnonzero(counts < quota.most)[: left.size]
    if trace:
        kept.tell(trace, group)
        trace.assigned(free[:enough], takers[:enough], FilledUp(quota.least))
        trace.moved(taken, short, FromFull(quota.least))
        trace.assigned(left, below, HandedOut(quota.least, quota.most))
    return owners


def _last_of_full(group: Group, kept: KeptFirst) -> LongArray:
    """Return the last partition of every full member, in the order Kafka iterates them."""
    order = group.layout.hash_map_order
    full = order[held_by_each(kept.owners, group.member_count)[order] == kept.quota.most]
    held = held_as_read(group, kept.owners, full)
    last = np.full(group.member_count, UNOWNED, np.int64)
    last[kept.owners[held]] = held
    partitions: LongArray = last[full]
    return partitions
