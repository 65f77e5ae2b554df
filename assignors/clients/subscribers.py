"""The subscribers of each topic, in a client's order."""

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from assignors import ragged
from assignors.model import Group, IntArray, LongArray, Owners


def by_id(group: Group) -> IntArray:
    """(M,) member numbers by the bytes of their ids, as Go and C compare strings."""
    return _in_order(group, range(group.member_count))


def static_first_by_bytes(group: Group) -> IntArray:
    """(M,) member numbers: static ones by instance id, then the others by id, as bytes."""
    members = range(group.member_count)
    static = [m for m in members if group.instance_ids[m] is not None]
    static.sort(key=lambda m: text_bytes(group.instance_ids[m] or ""))
    others = _in_order(group, [m for m in members if group.instance_ids[m] is None])
    return np.concatenate([np.array(static, np.int32), others])


def _in_order(group: Group, members: Iterator[int] | range | list[int]) -> IntArray:
    return np.array(sorted(members, key=lambda m: text_bytes(group.members[m])), np.int32)


def text_bytes(text: str) -> bytes:
    """Return what Go and C compare of a text."""
    return text.encode("utf-8", "surrogatepass")


def by_topic_bytes(group: Group) -> LongArray:
    """Return the wanted partitions, topics by the bytes of their names, then by number."""
    topics = sorted(range(len(group.topics)), key=lambda t: text_bytes(group.topics[t]))
    starts, stops = group.topic_starts[topics], group.topic_starts[np.array(topics, int) + 1]
    partitions = ragged.spans(starts, stops)
    return partitions[group.is_wanted[partitions]]


def per_topic(group: Group, order: IntArray, *, repeats: bool) -> Iterator[tuple[slice, IntArray]]:
    """Yield the partitions and the subscribers of each topic that has both.

    ``order`` is that of all members. With ``repeats`` a member that lists a topic twice
    stands twice in a row.
    """
    place = np.argsort(order)
    times = _times_listed(group) if repeats else None
    for partitions, members in group.wanted_topics():
        subscribers = order[np.sort(place[members])]
        if times is not None:
            topic = group.topic_of_partition[partitions.start]
            subscribers = subscribers.repeat(times[group.class_of_member[subscribers], topic])
        yield partitions, subscribers


def _times_listed(group: Group) -> LongArray | None:
    """(C, T) how often a class lists each topic; None where no class lists one twice."""
    if group.class_topics.size == np.count_nonzero(group.subscribes):
        return None
    times = np.zeros(group.subscribes.shape, np.int64)
    np.add.at(times, (ragged.row_of_each(group.class_starts), group.class_topics), 1)
    return times


def blocks_first_larger(partitions: int, members: IntArray) -> Owners:
    """Cut a topic into contiguous blocks, the first ones one larger."""
    quota, extras = divmod(partitions, members.size)
    sizes = np.full(members.size, quota)
    sizes[:extras] += 1
    return members.repeat(sizes)


def in_one_circle(group: Group, order: IntArray, partitions: LongArray) -> Owners:
    """Give each of the wanted partitions to the next subscriber, one cursor for all topics."""
    owners = group.nobody()
    if group.wants_everything:
        owners[partitions] = np.resize(order, partitions.size)
        return owners
    place, cursor = np.argsort(order), 0
    audience_of = group.audiences.of_topic[group.topic_of_partition[partitions]].tolist()
    seats = {a: sorted(place[group.audiences.members_of(a)].tolist()) for a in set(audience_of)}
    for partition, audience in zip(partitions.tolist(), audience_of, strict=True):
        first = bisect_left(seats[audience], cursor)
        seat = seats[audience][first % len(seats[audience])]
        owners[partition] = order[seat]
        cursor = (seat + 1) % order.size
    return owners
