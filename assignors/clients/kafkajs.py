"""KafkaJS: its one assigner, RoundRobinAssigner.

Source: src/consumer/assigners/roundRobinAssigner of v2.2.4.
"""

import numpy as np

from assignors import ragged
from assignors.clients.subscribers import in_one_circle
from assignors.model import Group, LongArray, Owners


def kafkajs_roundrobin(group: Group) -> Owners:
    """Give all partitions in turn to the members by id, topics in the order the leader lists them.

    The leader is taken to be the member listed first; topics that it does not list follow by
    name. Exact where all members subscribe to the same topics. Where they do not, KafkaJS
    assigns the leader's topics alone, also to members that do not read them; here such a
    member is passed over, and every topic with a subscriber is assigned.

    >>> group = Group.fresh({"a": 1, "b": 1}, members=["c0", "c1"])
    >>> kafkajs_roundrobin(group)
    array([0, 1], dtype=int32)
    """
    members = np.arange(group.member_count, dtype=np.int32)
    return in_one_circle(group, members, as_the_leader_lists(group))


def as_the_leader_lists(group: Group) -> LongArray:
    """Return the wanted partitions, topics in the order in which the leader lists them."""
    number = {name: topic for topic, name in enumerate(group.topics)}
    listed = [number[name] for name in group.leader_topics if name in number]
    topics = np.array(list(dict.fromkeys([*listed, *range(len(group.topics))])), int)
    partitions = ragged.spans(group.topic_starts[topics], group.topic_starts[topics + 1])
    return partitions[group.is_wanted[partitions]]
