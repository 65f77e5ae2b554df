"""Connect: vectors of ``IncrementalCooperativeAssignor``, chains of rounds of one leader."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assignors.connect.cluster import (
    CONNECTOR_ITSELF,
    ConnectCluster,
    ConnectorTask,
    ConnectRound,
    Leader,
    Worker,
)
from assignors.connect.incremental import incremental


def clusters_of(record: Mapping[str, Any]) -> Iterator[tuple[ConnectCluster, Mapping[str, Any]]]:
    """Yield each round with what Kafka made of it; the leader remembers what we computed."""
    leader = Leader()
    for each in record["rounds"]:
        cluster = ConnectCluster(
            configured=each["configured"],
            workers=[Worker(m["id"], _work(m["connectors"], m["tasks"])) for m in each["members"]],
            leader=leader,
            now_ms=each["now"],
            generation=each["generation"],
            completed_generation=each["last_completed_generation"],
            max_delay_ms=record["max_delay"],
        )
        yield cluster, each["expected"]
        leader = incremental(cluster).leader


def agrees(record: Mapping[str, Any]) -> bool:
    return all(
        _as_recorded(incremental(cluster)) == _comparable(expected)
        for cluster, expected in clusters_of(record)
    )


def _as_recorded(found: ConnectRound) -> dict[str, Any]:
    leader = found.leader
    return {
        "members": {
            worker: {
                "assigned_connectors": _names(found.assigned[worker], is_connector=True),
                "assigned_tasks": _names(found.assigned[worker], is_connector=False),
                "revoked_connectors": set(_names(found.revoked[worker], is_connector=True)),
                "revoked_tasks": set(_names(found.revoked[worker], is_connector=False)),
                "reports_connectors": _names(found.holds[worker], is_connector=True),
                "reports_tasks": _names(found.holds[worker], is_connector=False),
            }
            for worker in found.assigned
        },
        "delay": leader.delay_ms,
        "scheduled_rebalance": leader.scheduled_ms,
        "candidates": set(leader.candidates),
        "revoked_in_previous": leader.has_revoked,
        "successive_revoking_rebalances": leader.successive,
    }


def _comparable(expected: Mapping[str, Any]) -> dict[str, Any]:
    members = {
        worker: held
        | {
            "revoked_connectors": set(held["revoked_connectors"]),
            "revoked_tasks": set(held["revoked_tasks"]),
        }
        for worker, held in expected["members"].items()
    }
    return {**expected, "members": members, "candidates": set(expected["candidates"])}


def _work(connectors: Iterable[str], tasks: Iterable[str]) -> list[ConnectorTask]:
    parted = (task.rpartition("-") for task in tasks)
    return [
        *(ConnectorTask(name, CONNECTOR_ITSELF) for name in connectors),
        *(ConnectorTask(name, int(number)) for name, _, number in parted),
    ]


def _names(work: Iterable[ConnectorTask], *, is_connector: bool) -> list[str]:
    return [each.name for each in work if each.is_connector == is_connector]
