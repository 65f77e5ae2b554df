"""Range: cut each topic into contiguous blocks, one per subscriber.

Sources: the documentation of RangeAssignor; KIP-345 (static members); KIP-848 (the group
coordinator's); KIP-881 (racks).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.memo import memo
from assignors.model import (
    NO_RACK,
    UNOWNED,
    BoolArray,
    Group,
    IntArray,
    Layout,
    LongArray,
    Owners,
)
from assignors.single_member import unless_single_member
from assignors.trace.events import Trace
from assignors.trace.rules import (
    Block,
    CoPartitioned,
    Division,
    LeftByRacks,
    MatchedInOrder,
    Unmatched,
)


@unless_single_member
def range_(group: Group, *, trace: Trace | None = None) -> Owners:
    """Cut each topic into near-equal blocks, in member order.

    Static members come first, by instance id, then dynamic ones by member id. If a topic does
    not divide evenly, its first subscribers get one partition more. If replicas are in some
    racks only, members take partitions of their own rack first, within the same quotas:
    balance comes before racks. Topics with the same subscribers and partition count get the
    same owners (co-partitioning), which also comes before racks.

    It does not balance a group: topics are cut separately, so the same members collect every
    extra. Of 20 topics with 3 partitions each, 7 of 10 members stay idle.

    >>> group = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])
    >>> group.named(range_(group))
    {'C0': ('t0-0', 't0-1', 't1-0', 't1-1'), 'C1': ('t0-2', 't1-2')}
    """
    layout, near = group.layout, []
    seats = blocks(layout)
    if layout.racks:
        seats = seats.copy()
        for topics in sets_with_racks(layout):
            numbers = np.arange(layout.topic_sizes[topics[0]])
            partitions = layout.topic_starts[topics][:, None] + numbers
            members = subscribers_in_order(layout, layout.audiences.of_topic[topics[0]])
            matched = seats_by_rack(layout, partitions, members)
            if trace:
                near.append(ByRack(topics, partitions, members, matched.copy()))
            seats[partitions] = with_rest_by_range(matched, members.size)
    owners = seated_static_first(layout, seats)
    if trace:
        _tell(trace, layout, seats, owners, near)
    return owners


@unless_single_member
def server_range(group: Group, *, trace: Trace | None = None) -> Owners:
    """Cut each topic like ``range_`` but ignore racks, as the group coordinator does (KIP-848)."""
    seats = blocks(group.layout)
    owners = seated_static_first(group.layout, seats)
    if trace:
        _tell(trace, group.layout, seats, owners, [])
    return owners


class ByRack(NamedTuple):
    """The rack pass over co-partitioned topics."""

    topics: LongArray
    partitions: LongArray
    """One row for each of the topics."""
    members: IntArray
    """Their subscribers in order."""
    seats: IntArray
    """The place of the member that matched each number; -1 where nobody did, or had room."""

    def tell(self, trace: Trace, owners: Owners) -> None:
        """Tell who matched, and who gets the rest."""
        if self.topics.size > 1:
            trace.note(CoPartitioned(self.topics), self.partitions.ravel())
        is_near = self.seats >= 0
        for row in self.partitions:
            near, rest = row[is_near], row[~is_near]
            trace.assigned(near, owners[near], MatchedInOrder(self.topics))
            trace.note(Unmatched(self.topics), rest)
            trace.assigned(rest, owners[rest], LeftByRacks())


def _tell(
    trace: Trace, layout: Layout, seats: IntArray, owners: Owners, near: Sequence[ByRack]
) -> None:
    audience_of = layout.audiences.of_topic[layout.topic_of_partition]
    is_cut = layout.is_wanted.copy()
    for audience in np.unique(audience_of[layout.wanted]).tolist():
        members = subscribers_in_order(layout, audience)
        trace.note(Division(), np.flatnonzero(audience_of == audience), members)
    for by_rack in near:
        is_cut[by_rack.partitions] = False
        by_rack.tell(trace, owners)
    cut = np.flatnonzero(is_cut)
    trace.assigned(cut, owners[cut], Block(seats[cut]))


def seated_static_first(layout: Layout, seats: IntArray) -> Owners:
    """Seat partitions with each topic's subscribers ordered as in ``static_first``."""
    if layout.wants_everything:  # a seat is a place among all members
        return layout.static_first.take(seats)
    members = np.append(layout.static_first, np.int32(UNOWNED))
    return members.take(layout.seated(seats, places(layout)))


@memo
def places(layout: Layout) -> IntArray:
    """Like ``audiences.members``, as positions in ``static_first``, ascending by audience."""
    audiences, place = layout.audiences, np.argsort(layout.static_first)
    first = ragged.row_of_each(audiences.starts) * np.int64(layout.member_count)
    seats: LongArray = np.sort(first + place[audiences.members]) - first
    return seats.astype(np.int32)


@memo
def blocks(layout: Layout) -> IntArray:
    """Return the seat of each partition among its topic's subscribers, for ``Layout.seated``.

    Every topic is cut into contiguous blocks; the first ``extras`` are larger by one.
    """
    quotas, extras = np.divmod(layout.topic_sizes, np.maximum(layout.audiences.sizes, 1))
    quota, extra = np.maximum(quotas, 1), np.where(quotas, extras, 0)
    if quota.size > 1:  # one topic broadcasts
        quota, extra = (
            column.astype(np.int32)[layout.topic_of_partition] for column in (quota, extra)
        )
    number = layout.number_in_topic
    # The first term is larger within the larger blocks, the second after them.
    seats: IntArray = np.maximum(number // (quota + (extra > 0)), (number - extra) // quota)
    return seats


def sets_with_racks(layout: Layout) -> Iterator[LongArray]:
    """Yield the sets of co-partitioned topics whose racks count.

    Co-partitioned topics have the same subscribers and partition count. A set of one counts if
    that topic needs racks; larger sets, as in RangeAssignor, if any topic of the group does.
    """
    if not layout.racks or not layout.replica_racks.any():
        return
    has_racks, needs_racks = rack_needs(layout)
    if not needs_racks.any():
        return
    of_topic, sizes = layout.audiences.of_topic, layout.topic_sizes
    topics = np.flatnonzero(has_racks & (sizes > 0))
    topics = topics[np.lexsort((sizes[topics], of_topic[topics]))]
    differs = (np.diff(of_topic[topics]) != 0) | (np.diff(sizes[topics]) != 0)
    for alike in np.split(topics, np.flatnonzero(differs) + 1):
        if alike.size > 1 or needs_racks[alike[0]]:
            yield alike


@memo
def rack_needs(layout: Layout) -> tuple[BoolArray, BoolArray]:
    """Return, for each topic, whether a subscriber has a rack, and whether racks matter.

    They do if a replica is in a subscriber's rack, but not every partition has replicas in all
    the racks that the topic's partitions use.
    """
    audiences, topic_count = layout.audiences, len(layout.topics)
    racks = layout.member_racks[audiences.members]
    # The extra row is for audience -1, the extra column for members without a rack.
    has_member = np.zeros((audiences.starts.size, len(layout.racks) + 1), np.bool_)
    has_member[ragged.row_of_each(audiences.starts), racks] = True
    member_racks = has_member[audiences.of_topic, :NO_RACK]
    topic_racks = np.zeros((topic_count, len(layout.racks)), np.bool_)
    partition, rack = np.nonzero(layout.replica_racks)
    topic_racks[layout.topic_of_partition[partition], rack] = True
    lacks = (layout.replica_racks != topic_racks[layout.topic_of_partition]).any(axis=1)
    is_uneven = np.bincount(layout.topic_of_partition[lacks], minlength=topic_count) > 0
    return np.any(member_racks, axis=1), np.any(member_racks & topic_racks, axis=1) & is_uneven


def subscribers_in_order(layout: Layout, audience: int) -> IntArray:
    """Return an audience's members, static ones first; seats index this array."""
    starts = layout.audiences.starts
    members: IntArray = layout.static_first[places(layout)[starts[audience] : starts[audience + 1]]]
    return members


def seats_by_rack(
    layout: Layout, partitions: LongArray, members: IntArray, *, rackless_match: bool = True
) -> IntArray:
    """Return the seats of the rack pass; -1 where no member matched or had room.

    ``partitions`` has one row for each of the co-partitioned topics. Members without a rack
    match every partition, or none.
    """
    matches = np.all(layout.replica_racks[partitions], axis=0)
    matches = np.hstack([matches, np.full((len(matches), 1), rackless_match)])  # column NO_RACK
    quota, extras = divmod(len(matches), members.size)
    match = match_partitions if len(partitions) > 1 else match_members
    seats = match(matches, layout.member_racks[members].tolist(), quota, extras)
    return np.array(seats, np.int32)


def with_rest_by_range(seats: IntArray, members: int) -> IntArray:
    """Cut what the rack pass left over into blocks, in place."""
    seats[seats < 0] = np.repeat(np.arange(members), room_beside(seats, members))
    return seats


def room_beside(seats: IntArray, members: int) -> LongArray:
    """Return how many more partitions each member takes after the rack pass."""
    quota, extras = divmod(seats.size, members)
    counts = np.bincount(seats[seats >= 0], minlength=members)
    is_over = counts > quota
    room = np.where(is_over, 0, quota - counts)
    room[np.flatnonzero(~is_over)[: extras - np.count_nonzero(is_over)]] += 1
    return room


def match_partitions(
    matches: BoolArray, racks: Sequence[int], quota: int, extras: int
) -> list[int]:
    """Give each partition to the first matching member with room; -1 if there is none.

    Only the first member of each rack with room can be next, so each rack is a queue
    (reversed, to pop from its end); a member that leaves its queue never returns.
    """
    queues: list[list[int]] = [[] for _ in range(matches.shape[1])]
    for seat in reversed(range(len(racks))):
        queues[racks[seat]].append(seat)
    counts = [0] * len(racks)
    seats = []
    for fits in matches.tolist():
        limit = quota + (extras > 0)
        for queue in queues:
            while queue and counts[queue[-1]] >= limit:
                queue.pop()
        heads = [queue[-1] for queue, fit in zip(queues, fits, strict=True) if fit and queue]
        seats.append(min(heads, default=-1))
        if heads:
            counts[seats[-1]] += 1
            extras -= counts[seats[-1]] > quota
    return seats


def match_members(matches: BoolArray, racks: Sequence[int], quota: int, extras: int) -> list[int]:
    """Give each member, in order, the first free partitions that match; -1 for the others."""
    waiting = [iter(np.flatnonzero(column).tolist()) for column in matches.T]
    seats = [-1] * len(matches)
    for seat, rack in enumerate(racks):
        room = limit = quota + (extras > 0)
        if not limit:
            break
        for partition in waiting[rack]:
            if seats[partition] < 0:
                seats[partition] = seat
                room -= 1
                if not room:
                    break
        extras -= limit - room > quota
    return seats
