"""How even counts can get under the subscriptions."""

import numpy as np

from assignors.model import Group
from evaluation.bottlenecks import bottleneck


def least_max_count(group: Group) -> int:
    """Return the least possible number of partitions on the busiest consumer; exact.

    Some set of topics has so many partitions for each of its consumers, and by Hall's
    theorem nothing else stands in the way (KIP-49 set out to reach it).

    >>> wanted = {"c0": ["a"], "c1": ["a", "b"]}
    >>> least_max_count(Group.fresh({"a": 1, "b": 5}, wanted))
    5
    """
    found = bottleneck(group, np.ones(group.partition_count, np.int64))
    return found.share if found else 0
