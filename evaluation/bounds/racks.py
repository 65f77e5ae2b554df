"""The most partitions that can be read within a rack with even counts."""

import numpy as np

from assignors.model import NO_RACK, BoolArray, Group, LongArray
from evaluation.bounds.bottlenecks import least_max_count
from evaluation.bounds.flow import Edges, cut


def most_rack_local(group: Group) -> int | None:
    """Return the most partitions that can have a replica in their owner's rack.

    With equal subscriptions each member has floor or ceil of the mean and the figure is exact; with
    unequal ones nobody has more than ``least_max_count`` and it is an upper bound. None if no
    member or no partition has a rack.

    A flow from kinds of partitions (replica racks, subscribers) to kinds of consumers (rack,
    subscriptions). With equal subscriptions the remaining partitions fit anywhere.
    """
    placed = np.flatnonzero(group.is_wanted & group.layout.replica_racks.any(axis=1))
    seated = np.flatnonzero(group.layout.member_racks != NO_RACK)
    if not placed.size or not seated.size:
        return None
    partitions, sizes = _kinds(_partition_keys(group, placed))
    partitions = placed[partitions]
    classes = group.layout.class_of_member[seated].astype(np.int64)
    members, counts = _kinds(classes * len(group.layout.racks) + group.layout.member_racks[seated])
    members = seated[members]
    is_local = group.layout.replica_racks[np.ix_(partitions, group.layout.member_racks[members])]
    wants = group.subscribes[
        np.ix_(group.layout.class_of_member[members], group.topic_of_partition[partitions])
    ]
    return _flow(group, sizes, counts, is_local & wants.T)


def _flow(group: Group, sizes: LongArray, counts: LongArray, is_local: BoolArray) -> int:
    """Return the maximum flow; what exceeds the quota goes through a node of its own."""
    quota, extras = _room(group)
    kinds, takers = np.nonzero(is_local)
    count, source = sizes.size, sizes.size + counts.size
    extra, sink = source + 1, source + 2
    every = np.arange(count, source)
    room = np.minimum(counts * quota, int(sizes.sum()))
    edges = (
        Edges(np.full(count, source), np.arange(count), sizes.tolist()),
        Edges(kinds, takers + count, sizes[kinds].tolist()),
        Edges(every, np.full(every.size, sink), room.tolist()),
        Edges(every, np.full(every.size, extra), counts.tolist()),
        Edges(np.array([extra]), np.array([sink]), [extras]),
    )
    return cut(edges, source, sink)[0]


def _room(group: Group) -> tuple[int, int]:
    """Return the partitions each member may have, and how many may have one more."""
    alike = group.layout.only_audience
    if alike is None:
        return least_max_count(group), 0
    return divmod(int(np.count_nonzero(group.is_wanted)), alike.size)


def _partition_keys(group: Group, partitions: LongArray) -> LongArray:
    """Return a number per partition, equal for equal replica racks and subscribers."""
    keys = group.audiences.of_topic[group.topic_of_partition[partitions]].astype(np.int64)
    for column in np.packbits(group.layout.replica_racks[partitions], axis=1).T:
        keys = np.unique(keys * 256 + column, return_inverse=True)[1]
    return keys


def _kinds(keys: LongArray) -> tuple[LongArray, LongArray]:
    """Return the first of each kind and how many there are."""
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return first, counts
