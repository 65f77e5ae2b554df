"""librdkafka's range and round robin; confluent-kafka for Python, .NET, Go and JavaScript uses it.

It compares two static members by instance id and any other two by member id. In a group with
both kinds this is no total order, and the result is what the C library's ``qsort`` makes of the
members in the order in which the broker lists them. Members without subscriptions are left out.
Source: rdkafka_assignor.c, rdkafka_range_assignor.c and rdkafka_roundrobin_assignor.c of v2.16.
"""

from itertools import groupby
from typing import Final

import numpy as np

from assignors.clients.ordering import by_topic_bytes, text_bytes
from assignors.clients.range_roundrobin import RoundRobin
from assignors.model import NO_RACK, Group, IntArray, Layout, LongArray, Owners
from assignors.range_ import ByRack, rack_needs, seats_by_rack, with_rest_by_range
from assignors.trace.events import Trace
from assignors.trace.rules import Block, Division


def librdkafka_range(group: Group, *, trace: Trace | None = None) -> Owners:
    """Cut each topic into near-equal blocks, members in the rack of a replica first.

    Differs from Kafka's range in the order of mixed static members, and for co-partitioned
    topics: their racks always count, and a member without a rack matches none. Limit: the
    order of mixed static members is that of glibc's ``qsort``; other C libraries may differ.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> librdkafka_range(group)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    for topics, members in _co_partitioned(group):
        partitions = group.layout.topic_starts[topics][:, None] + np.arange(
            group.topic_sizes[topics[0]]
        )
        near = _seats_near(group.layout, partitions, members)
        seats = with_rest_by_range(near.copy(), members.size)
        owners[partitions] = members[seats]
        if trace:
            trace.note(Division(), partitions.ravel(), members)
        if trace and np.any(near >= 0):
            ByRack(topics, partitions, members, near).tell(trace, owners)
        elif trace:
            places = np.tile(seats, topics.size)
            trace.assigned(partitions.ravel(), members[places], Block(places))
    return owners


def librdkafka_order(group: Group) -> IntArray:
    """(M,) members in the order of turns, those without subscriptions last."""
    subscribes = np.any(group.subscribes, axis=1)[group.layout.class_of_member]
    order = _sorted(group, group.layout.arrival[subscribes[group.layout.arrival]])
    return np.concatenate([order, np.flatnonzero(~subscribes).astype(np.int32)])


librdkafka_roundrobin: Final = RoundRobin(librdkafka_order, by_topic_bytes)


def _co_partitioned(group: Group) -> list[tuple[LongArray, IntArray]]:
    """Return topics with the same subscribers and size, and those subscribers in order."""
    keys = list(zip(group.audiences.of_topic.tolist(), group.topic_sizes.tolist(), strict=True))
    in_order = {}
    for audience in range(group.audiences.starts.size - 1):
        is_in = np.zeros(group.member_count, np.bool_)
        is_in[group.audiences.members_of(audience)] = True
        in_order[audience] = _sorted(group, group.layout.arrival[is_in[group.layout.arrival]])
    topics = sorted(group.layout.wanted_topics.tolist(), key=keys.__getitem__)
    by_key = groupby(topics, keys.__getitem__)
    return [(np.array(list(alike)), in_order[audience]) for (audience, _), alike in by_key]


def _seats_near(layout: Layout, partitions: LongArray, members: IntArray) -> IntArray:
    """Return the seats of the rack pass, -1 where no member matched or had room.

    ``partitions`` has one row for each of the co-partitioned topics.
    """
    is_alone = len(partitions) == 1
    if is_alone and not rack_needs(layout)[1][layout.topic_of_partition[partitions[0, 0]]]:
        return np.full(partitions.size, NO_RACK, np.int32)
    return seats_by_rack(layout, partitions, members, rackless_match=is_alone)


def _sorted(group: Group, members: IntArray) -> IntArray:
    """Return the members as glibc's merge sort leaves them."""
    ids = [text_bytes(name) for name in group.members]
    static = [None if name is None else text_bytes(name) for name in group.layout.instance_ids]

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
