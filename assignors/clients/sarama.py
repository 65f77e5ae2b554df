"""Sarama: its two deterministic strategies.

Neither looks at static ids or racks. Its sticky strategies follow Go maps: what they answer
differs from call to call. Source: balance_strategy.go of v1.61.1.
"""

import numpy as np

from assignors.clients.subscribers import (
    blocks_first_larger,
    by_id,
    in_one_circle,
    per_topic,
    text_bytes,
)
from assignors.model import Group, LongArray, Owners


def sarama_range(group: Group) -> Owners:
    """Cut every topic on its own into near-equal blocks, subscribers by id.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> sarama_range(group)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    for partitions, members in per_topic(group, by_id(group), repeats=False):
        owners[partitions] = blocks_first_larger(partitions.stop - partitions.start, members)
    return owners


def sarama_roundrobin(group: Group) -> Owners:
    """Give all partitions in turn, one cursor for all topics, in the order of their names.

    The names compared are texts like ``t-10``, so partition 10 comes before partition 2.

    >>> group = Group.fresh({"t": 11}, members=["c0", "c1"])
    >>> sarama_roundrobin(group)
    array([0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0], dtype=int32)
    """
    return in_one_circle(group, by_id(group), by_text(group))


def by_text(group: Group) -> LongArray:
    """Return the wanted partitions in the order of texts like ``t-10``."""
    wanted = group.wanted.tolist()
    wanted.sort(key=lambda p: text_bytes(group.partition_name(p)))
    return np.array(wanted, np.int64)
