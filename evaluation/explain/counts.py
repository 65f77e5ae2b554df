"""Small counts of a group and an assignment, for reasons."""

import numpy as np

from assignors.model import UNOWNED, Group, LongArray, Owners


def extra_topics(group: Group, owners: Owners) -> LongArray:
    """Return in how many topics a member owns more than an equal share, rounded down; (M,)."""
    held = np.flatnonzero(owners != UNOWNED)
    pairs = group.topic_of_partition[held].astype(np.int64) * group.member_count + owners[held]
    keys, counts = np.unique(pairs, return_counts=True)
    topic, member = np.divmod(keys, max(group.member_count, 1))
    share = group.topic_sizes // np.maximum(group.audiences.sizes, 1)
    return np.bincount(member[counts > share[topic]], minlength=group.member_count)


def uneven_topics(group: Group) -> int:
    """Return how many topics do not divide evenly among their subscribers."""
    topics = group.layout.wanted_topics
    return int(np.count_nonzero(group.topic_sizes[topics] % group.audiences.sizes[topics]))


def largest_partitions(group: Group) -> LongArray:
    """Return the heaviest partition of each wanted topic with weight, first of equals."""
    topics = group.layout.wanted_topics
    weights = np.where(group.is_wanted, group.counted_weights, 0)
    most = np.zeros(len(group.topics), np.int64)
    most[topics] = [
        weights[group.layout.topic_starts[t] : group.layout.topic_starts[t + 1]].max()
        for t in topics
    ]
    is_most = np.flatnonzero((weights > 0) & (weights == most[group.topic_of_partition]))
    _, first = np.unique(group.topic_of_partition[is_most], return_index=True)
    return np.asarray(is_most[first], np.int64)


def unsubscribed(group: Group, owners: Owners) -> LongArray:
    """Return the owned partitions whose owner does not subscribe to their topic."""
    held = np.flatnonzero(owners != UNOWNED)
    return held[~group.layout.may_own(owners[held], held)]
