"""The rounds that follow one another until a Connect cluster is at rest."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from assignors.connect.cluster import ConnectCluster, ConnectorTask, ConnectRound, Worker

LONGEST: Final = 50
"""Rounds; a change of workers takes two or three."""


def rounds_of(
    cluster: ConnectCluster, play: Callable[[ConnectCluster], ConnectRound]
) -> list[tuple[ConnectCluster, ConnectRound]]:
    """Play rounds until nobody has to stop anything and nothing waits.

    The next round follows at once where a worker stops something, else when the delay has passed.
    """
    played = []
    for _ in range(LONGEST):
        found = play(cluster)
        played.append((cluster, found))
        if not found.is_followed_at_once and not found.leader.delay_ms:
            break
        cluster = after(cluster, found)
    return played


def after(cluster: ConnectCluster, found: ConnectRound) -> ConnectCluster:
    """Return the cluster as it joins the next round, with the same workers."""
    waits_until = cluster.now_ms if found.is_followed_at_once else found.leader.scheduled_ms
    return replace(
        cluster,
        workers=[Worker(each.id, found.holds[each.id]) for each in cluster.workers],
        leader=found.leader,
        now_ms=max(cluster.now_ms, waits_until),
        generation=cluster.generation + 1,
        completed_generation=cluster.generation,
    )


def runs(found: ConnectRound) -> dict[ConnectorTask, str]:
    """Return the worker of each connector and task after a round."""
    pairs = ((each, worker) for worker, work in found.holds.items() for each in work)
    return dict(sorted(pairs))
