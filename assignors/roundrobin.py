"""Round robin: assign all partitions to the members in turn.

Sources: the documentation of RoundRobinAssignor; KIP-345 (static members).
"""

import numpy as np

from assignors.model import Group, IntArray, LongArray, Owners
from assignors.single_member import unless_single_member
from assignors.trace.events import Trace
from assignors.trace.rules import InTurn, Walk


@unless_single_member
def roundrobin(group: Group, *, trace: Trace | None = None) -> Owners:
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
    if group.layout.wants_everything and not trace:
        return group.layout.static_first.take(np.arange(group.partition_count) % group.member_count)
    return in_turn(group, group.layout.static_first, group.wanted, trace, Walk.BY_TOPIC)


def in_turn(
    group: Group,
    members: IntArray,
    partitions: LongArray,
    trace: Trace | None = None,
    walk: Walk = Walk.BY_TOPIC,
) -> Owners:
    """Give each partition to the next of its subscribers, with one cursor for all topics.

    ``walk`` says how ``partitions`` are ordered.

    Between partitions of one audience the cursor meets only subscribers, so finding where it
    enters and leaves is enough.
    """
    owners, places, cursor = group.nobody(), np.argsort(members), 0
    circles: dict[int, IntArray] = {}
    for audience, run in group.layout.runs(partitions):
        if audience not in circles:
            circles[audience] = np.sort(places[group.audiences.members_of(audience)])
        circle = circles[audience]
        first = int(circle.searchsorted(cursor))
        turns = np.resize(np.concatenate([circle[first:], circle[:first]]), run.size)
        owners[run] = members[turns]
        cursor = int(turns[-1]) + 1
    if trace:
        trace.assigned(partitions, owners[partitions], InTurn(members, walk))
    return owners
