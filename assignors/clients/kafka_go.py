"""kafka-go (segmentio): its two group balancers that do not look at racks.

Both sort a topic's subscribers by the bytes of their member ids, and know no static members;
kafka-go has no rack in its member metadata but that of its rack-affinity balancer, whose
answer follows a Go map and is not the same twice. Source: groupbalancer.go of v0.4.51.
"""

import numpy as np

from assignors.clients.subscribers import by_id, per_topic
from assignors.model import Group, Owners


def kafka_go_range(group: Group) -> Owners:
    """Cut every topic on its own at the even shares rounded down.

    Of n partitions and k subscribers, number i takes those from i n / k to (i + 1) n / k,
    so that the last ones get the larger blocks: Kafka's own range gives them to the first.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> kafka_go_range(group)
    array([0, 0, 1, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    for partitions, members in per_topic(group, by_id(group), repeats=True):
        cuts = np.arange(members.size + 1) * (partitions.stop - partitions.start) // members.size
        owners[partitions] = members.repeat(np.diff(cuts))
    return owners


def kafka_go_roundrobin(group: Group) -> Owners:
    """Give each topic's partitions to its subscribers in turn; every topic starts anew.

    So the first subscribers collect the topics of few partitions.

    >>> group = Group.fresh({"a": 1, "b": 1}, members=["c0", "c1"])
    >>> kafka_go_roundrobin(group)
    array([0, 0], dtype=int32)
    """
    owners = group.nobody()
    for partitions, members in per_topic(group, by_id(group), repeats=True):
        owners[partitions] = np.resize(members, partitions.stop - partitions.start)
    return owners
