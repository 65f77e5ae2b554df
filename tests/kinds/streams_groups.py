"""Random Streams groups of the broker's protocol."""

from dataclasses import replace

from hypothesis import strategies as st

from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.tasks import Subtopology, Task, TaskAssignment, stateful

_PROCESSES = [f"{digit}c{digit}e4d17-344d-44cb-9f0f-2c02fd95588{digit}" for digit in "0123456789a"]


@st.composite
def streams_groups(draw: st.DrawFn, *, fresh: bool = False) -> StreamsGroup:
    """Draw a group whose members may hold tasks, no task twice, and report offsets."""
    sizes = draw(st.lists(st.tuples(st.integers(1, 7), st.booleans()), min_size=1, max_size=12))
    subtopologies = [Subtopology(at, *size) for at, size in enumerate(sizes)]
    threads = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    members = [
        StreamsMember(f"member-{process}-{thread}", _PROCESSES[process], offsets={})
        for process, count in enumerate(threads)
        for thread in range(count)
    ]
    group = StreamsGroup(subtopologies, members, draw(st.integers(0, 3)))
    if fresh:
        return group
    owner = st.sampled_from([None, *range(len(members))])
    owners = draw(st.lists(owner, min_size=len(group.tasks), max_size=len(group.tasks)))
    kept = stateful(subtopologies)  # only these have state on a disk
    offsets: st.SearchStrategy[dict[Task, int]] = st.just({})
    if kept:
        offsets = st.dictionaries(st.sampled_from(kept), st.integers(0, 9), max_size=5)
    held: list[set[Task]] = [set() for _ in members]
    for task, at in zip(group.tasks, owners, strict=True):
        if at is not None:
            held[at].add(task)
    return replace(
        group,
        members=[
            member._replace(active=frozenset(tasks), offsets=draw(offsets))
            for member, tasks in zip(members, held, strict=True)
        ],
    )


def holding(group: StreamsGroup, answer: TaskAssignment) -> StreamsGroup:
    """Return the group once its members hold what they were assigned."""
    members = [
        member._replace(
            active=answer.members[member.id].active, standby=answer.members[member.id].standby
        )
        for member in group.members
    ]
    return replace(group, members=members)
