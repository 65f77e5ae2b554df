"""The order in which clients visit members and partitions."""

import numpy as np

from assignors.model import Group, IntArray, LongArray


def text_bytes(text: str) -> bytes:
    """Return the bytes by which Go and C compare strings."""
    return text.encode("utf-8", "surrogatepass")


def by_id(group: Group) -> IntArray:
    """(M,) members by the bytes of their ids."""
    order = sorted(range(group.member_count), key=lambda m: text_bytes(group.members[m]))
    return np.array(order, np.int32)


def by_java_id(group: Group) -> IntArray:
    """(M,) members by their ids as Java and JavaScript compare strings."""
    return np.arange(group.member_count, dtype=np.int32)


def static_first_by_bytes(group: Group) -> IntArray:
    """(M,) static members by instance id, then dynamic ones by member id, as bytes."""

    def key(member: int) -> tuple[bool, bytes]:
        name = group.layout.instance_ids[member]
        return name is None, text_bytes(group.members[member] if name is None else name)

    return np.array(sorted(range(group.member_count), key=key), np.int32)


def by_topic_bytes(group: Group) -> LongArray:
    """Return the wanted partitions, topics by the bytes of their names, then by number."""
    topics = sorted(group.layout.wanted_topics.tolist(), key=lambda t: text_bytes(group.topics[t]))
    return group.layout.partitions_of(np.array(topics, np.int64))


def by_partition_text(group: Group) -> LongArray:
    """Return the wanted partitions ordered as texts: ``t-10`` before ``t-2``."""
    wanted = group.wanted.tolist()
    wanted.sort(key=lambda p: text_bytes(group.partition_name(p)))
    return np.array(wanted, np.int64)


def as_the_leader_lists(group: Group) -> LongArray:
    """Return the wanted partitions, topics as the leader lists them, then the others by name."""
    place = {name: place for place, name in enumerate(dict.fromkeys(group.layout.leader_topics))}
    topics = group.layout.wanted_topics.tolist()
    topics.sort(key=lambda t: place.get(group.topics[t], len(place)))
    return group.layout.partitions_of(np.array(topics, np.int64))
