"""Streams groups of the broker: vectors of ``StickyTaskAssignor``."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.broker_sticky import sticky, sticky_4_3
from assignors.streams.tasks import MemberTasks, Subtopology, Task, TaskAssignment

ASSIGN: Final[Mapping[str, Callable[[StreamsGroup], TaskAssignment]]] = {
    "4.3": sticky_4_3,
    "4.4": sticky,
}


def group_of(record: Mapping[str, Any]) -> StreamsGroup:
    subtopologies = [
        Subtopology(int(s["id"]), s["partitions"], s["stateful"]) for s in record["subtopologies"]
    ]
    members = [
        StreamsMember(
            m["id"],
            m["process_id"],
            _tasks(m["active"]),
            _tasks(m["standby"]),
            {
                Task(int(s), int(p)): offset
                for s, sums in m["task_offsets"].items()
                for p, offset in sums.items()
            },
        )
        for m in record["members"]
    ]
    return StreamsGroup(subtopologies, members, record["num_standby_replicas"])


def agrees(record: Mapping[str, Any], release: str) -> bool:
    group = group_of(record)
    if [member.id for member in group.members_in_order] != record["member_order"]:
        return False
    expected = {
        member: MemberTasks(_tasks(held["active"]), _tasks(held["standby"]))
        for member, held in record["expected"].items()
    }
    return ASSIGN[release](group).members == expected


def _tasks(held: Mapping[str, list[int]]) -> frozenset[Task]:
    return frozenset(Task(int(s), number) for s, numbers in held.items() for number in numbers)
