"""Sticky assignment where members subscribe to different topics."""

from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each, to_the_emptiest
from assignors.sticky.claims import Claims, previous_owners
from assignors.sticky.local_search import Improvement
from assignors.sticky.moves import Move
from assignors.sticky.rack_matching import assign_to_emptiest_near
from assignors.sticky.racks import Racks


class Start(NamedTuple):
    """The assignment that is to be improved."""

    owners: Owners
    """(P,) everything wanted has an owner."""
    was_free: BoolArray
    """(P,) whether nobody kept the partition."""
    must_give_up: bool
    """Whether a member had to give up a partition it validly held."""
    shared: IntArray
    """Topics of more than one subscriber, in the order in which they are walked."""
    takes_part: BoolArray
    """(M,) who could gain or lose a partition."""


def general(group: Group, claims: Claims, trace: list[Move] | None = None) -> Owners:
    """Keep what is validly owned, give the rest to the emptiest, then improve by moves.

    Limit: one move at a time is tried, never an exchange. With t0 (1 partition) for c1 and
    c2, t1 (2 partitions) for c0 and c1, the counts stay at 2, 1, 0 where 1, 1, 1 exist.

    Kafka may move a partition to a previous owner that no longer subscribes. Its way is
    followed if the outcome obeys the rules all the same, else only subscribers count.
    The moves that were tried for the outcome are left in ``trace``, if there is one.
    Sources: KIP-54, KIP-341, KIP-881, KAFKA-12675, KAFKA-15106.
    """
    start = start_of(group, claims)
    previous = previous_owners(group)
    previous[~start.takes_part[previous]] = UNOWNED
    known = np.flatnonzero(previous != UNOWNED)
    strangers = known[~group.may_own(previous[known], known)]
    owners = _improved(group, start, previous, trace)
    if strangers.size:
        owned = np.flatnonzero(owners != UNOWNED)
        if not group.may_own(owners[owned], owned).all():
            previous[strangers] = UNOWNED
            if trace is not None:
                trace.clear()
            return _improved(group, start, previous, trace)
    return owners


def start_of(group: Group, claims: Claims) -> Start:
    """Keep what is validly owned, and give the rest to the emptiest."""
    racks = Racks.that_matter(group)
    owners = _kept(group, claims, racks)
    was_free = owners == UNOWNED
    must_give_up = not np.array_equal(owners, claims.holder)
    listings = _listings(group)
    topics = rarest_first(group)
    if racks is not None:
        assign_to_emptiest_near(group, racks, owners, topics)
    _deal_to_emptiest(group, owners, topics)
    takes_part = _takes_part(group, owners, listings)
    return Start(owners, was_free, must_give_up, topics[listings[topics] > 1], takes_part)


def _improved(group: Group, start: Start, previous: Owners, trace: list[Move] | None) -> Owners:
    """Return a better balanced assignment, or the same if moves did not lead to one.

    Where nobody has to give anything up, only what was free moves at first.
    """
    owners = start.owners.copy()
    improvement = Improvement(group, owners, previous, start.shared, trace)
    if not start.must_give_up:
        improvement.run(start.was_free)
    has_moved = improvement.run()
    if has_moved and not start.was_free.all():
        imbalance, before = (_imbalance(o, start.takes_part) for o in (owners, start.owners))
        return owners if imbalance < before else start.owners
    return owners


def _kept(group: Group, claims: Claims, racks: Racks | None) -> Owners:
    """Return the holders, where they still subscribe and match the partition's racks."""
    owners = claims.holder.copy()
    held = np.flatnonzero(owners != UNOWNED).astype(np.int32)
    keeps = group.may_own(owners[held], held)
    if racks is not None:
        keeps &= ~racks.mismatch(owners[held], held)
    owners[held[~keeps]] = UNOWNED
    return owners


def _listings(group: Group) -> LongArray:
    """(T,) how often members list each topic; one that lists it twice counts twice."""
    members_of_class = np.bincount(group.class_of_member, minlength=group.class_starts.size - 1)
    times = np.repeat(members_of_class, np.diff(group.class_starts))
    return np.bincount(group.class_topics, times, len(group.topics)).astype(np.int64)


def rarest_first(group: Group) -> IntArray:
    """Return the wanted topics, those listed least often first: they have least choice."""
    listings = _listings(group)
    wanted = np.flatnonzero((group.audiences.of_topic >= 0) & (group.topic_sizes > 0))
    return wanted[np.argsort(listings[wanted], kind="stable")].astype(np.int32)


def _deal_to_emptiest(group: Group, owners: Owners, topics: IntArray) -> None:
    """Give every free partition, in place, to the subscriber that holds fewest so far."""
    counts = held_by_each(owners, group.member_count)
    for topic in topics.tolist():
        first, last = group.topic_starts[topic : topic + 2].tolist()
        free = np.flatnonzero(owners[first:last] == UNOWNED)
        if free.size:
            subscribers = group.audiences.heard_by(group.audiences.of_topic[topic])
            places = to_the_emptiest(counts[subscribers], free.size)
            owners[first + free] = subscribers[places]
            counts[subscribers] += np.bincount(places, minlength=subscribers.size)


def _takes_part(group: Group, owners: Owners, listings: LongArray) -> BoolArray:
    """(M,) who holds less than all it subscribes to, or part of a topic others want too."""
    row = np.repeat(np.arange(group.class_starts.size - 1), np.diff(group.class_starts))
    reach = np.bincount(row, group.topic_sizes[group.class_topics], group.class_starts.size - 1)
    takes_part = held_by_each(owners, group.member_count) < reach[group.class_of_member]
    is_shared = (listings > 1)[group.topic_of_partition] & (owners != UNOWNED)
    takes_part[owners[is_shared]] = True
    return takes_part


def _imbalance(owners: Owners, takes_part: BoolArray) -> int:
    """Return the sum, over all pairs of these members, of the difference of their counts."""
    counts = np.sort(held_by_each(owners, takes_part.size)[takes_part])
    return int(counts @ (2 * np.arange(counts.size) - counts.size + 1))
