"""librdkafka, which confluent-kafka for Python, .NET, Go and JavaScript runs on.

It compares two static members by their instance ids, and any other two by their member ids:
where a group has both kinds, this is no order, and the outcome is that of the C library's
``qsort`` on the members as the broker lists them. Members that subscribe to nothing are left
out. Source: rdkafka_assignor.c, rdkafka_range_assignor.c and rdkafka_roundrobin_assignor.c of
v2.16.
"""

from itertools import groupby

import numpy as np

from assignors.clients.subscribers import by_topic_bytes, in_one_circle, text_bytes
from assignors.model import NO_RACK, Group, IntArray, LongArray, Owners
from assignors.range_ import match_members, match_partitions, rack_needs, room_beside


def librdkafka_range(group: Group) -> Owners:
    """Cut every topic on its own into near-equal blocks, members near a replica first.

    As Kafka's range but for the order of mixed static members, and for co-partitioned topics:
    there racks are always looked at, and a member without a rack matches none. Limit: on
    another C library than glibc mixed static members may come in another order.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> librdkafka_range(group)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    _, needs_racks = rack_needs(group)
    for topics, members in co_partitioned(group):
        partitions = group.topic_starts[topics][:, None] + np.arange(group.topic_sizes[topics[0]])
        seats = _near(group, partitions, members, needs_racks=bool(needs_racks[topics[0]]))
        seats[seats < 0] = np.repeat(np.arange(members.size), room_beside(seats, members.size))
        owners[partitions] = members[seats]
    return owners


def librdkafka_roundrobin(group: Group) -> Owners:
    """Give all partitions in turn, topic by topic, passing over members that do not subscribe.

    >>> group = Group.fresh({"a": 1, "b": 1}, members=["c0", "c1"])
    >>> librdkafka_roundrobin(group)
    array([0, 1], dtype=int32)
    """
    return in_one_circle(group, circle(group), by_topic_bytes(group))


def circle(group: Group) -> IntArray:
    """(M,) member numbers in the order of turns, those that subscribe to nothing last."""
    subscribes = np.any(group.subscribes, axis=1)[group.class_of_member]
    order = _sorted(group, group.arrival[subscribes[group.arrival]])
    return np.concatenate([order, np.flatnonzero(~subscribes).astype(np.int32)])


def co_partitioned(group: Group) -> list[tuple[LongArray, IntArray]]:
    """Return topics of the same subscribers and size, with those subscribers in order."""
    audiences, sizes = group.audiences, group.topic_sizes
    in_order = {}
    for audience in set(audiences.of_topic.tolist()) - {-1}:
        is_heard = np.zeros(group.member_count, np.bool_)
        is_heard[audiences.members_of(audience)] = True
        in_order[audience] = _sorted(group, group.arrival[is_heard[group.arrival]])
    topics = np.flatnonzero((audiences.of_topic >= 0) & (sizes > 0))
    keys = list(zip(audiences.of_topic[topics].tolist(), sizes[topics].tolist(), strict=True))
    by_key = sorted(zip(keys, topics.tolist(), strict=True))
    return [
        (np.array([topic for _, topic in alike]), in_order[key[0]])
        for key, alike in groupby(by_key, key=lambda pair: pair[0])
    ]


def seats_near(group: Group, partitions: LongArray, members: IntArray) -> IntArray:
    """Return the seats of the pass of racks; -1 where none matched or had room."""
    topic = group.topic_of_partition[partitions[0, 0]]
    needs_racks = bool(rack_needs(group)[1][topic])
    return _near(group, partitions, members, needs_racks=needs_racks)


def _near(group: Group, partitions: LongArray, members: IntArray, *, needs_racks: bool) -> IntArray:
    matches = np.all(group.replica_racks[partitions], axis=0)
    quota, extras = divmod(len(matches), members.size)
    racks = group.member_racks[members].tolist()
    is_alone = len(partitions) == 1
    matches = np.hstack([matches, np.full((len(matches), 1), is_alone)])  # column NO_RACK
    if not is_alone:
        return np.array(match_partitions(matches, racks, quota, extras), np.int32)
    if needs_racks:
        return np.array(match_members(matches, racks, quota, extras), np.int32)
    return np.full(len(matches), NO_RACK, np.int32)


def _sorted(group: Group, members: IntArray) -> IntArray:
    """Return the members as glibc's merge sort leaves them."""
    ids = [text_bytes(name) for name in group.members]
    static = [None if name is None else text_bytes(name) for name in group.instance_ids]

    def comes_first(one: int, other: int) -> bool:
        own, others = static[one], static[other]
        if own is not None and others is not None:
            return own <= others
        return ids[one] <= ids[other]

    def merged(row: list[int]) -> list[int]:
        if len(row) < 2:  # noqa: PLR2004 -- nothing to sort
            return row
        low, high = merged(row[: len(row) // 2]), merged(row[len(row) // 2 :])
        result = []
        while low and high:
            result.append((low if comes_first(low[0], high[0]) else high).pop(0))
        return result + low + high

    return np.array(merged(members.tolist()), np.int32)
