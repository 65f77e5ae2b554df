"""Members of groups that are no consumer groups, as the assignors of their kind see them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.share.group import ShareGroup, ShareMember, ShareTopic
from assignors.streams.application import (
    RUNNING,
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsThread,
)
from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.tasks import Subtopology, Task
from sources.budget import Limits
from sources.pastes.parsed import GroupRecords, TopicRow
from sources.pastes.topology import DescribedSubtopology

_THREAD: Final = re.compile(r"(.{1,500})-StreamThread-\d{1,9}-consumer")
_PROCESS: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


def share_group_of(
    records: GroupRecords, sizes: Mapping[str, int], topics: Sequence[TopicRow]
) -> ShareGroup | None:
    """Return a share group by its members' partitions; None if none are listed.

    The table lists no subscriptions: every member is taken to subscribe to all topics.
    """
    if not any(member.assignment for member in records.members):
        return None
    ids = {row.topic: row.id for row in topics if row.id}
    members = [
        ShareMember(row.member, tuple(sizes), frozenset(row.assignment)) for row in records.members
    ]
    return ShareGroup(
        {name: ShareTopic(size, ids.get(name)) for name, size in sizes.items()}, members
    )


def streams_group_of(
    members: Sequence[StreamsMember],
    topology: Mapping[int, DescribedSubtopology],
    limits: Limits,
) -> StreamsGroup | None:
    """Return a Streams group by its threads' tasks; None if nothing is running.

    Raises SourceError if the highest numbers ask for more tasks than partitions can be read.

    State shows in standbys, unless the topology tells stores; the most copies of a task are taken
    for the number of standbys.
    """
    active = {task for each in members for task in each.active}
    copies = Counter(task for each in members for task in each.standby)
    if not active:
        return None
    tasks = active | set(copies)
    with_copies = {task.subtopology for task in copies}
    standbys = max(copies.values(), default=0)
    sizes: dict[int, int] = {}
    for task in tasks:
        sizes[task.subtopology] = max(sizes.get(task.subtopology, 0), task.partition + 1)
    limits.check("partitions", sum(sizes.values()))
    subtopologies = []
    for number, size in sorted(sizes.items()):
        stores = topology[number].stores if number in topology else ()
        has_state = bool(stores) if number in topology else number in with_copies or not standbys
        topics = topology[number].topics if number in topology else ()
        subtopologies.append(Subtopology(number, size, has_state, topics))
    return StreamsGroup(subtopologies, members, standbys)


def application_of(
    name: str,
    owned: Mapping[str, Sequence[tuple[str, int]]],
    clients: Mapping[str, str],
    sizes: Mapping[str, int],
    topology: Mapping[int, DescribedSubtopology],
) -> StreamsApplication | None:
    """Return an application of the classic protocol; None where the topology is another one's.

    ``owned`` are each member's partitions, ``clients`` the client ids. An instance is what stands
    before ``-StreamThread-N``: where no client id is set, it ends in the process id. Repartition
    topics bear the application's name before that of the topology.
    """
    topics = {
        topic: number
        for number, each in topology.items()
        for short in each.topics
        for topic in (short, f"{name}-{short}")
        if topic in sizes
    }
    if not topics or set(sizes) - set(topics):
        return None
    threads: dict[str, list[StreamsThread]] = {}
    is_known = True
    with_state = {number for number, each in topology.items() if each.stores}
    for member, partitions in owned.items():
        instance = _THREAD.match(clients.get(member) or member)
        if instance is None:
            return None
        tasks = frozenset(Task(topics[topic], number) for topic, number in partitions)
        running = {task: RUNNING for task in tasks if task.subtopology in with_state}
        process = _process(instance[1])
        is_known &= process in instance[1]
        threads.setdefault(process, []).append(StreamsThread(member, tasks, running))
    application = StreamsApplication(
        sizes,
        [
            ClassicSubtopology(
                number, [t for t, of in topics.items() if of == number], number in with_state
            )
            for number in topology
        ],
        [Instance(process, listed) for process, listed in threads.items()],
        knows_processes=is_known,
        knows_offsets=False,
    )
    ends = dict.fromkeys(application.stateful, 10 * application.settings.recovery_lag)
    return replace(application, end_offsets=ends)


def _process(instance: str) -> str:
    """Return the process id that an instance's client ids end in, else one that stands for it."""
    found = _PROCESS.search(instance)
    return found[0] if found else str(uuid5(NAMESPACE_OID, instance))


def tasks_of(pairs: frozenset[tuple[int, int]]) -> frozenset[Task]:
    """Return tasks by sub-topology and partition."""
    return frozenset(Task(*pair) for pair in pairs)
