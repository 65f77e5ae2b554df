"""Sticky assignment where members subscribe to different topics."""

from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.quotas import give_to_the_emptiest, held_by_each
from assignors.sticky.claims import Claims, previous_owners
from assignors.sticky.local_search import Improvement
from assignors.sticky.moves import Move
from assignors.sticky.rack_matching import assign_to_emptiest_near
from assignors.sticky.racks import Racks


class GeneralStages(NamedTuple):
    """The state after each stage of the general path."""

    claims: Claims
    racks: Racks | None
    topics: IntArray
    """The wanted topics in the order of assignment: those listed by the fewest members first."""
    kept: Owners
    """(P,) what members keep of their claims."""
    near: Owners
    """(P,) ``kept`` plus what the rack pass assigned."""
    assigned: Owners
    """(P,) the start of the search: every wanted partition has an owner."""
    owners: Owners
    """(P,) the result."""
    moves: list[Move]
    """From ``assigned`` to ``owners``, if requested."""
    is_reverted: bool
    """Whether moves were tried and undone."""


def general(group: Group, claims: Claims, *, traced: bool = False) -> GeneralStages:
    """Keep valid claims, give the rest to the emptiest members, then improve by single moves.

    Limit: exchanges are never tried. With t0 (1 partition) for c1 and c2, and t1 (2 partitions)
    for c0 and c1, the counts stay at 2, 1, 0 although 1, 1, 1 exists.

    Kafka may move a partition to a previous owner that no longer subscribes. That is reproduced
    if the result still obeys the rules, otherwise only subscribers count. Sources: KIP-54,
    KIP-341, KIP-881, KAFKA-12675, KAFKA-15106.
    """
    racks, listings = Racks.that_matter(group), listings_of(group)
    topics = _rarest_first(group, listings)
    kept = near = kept_claims(group, claims.holder, racks)
    if racks is not None:
        near = assign_to_emptiest_near(group, racks, kept, topics)
    start = GeneralStages(
        claims, racks, topics, kept, near, near.copy(), near, [], is_reverted=False
    )
    _assign_to_emptiest(group, start.assigned, topics)
    joins_in = takes_part(group, start.assigned, listings)
    shared = topics[listings[topics] > 1]
    previous = previous_owners(group)
    previous[~joins_in[previous]] = UNOWNED
    known = np.flatnonzero(previous != UNOWNED)
    unsubscribed = known[~group.may_own(previous[known], known)]
    search = Improvement(group, start.assigned, previous, shared, traced)
    stages = _improved(start, search, joins_in)
    if unsubscribed.size:
        owned = np.flatnonzero(stages.owners != UNOWNED)
        if not group.may_own(stages.owners[owned], owned).all():
            previous[unsubscribed] = UNOWNED
            search = Improvement(group, start.assigned, previous, shared, traced)
            stages = _improved(start, search, joins_in)
    return stages


def _improved(start: GeneralStages, search: Improvement, joins_in: BoolArray) -> GeneralStages:
    """Return a better balanced assignment, or the same if moves led to none.

    If no member has to give anything up, only free partitions move at first.
    """
    was_free = start.kept == UNOWNED
    if np.array_equal(start.kept, start.claims.holder):
        search.run(was_free)
    has_moved = search.run()
    if has_moved and not was_free.all():
        after, before = (
            imbalance(held_by_each(owners, joins_in.size)[joins_in])
            for owners in (search.owners, start.assigned)
        )
        if after >= before:
            return start._replace(owners=start.assigned, is_reverted=True)
    return start._replace(owners=search.owners, moves=search.trace)


def kept_claims(group: Group, holder: Owners, racks: Racks | None) -> Owners:
    """Return the holders (P,) that still subscribe and match the partition's racks."""
    owners = holder.copy()
    held = np.flatnonzero(owners != UNOWNED).astype(np.int32)
    keeps = group.may_own(owners[held], held)
    if racks is not None:
        keeps &= ~racks.mismatch(owners[held], held)
    owners[held[~keeps]] = UNOWNED
    return owners


def listings_of(group: Group) -> LongArray:
    """(T,) how often members list each topic; listing it twice counts twice."""
    members_of_class = np.bincount(group.class_of_member, minlength=group.class_starts.size - 1)
    times = np.repeat(members_of_class, np.diff(group.class_starts))
    return np.bincount(group.class_topics, times, len(group.topics)).astype(np.int64)


def _rarest_first(group: Group, listings: LongArray) -> IntArray:
    """Return the wanted topics, those listed least often first: they have the least choice."""
    wanted = group.wanted_topics
    return wanted[np.argsort(listings[wanted], kind="stable")].astype(np.int32)


def _assign_to_emptiest(group: Group, owners: Owners, topics: IntArray) -> None:
    """Give every free partition, in place, to the subscriber with the fewest so far."""
    counts = held_by_each(owners, group.member_count)
    for topic in topics.tolist():
        in_topic, subscribers = owners[group.topic_span(topic)], group.subscribers(topic)
        free = np.flatnonzero(in_topic == UNOWNED)
        if free.size:
            in_topic[free] = give_to_the_emptiest(counts, subscribers, free.size)


def takes_part(group: Group, owners: Owners, listings: LongArray) -> BoolArray:
    """(M,) whether a member holds less than it subscribes to, or part of a shared topic."""
    row = np.repeat(np.arange(group.class_starts.size - 1), np.diff(group.class_starts))
    reach = np.bincount(row, group.topic_sizes[group.class_topics], group.class_starts.size - 1)
    joins_in = held_by_each(owners, group.member_count) < reach[group.class_of_member]
    is_shared = (listings > 1)[group.topic_of_partition] & (owners != UNOWNED)
    joins_in[owners[is_shared]] = True
    return joins_in


def imbalance(counts: LongArray) -> int:
    """Return the sum over all pairs of the difference of their counts."""
    return int(np.sort(counts) @ (2 * np.arange(counts.size) - counts.size + 1))
