"""Fair: give every partition to the subscriber with the fewest, scarce topics first.

Source: KIP-49 and the FairAssignor of its own pull request; Kafka never shipped it.
"""

import numpy as np

from assignors.model import Group, LongArray, Owners
from assignors.quotas import give_to_the_emptiest
from assignors.single_member import unless_single_member
from assignors.trace.events import Trace
from assignors.trace.rules import FewestOfAll


@unless_single_member
def fair(group: Group, *, trace: Trace | None = None) -> Owners:
    """Give each partition to the subscriber with the fewest partitions so far.

    Topics with the fewest subscribers come first, then those with the most partitions, then
    by name; ties between members go to the smaller id.

    It is greedy and takes nothing back, so with unequal subscriptions it can miss the best
    balance: with two partitions each of t0 for c0 and c1, t1 for c1 and c2, and t2 for c2
    alone, the counts are 1, 3, 2. It ignores present owners and lag.

    >>> every, odd = ["T1", "T2", "T3", "T4", "T5"], ["T1", "T3", "T5"]
    >>> topics = {"T1": 2, "T2": 1, "T3": 2, "T4": 1, "T5": 2}
    >>> group = Group.fresh(topics, {"C1": every, "C2": odd, "C3": odd, "C4": every})
    >>> group.named(fair(group))  # doctest: +NORMALIZE_WHITESPACE
    {'C1': ('T2-0', 'T3-0'), 'C2': ('T1-0', 'T3-1'), 'C3': ('T1-1', 'T5-0'),
     'C4': ('T4-0', 'T5-1')}
    """
    owners = group.nobody()
    if group.layout.wants_everything and not trace:  # the emptiest is whose turn it is
        largest_first = group.layout.partitions_of((-group.topic_sizes).argsort(kind="stable"))
        owners[largest_first] = np.arange(owners.size) % group.member_count
        return owners
    counts = np.zeros(group.member_count, np.int64)
    order = group.layout.partitions_of(_scarce_first(group))
    for audience, run in group.layout.runs(order):
        owners[run] = give_to_the_emptiest(counts, group.audiences.members_of(audience), run.size)
    if trace:
        trace.assigned(order, owners[order], FewestOfAll())
    return owners


def _scarce_first(group: Group) -> LongArray:
    """Return the wanted topics by ascending subscribers, descending partitions, then name."""
    audiences, sizes = group.audiences, group.topic_sizes
    topics = group.layout.wanted_topics
    return topics[np.lexsort((-sizes[topics], audiences.sizes[topics]))]
