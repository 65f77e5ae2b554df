"""Round robin: assign all partitions to the members in turn.

Sources: the documentation of RoundRobinAssignor; KIP-345 (static members).
"""

from bisect import bisect_left

import numpy as np

from assignors.model import Group, IntArray, Owners
from assignors.single_member import unless_single_member


@unless_single_member
def roundrobin(group: Group) -> Owners:
    """Assign the partitions, topic by topic, to the members in turn.

    Static members come first, by instance id, then dynamic ones by member id. Members that do
    not subscribe to the topic are skipped. One cursor runs across all topics.

    With unequal subscriptions it does not balance, because skipped members are not
    compensated: here C2 gets four of six partitions, although 1, 2, 3 is possible.

    >>> wanted = {"C0": ["t0"], "C1": ["t0", "t1"], "C2": ["t0", "t1", "t2"]}
    >>> group = Group.fresh({"t0": 1, "t1": 2, "t2": 3}, members=wanted)
    >>> group.named(roundrobin(group))
    {'C0': ('t0-0',), 'C1': ('t1-0',), 'C2': ('t1-1', 't2-0', 't2-1', 't2-2')}
    """
    if group.wants_everything:  # nobody is skipped
        turns = np.arange(group.partition_count) % group.member_count
        return group.static_first.take(turns)
    first_seats = _first_seats(group)[group.topic_of_partition]
    sizes = np.maximum(group.audiences.sizes, 1).astype(np.int32)[group.topic_of_partition]
    seats = (first_seats + group.number_in_topic) % sizes
    return group.seated_static_first(seats)


def _first_seats(group: Group) -> IntArray:
    """Return the seat of the subscriber that gets the first partition of each topic.

    Within a topic the cursor meets only subscribers, so finding where it enters and leaves is
    enough.
    """
    audiences = group.audiences
    places = memoryview(group.places.data)
    cursor = 0
    seats = []
    for start, subscribers, partitions in zip(
        audiences.starts[audiences.of_topic].tolist(),
        audiences.sizes.tolist(),
        group.topic_sizes.tolist(),
        strict=True,
    ):
        seat = 0
        if subscribers and partitions:
            seat = bisect_left(places, cursor, start, start + subscribers) - start
            cursor = places[start + (seat + partitions - 1) % subscribers] + 1
        seats.append(seat)
    return np.array(seats, np.int32)
