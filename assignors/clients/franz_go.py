"""franz-go: its range and round-robin balancers.

Static members come first, by instance id, then the others by member id, compared as bytes.
Racks count only with the option BalanceRacks, which is off by default.
Source: kgo/group_balancer.go of v1.22.2.
"""

from assignors.clients.subscribers import (
    blocks_first_larger,
    by_topic_bytes,
    in_one_circle,
    per_topic,
    static_first_by_bytes,
)
from assignors.model import Group, Owners


def franz_go_range(group: Group) -> Owners:
    """Cut every topic on its own into near-equal blocks, in member order.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> franz_go_range(group)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    for partitions, members in per_topic(group, static_first_by_bytes(group), repeats=True):
        owners[partitions] = blocks_first_larger(partitions.stop - partitions.start, members)
    return owners


def franz_go_roundrobin(group: Group) -> Owners:
    """Give all partitions in turn, topic by topic, passing over members that do not subscribe.

    >>> group = Group.fresh({"a": 1, "b": 1}, members=["c0", "c1"])
    >>> franz_go_roundrobin(group)
    array([0, 1], dtype=int32)
    """
    return in_one_circle(group, static_first_by_bytes(group), by_topic_bytes(group))
