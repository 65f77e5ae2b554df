"""Members of groups that are no consumer groups, as the assignors of their kind see them."""

from collections import Counter
from collections.abc import Mapping, Sequence

from assignors.share.group import ShareGroup, ShareMember, ShareTopic
from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.tasks import Subtopology, Task
from sources.pastes.parsed import GroupRecords, TopicRow
from sources.pastes.topology import DescribedSubtopology


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
    members: Sequence[StreamsMember], topology: Mapping[int, DescribedSubtopology]
) -> StreamsGroup | None:
    """Return a Streams group by its threads' tasks; None if nothing is running.

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
    subtopologies = []
    for number in sorted({task.subtopology for task in tasks}):
        size = max(task.partition for task in tasks if task.subtopology == number) + 1
        stores = topology[number].stores if number in topology else ()
        has_state = bool(stores) if number in topology else number in with_copies or not standbys
        subtopologies.append(Subtopology(number, size, has_state))
    return StreamsGroup(subtopologies, members, standbys)


def tasks_of(pairs: frozenset[tuple[int, int]]) -> frozenset[Task]:
    """Return tasks by sub-topology and partition."""
    return frozenset(Task(*pair) for pair in pairs)
