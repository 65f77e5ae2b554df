"""Live groups of other kinds as their assignors see them, from the bytes of their members."""

from collections import Counter

from assignors.connect.cluster import (
    ConnectCluster,
    ConnectorTask,
    Leader,
    Worker,
    as_reported,
)
from assignors.streams.application import (
    RUNNING,
    Changelog,
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.changelogs import with_changelogs, with_ends
from assignors.streams.tasks import Task
from live.member_bytes import (
    StreamsOrder,
    StreamsReport,
    WorkerState,
    streams_order,
    streams_report,
    worker_state,
)
from live.model import GroupReading


def application_of(
    live_group: GroupReading,
) -> StreamsApplication | None:
    """Return a Streams application on the classic protocol; None where its bytes are not told.

    Threads report to their leader which process they are of and what state they have; what each
    was assigned tells which topic a sub-topology reads, since tasks stand in the order of its
    partitions. Copies count as restored by the next round, for a report is as old as the last.
    The ends of its changelogs are read as well; while it is open which sub-topology they are
    of, state that nobody was assigned counts as caught up where no other thread has read more of
    the task, and state elsewhere as too far behind.
    """
    threads: list[tuple[str, StreamsReport, StreamsOrder]] = []
    for member in live_group.description.members:
        report, order = streams_report(member.metadata), streams_order(member.assignment)
        if report is None or order is None or len(order.active) != len(order.partitions):
            return None
        threads.append((member.id, report, order))
    sources: dict[int, set[str]] = {}
    for _, _, order in threads:
        for (topic, _), (subtopology, _) in zip(order.partitions, order.active, strict=True):
            sources.setdefault(subtopology, set()).add(topic)
    stateful = {
        sub for _, report, order in threads for sub, _ in (*report.offset_sums, *order.standby)
    }
    if not sources or stateful - set(sources):
        return None
    copies = Counter(task for _, _, order in threads for task in order.standby)
    application = StreamsApplication(
        {name: topic.partitions for name, topic in live_group.topics.items()},
        [
            ClassicSubtopology(number, sorted(topics), number in stateful)
            for number, topics in sorted(sources.items())
        ],
        _instances(threads, stateful),
        settings=StreamsSettings(standbys=min(copies.values(), default=0)),
        knows_offsets=False,
        changelogs=_changelogs(live_group),
    )
    return with_changelogs(with_ends(application, _ends(application)), live_group.id)


def _changelogs(live_group: GroupReading) -> dict[str, Changelog]:
    """Return the changelogs of which every partition is known."""
    found = {}
    for store, topic in live_group.changelogs.items():
        begin, end = ([each or 0 for each in offsets] for offsets in (topic.begin, topic.end))
        if None not in (*topic.begin, *topic.end):
            found[store] = Changelog(tuple(begin), tuple(end))
    return found


def _instances(
    threads: list[tuple[str, StreamsReport, StreamsOrder]], stateful: set[int]
) -> list[Instance]:
    """Return instances with threads that own what they were assigned and have the state of it."""
    found: dict[str, Instance] = {}
    for name, report, order in threads:
        owned = frozenset(Task(*each) for each in order.active)
        sums = {
            Task(*each): value for each, value in report.offset_sums.items() if value != RUNNING
        }
        sums |= {task: RUNNING for task in owned if task.subtopology in stateful}
        standby = frozenset(Task(*each) for each in order.standby)
        thread = StreamsThread(name, owned, sums, standby)
        instance = found.get(report.process, Instance(report.process, [], report.tags))
        found[report.process] = instance._replace(threads=[*instance.threads, thread])
    return list(found.values())


def _ends(application: StreamsApplication) -> dict[Task, int]:
    """Return the largest sum that a copy reports; of tasks without a copy, one far ahead."""
    most: dict[Task, int] = {}
    for instance in application.instances:
        for thread in instance.threads:
            for task, value in thread.offset_sums.items():
                if value > 0:
                    most[task] = max(most.get(task, 0), value)
    far = 10 * application.settings.recovery_lag
    return {task: most.get(task, far) for task in application.stateful}


def cluster_of(live_group: GroupReading) -> ConnectCluster | None:
    """Return the workers of a Connect cluster; None where a lost one is waited for.

    A worker holds what it was assigned last, then what it held before, and reports it by connector.
    What waits for a lost worker stands in nobody's bytes; REST tells it.
    """
    states: dict[str, WorkerState] = {}
    for member in live_group.description.members:
        state = worker_state(member.metadata, member.assignment)
        if state is None or state.delay_ms:
            return None
        states[member.id] = state
    work = [ConnectorTask(*each) for state in states.values() for each in state.holds]
    if not work:
        return None
    configured = dict.fromkeys(sorted({each.connector for each in work}), 0)
    for each in work:
        configured[each.connector] = max(configured[each.connector], each.number + 1)
    workers = [
        Worker(name, as_reported(ConnectorTask(*each) for each in state.holds))
        for name, state in states.items()
    ]
    return ConnectCluster(
        configured=configured,
        workers=workers,
        leader=Leader(
            generation=0,
            previous=frozenset(work),
            members=frozenset(states),
        ),
        generation=1,
        completed_generation=0,
    )
