"""Streams on the classic protocol: vectors of the client's task assignors."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from assignors.streams.application import (
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.high_availability import high_availability
from assignors.streams.legacy_sticky import fallback_prior, legacy_sticky
from assignors.streams.rounds import TaskPlacer, classic_round
from assignors.streams.tasks import MemberTasks, Task, task_named

PLACE: Final[Mapping[str, TaskPlacer]] = {
    "high-availability": high_availability,
    "legacy-sticky": legacy_sticky,
    "fallback-prior": fallback_prior,
}


def application_of(record: Mapping[str, Any]) -> StreamsApplication:
    config = record["config"]
    return StreamsApplication(
        record["topics"],
        [ClassicSubtopology(s["id"], s["sources"], s["stateful"]) for s in record["subtopologies"]],
        [
            Instance(
                process["id"],
                [
                    StreamsThread(c["id"], _tasks(c["owned"]), _by_task(c["offset_sums"]))
                    for c in process["consumers"]
                ],
                process["tags"],
            )
            for process in record["processes"]
        ],
        _by_task(record["end_offset_sums"]),
        StreamsSettings(
            config["num_standby_replicas"],
            config["max_warmup_replicas"],
            config["acceptable_recovery_lag"],
            config["rack_aware_assignment_tags"],
        ),
    )


def agrees(record: Mapping[str, Any]) -> bool:
    found = classic_round(application_of(record), PLACE[record["assignor"]])
    expected = record["expected"]
    return (
        found.instances == _members(expected["processes"])
        and found.target == _members(expected["target"])
        and found.sent == _members(expected["sent"])
        and found.needs_probing == expected["probing_rebalance"]
        and found.is_followed_at_once == expected["immediate_rebalance"]
    )


def _members(held: Mapping[str, Mapping[str, list[str]]]) -> dict[str, MemberTasks]:
    return {
        name: MemberTasks(_tasks(tasks["active"]), _tasks(tasks["standby"]))
        for name, tasks in held.items()
    }


def _tasks(names: Iterable[str]) -> frozenset[Task]:
    return frozenset(map(task_named, names))


def _by_task(values: Mapping[str, int]) -> dict[Task, int]:
    return {task_named(name): value for name, value in values.items()}
