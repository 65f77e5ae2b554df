"""Facts about a group and an assignment, for the sentences that explain it."""

import numpy as np

from assignors.model import NO_RACK, UNOWNED, BoolArray, Group, LongArray, Owners


def subscribers(group: Group) -> LongArray:
    """Return the members that subscribe to a topic with partitions, ascending."""
    has_partitions = group.subscribes & (group.topic_sizes > 0)
    is_class = np.asarray(has_partitions.any(axis=1), np.bool_)
    return np.flatnonzero(is_class[group.class_of_member])


def subscribe_alike(group: Group) -> bool:
    """Tell whether all that subscribe to anything with partitions subscribe to all of it."""
    sizes = group.audiences.sizes[group.wanted_topics]
    return bool((sizes == subscribers(group).size).all())


def extra_topics(group: Group, owners: Owners) -> LongArray:
    """Return in how many topics a member owns more than subscribers' equal share; (M,).

    The share is the topic's partitions divided by its subscribers, rounded down.
    """
    held = np.flatnonzero(owners != UNOWNED)
    pairs = group.topic_of_partition[held].astype(np.int64) * group.member_count + owners[held]
    keys, counts = np.unique(pairs, return_counts=True)
    topic, member = np.divmod(keys, max(group.member_count, 1))
    share = group.topic_sizes // np.maximum(group.audiences.sizes, 1)
    return np.bincount(member[counts > share[topic]], minlength=group.member_count)


def uneven_topics(group: Group) -> int:
    """Return how many topics do not divide evenly among their subscribers."""
    topics = group.wanted_topics
    return int(np.count_nonzero(group.topic_sizes[topics] % group.audiences.sizes[topics]))


def largest_partitions(group: Group) -> LongArray:
    """Return the partition with most lag of each wanted topic that has lag, first of equals."""
    topics = group.wanted_topics
    lags = np.where(group.is_wanted, group.counted_lags, 0)
    most = np.zeros(len(group.topics), np.int64)
    most[topics] = [lags[group.topic_starts[t] : group.topic_starts[t + 1]].max() for t in topics]
    is_most = np.flatnonzero((lags > 0) & (lags == most[group.topic_of_partition]))
    _, first = np.unique(group.topic_of_partition[is_most], return_index=True)
    return np.asarray(is_most[first], np.int64)


def moved_partitions(group: Group, owners: Owners) -> BoolArray:
    """Return whether each partition is owned now and changes or loses its owner; (P,)."""
    present = group.present_owners
    return np.not_equal(present, UNOWNED) & np.not_equal(present, owners)


def is_subscribed(group: Group, owners: Owners) -> BoolArray:
    """Return whether each partition's owner subscribes to its topic; True without owner; (P,)."""
    is_valid = np.ones(group.partition_count, np.bool_)
    held = np.flatnonzero(owners != UNOWNED)
    classes = group.class_of_member[owners[held]]
    is_valid[held] = group.subscribes[classes, group.topic_of_partition[held]]
    return is_valid


def is_off_rack(group: Group, owners: Owners) -> BoolArray:
    """Return whether no replica stands in the owner's rack, where both are known; (P,)."""
    is_off = np.zeros(group.partition_count, np.bool_)
    held = np.flatnonzero((owners != UNOWNED) & group.replica_racks.any(axis=1))
    racks = group.member_racks[owners[held]]
    held, racks = held[racks != NO_RACK], racks[racks != NO_RACK]
    is_off[held] = ~group.replica_racks[held, racks]
    return is_off


def judged_by_rack(group: Group, owners: Owners) -> int:
    """Return of how many partitions both the replica racks and the owner's rack are known."""
    held = np.flatnonzero((owners != UNOWNED) & group.replica_racks.any(axis=1))
    return int(np.count_nonzero(group.member_racks[owners[held]] != NO_RACK))
