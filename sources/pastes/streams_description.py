"""What a Java program prints of ``Admin#describeStreamsGroups``: threads, and the state on disks.

It alone tells how far each thread has read the changelogs of the tasks on its instance's disk,
which decides where tasks go; no tool prints that.
"""

import re
from collections.abc import Iterator
from typing import Final

from assignors.kinds import GroupKind
from assignors.streams.broker_group import StreamsMember
from assignors.streams.tasks import Task, task_named
from evaluation.wording import plural
from sources.pastes.kind_groups import streams_group_of
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed
from sources.pastes.topology import DescribedSubtopology

FORMAT: Final = "Java's describeStreamsGroups"
_MEMBER: Final = "(memberId="
_SUBTOPOLOGY: Final = "(subtopologyId='"
_GROUP: Final = re.compile(r"\(groupId=([^,'()]{1,500}), groupEpoch=")
_TASK: Final = re.compile(r"\d{1,9}_\d{1,9}")
_OFFSET: Final = re.compile(r"(\d{1,9}_\d{1,9})=(\d{1,19})")
_LONGEST_TOPIC: Final = 249
_THREAD: Final = "-StreamThread-"


def read_streams_description(page: Page) -> Parsed:
    """Return the threads as members, with the tasks and the state that they report."""
    parsed = Parsed(FORMAT)
    if _MEMBER not in page.text or "taskOffsets=" not in page.text:
        return parsed
    threads: dict[GroupKey, list[StreamsMember]] = {}
    topologies: dict[GroupKey, dict[int, DescribedSubtopology]] = {}
    name, topology = "", dict[int, DescribedSubtopology]()
    for number, line in enumerate(page.lines):
        if named := _GROUP.search(line):
            name, topology = named[1], {}
        if _SUBTOPOLOGY in line:
            topology |= _subtopologies(line)
            parsed.used.add(number)
        for client, member in _members(line):
            application = client.partition(_THREAD)[0].removesuffix(f"-{member.process}")
            key = GroupKey(name or application)
            threads.setdefault(key, []).append(member)
            topologies[key] = topology
            parsed.members.append(MemberRow(number, key, member.id, client=client, format=FORMAT))
            parsed.used.add(number)
    for key, members in threads.items():
        parsed.kinds[key] = GroupKind.STREAMS_BROKER
        if group := streams_group_of(members, topologies[key], page.limits):
            parsed.as_kinds[key] = group
    if threads:
        offsets = sum(len(m.offsets or {}) for members in threads.values() for m in members)
        parsed.notes.append(
            f"{plural(len(parsed.members), 'thread')} report {plural(offsets, 'offset')} of state "
            "on disks."
        )
    return parsed


def _members(line: str) -> Iterator[tuple[str, StreamsMember]]:
    """Yield each member of a line with its client id."""
    for text in line.split(_MEMBER)[1:]:
        assignment = text.partition(" assignment=(")[2].partition(")")[0]
        process = _field(text, "processId")
        if not assignment or not process:
            continue
        offsets = _between(text, " taskOffsets=", ", taskEndOffsets=")
        yield (
            _field(text, "clientId"),
            StreamsMember(
                text.partition(",")[0],
                process,
                _tasks(_between(assignment, "activeTasks=", ", standbyTasks=")),
                _tasks(_between(assignment, "standbyTasks=", ", warmupTasks=")),
                {task_named(name): int(value) for name, value in _OFFSET.findall(offsets)},
            ),
        )


def _subtopologies(line: str) -> dict[int, DescribedSubtopology]:
    """Return the sub-topologies of a line, with the topics that each reads and its changelogs."""
    found = {}
    for text in line.split(_SUBTOPOLOGY)[1:]:
        number = text.partition("'")[0]
        sources = _between(text, "sourceTopics=[", "]")
        changelogs = _between(text, "stateChangelogTopics={", "}")
        repartitions = _between(text, "repartitionSourceTopics={", "}")
        if number.isdecimal() and len(number) <= len("999999999"):
            topics = [each.strip() for each in sources.split(",") if each.strip()]
            topics += _topics(repartitions)
            stores = tuple(_topics(changelogs))
            found[int(number)] = DescribedSubtopology(tuple(topics), stores)
    return found


def _topics(text: str) -> list[str]:
    """Return the topics of a map: what stands before each ``=TopicInfo(``."""
    ends = [each[-_LONGEST_TOPIC:] for each in text.split("=TopicInfo(")[:-1]]
    return [name for each in ends if (name := each.rpartition(" ")[2].strip(","))]


def _tasks(text: str) -> frozenset[Task]:
    return frozenset(map(task_named, _TASK.findall(text)))


def _field(text: str, name: str) -> str:
    return _between(text, f" {name}=", ",")


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]
