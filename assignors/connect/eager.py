"""Eager assignment of Connect: ``connect.protocol`` eager, the only one up to Kafka 2.2.

Source: ``EagerAssignor`` of Connect's workers. Everything stops and starts at every rebalance.
"""

from itertools import cycle

from assignors.connect.cluster import ConnectCluster, ConnectorTask, ConnectRound, Leader
from assignors.connect.incremental import ConnectRule
from assignors.java.strings import string_key
from assignors.placements import Placement


def eager(cluster: ConnectCluster) -> ConnectRound:
    """Deal all connectors, then all tasks, in order to the workers in a circle, by id.

    Tasks go on where connectors end, so counts of both together differ by one at most.
    """
    circle = sorted((each.id for each in cluster.workers), key=string_key)
    assigned: dict[str, list[ConnectorTask]] = {each: [] for each in circle}
    placements = []
    for each, worker in zip(cluster.work, cycle(circle), strict=False):
        assigned[worker].append(each)
        placements.append(Placement(worker, each.name, ConnectRule.IN_TURN))
    leader = Leader(generation=cluster.generation)
    nothing = dict.fromkeys(circle, frozenset[ConnectorTask]())  # all stopped before they joined
    return ConnectRound(assigned, nothing, assigned, leader, placements)
