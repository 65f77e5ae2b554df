"""Eager assignment of Connect: ``connect.protocol`` eager, the only one up to Kafka 2.2.

Source: ``EagerAssignor`` of Connect's workers. Everything stops and starts at every rebalance.
"""

from itertools import cycle

from assignors.connect.cluster import ConnectCluster, ConnectorTask, ConnectRound, Leader
from assignors.connect.incremental import ConnectRule
from assignors.java.strings import string_key
from assignors.placements import PlacementTrace


def eager(cluster: ConnectCluster) -> ConnectRound:
    """Deal all connectors, then all tasks, in order to the workers in a circle, by id.

    Tasks go on where connectors end, so counts of both together differ by one at most.
    """
    circle = sorted((each.id for each in cluster.workers), key=string_key)
    assigned: dict[str, list[ConnectorTask]] = {each: [] for each in circle}
    trace = PlacementTrace()
    counts = {"workers": len(circle), "total": len(cluster.work)}
    for number, (each, worker) in enumerate(zip(cluster.work, cycle(circle), strict=False), 1):
        assigned[worker].append(each)
        trace.given(worker, each.name, ConnectRule.IN_TURN, {"number": number, **counts})
    leader = Leader(generation=cluster.generation)
    nothing = dict.fromkeys(circle, frozenset[ConnectorTask]())  # all stopped before they joined
    return ConnectRound(assigned, nothing, assigned, leader, trace.placements)
