"""A group that is no consumer group in group JSON: ``as_kind``, beside the partitions it reads.

Tasks are written as Streams names them, "1_2"; of a connector, -1 is the connector itself.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from assignors.connect.cluster import ConnectCluster, ConnectorTask, Leader, Worker
from assignors.share.group import ShareGroup, ShareMember, ShareTopic
from assignors.streams.application import (
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.tasks import Subtopology, Task, task_named
from evaluation.kinds.forecast import KindGroup
from sources.budget import Budget
from sources.errors import SourceError

_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
_Task = Annotated[str, Meta(pattern=r"^\d{1,9}_\d{1,9}$")]
_Process = Annotated[str, Meta(pattern="^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")]
_Number = Annotated[int, Meta(ge=-1, le=2**31 - 1)]
_Work = tuple[str, _Number]


class _ShareTopic(Struct):
    partitions: _Count
    topic_id: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")] | None = None


class _ShareMember(Struct):
    id: str
    topics: list[str]
    held: list[tuple[str, _Count]] = []


class _Share(Struct, tag="share"):
    topics: dict[str, _ShareTopic]
    members: list[_ShareMember]


class _Subtopology(Struct):
    id: _Count
    partitions: _Count = 0
    is_stateful: bool = False
    sources: list[str] = []


class _Thread(Struct):
    id: str
    process: str
    active: list[_Task] = []
    standby: list[_Task] = []
    offsets: dict[_Task, _Long] | None = None


class _StreamsBroker(Struct, tag="streams-broker"):
    subtopologies: list[_Subtopology]
    members: list[_Thread]
    standbys: Annotated[int, Meta(ge=0, le=20)] = 0


class _ClassicThread(Struct):
    id: str
    owned: list[_Task] = []
    offset_sums: dict[_Task, _Long] = {}


class _Instance(Struct):
    process: _Process
    threads: list[_ClassicThread]
    tags: dict[str, str] = {}


class _Settings(Struct, frozen=True):
    standbys: Annotated[int, Meta(ge=0, le=20)] = 0
    warmups: Annotated[int, Meta(ge=1, le=1_000)] = 2
    recovery_lag: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 10_000
    tags: list[str] = []
    is_rack_aware: bool = False
    probing_ms: Annotated[int, Meta(ge=1, le=10**12)] = 600_000


class _Streams(Struct, tag="streams"):
    topics: dict[str, _Count]
    subtopologies: list[_Subtopology]
    instances: list[_Instance]
    end_offsets: dict[_Task, _Long] = {}
    settings: _Settings = _Settings()
    knows_processes: bool = True
    knows_offsets: bool = True


class _Worker(Struct):
    id: str
    holds: list[_Work] = []


class _Connect(Struct, tag="connect"):
    configured: dict[str, _Count]
    workers: list[_Worker]
    previous: list[_Work] = []
    members: list[str] = []
    max_delay_ms: _Count = 300_000
    is_as_reported: bool = True


AsKindJson: TypeAlias = _Share | _StreamsBroker | _Streams | _Connect
_KINDS: Final = "as_kind"


def as_json(group: KindGroup) -> AsKindJson:
    """Return the fields of ``as_kind``."""
    if isinstance(group, ShareGroup):
        return _Share(
            {name: _ShareTopic(each.partitions, each.id) for name, each in group.topics.items()},
            [_ShareMember(m.id, [*m.topics], sorted(m.held)) for m in group.members],
        )
    if isinstance(group, StreamsGroup):
        return _StreamsBroker(
            [
                _Subtopology(s.id, s.partitions, s.is_stateful, [*s.sources])
                for s in group.subtopologies
            ],
            [
                _Thread(
                    m.id,
                    m.process,
                    _names(m.active),
                    _names(m.standby),
                    None if m.offsets is None else _by_name(m.offsets),
                )
                for m in group.members
            ],
            group.standbys,
        )
    if isinstance(group, StreamsApplication):
        return _Streams(
            dict(group.topics),
            [
                _Subtopology(s.id, is_stateful=s.is_stateful, sources=[*s.sources])
                for s in group.subtopologies
            ],
            [
                _Instance(
                    each.process,
                    [
                        _ClassicThread(t.id, _names(t.owned), _by_name(t.offset_sums))
                        for t in each.threads
                    ],
                    dict(each.tags),
                )
                for each in group.instances
            ],
            _by_name(group.end_offsets),
            _Settings(**group.settings._replace(tags=[*group.settings.tags])._asdict()),
            group.knows_processes,
            group.knows_offsets,
        )
    return _Connect(
        dict(group.configured),
        [_Worker(each.id, [*each.holds]) for each in group.workers],
        sorted(group.leader.previous),
        sorted(group.leader.members),
        group.max_delay_ms,
        group.is_as_reported,
    )


def kind_group_of(document: AsKindJson, budget: Budget) -> KindGroup:
    """Return the group; raises SourceError for more work than can be read, and for a contradiction.

    A leader's generations are none's but its own: a round begins with them anew.
    """
    if isinstance(document, _Share):
        group: KindGroup = ShareGroup(
            {n: ShareTopic(t.partitions, t.topic_id) for n, t in document.topics.items()},
            [ShareMember(m.id, m.topics, frozenset(m.held)) for m in document.members],
        )
        sizes = [each.partitions for each in document.topics.values()]
        _check(budget, sizes, [each.id for each in document.members])
        return group
    if isinstance(document, _StreamsBroker):
        _check(
            budget,
            [each.partitions for each in document.subtopologies],
            [each.id for each in document.members],
        )
        return _streams_broker(document)
    if isinstance(document, _Streams):
        largest = max(document.topics.values(), default=0)
        _check(
            budget,
            [largest] * len(document.subtopologies),
            [thread.id for each in document.instances for thread in each.threads],
        )
        return _streams(document)
    _check(
        budget,
        [each + 1 for each in document.configured.values()],
        [each.id for each in document.workers],
    )
    return ConnectCluster(
        configured=document.configured,
        workers=[
            Worker(w.id, [ConnectorTask(*each) for each in w.holds]) for w in document.workers
        ],
        leader=Leader(
            generation=0,
            previous=frozenset(ConnectorTask(*each) for each in document.previous),
            members=frozenset(document.members),
        ),
        generation=1,
        completed_generation=0,
        max_delay_ms=document.max_delay_ms,
        is_as_reported=document.is_as_reported,
    )


def _streams_broker(document: _StreamsBroker) -> StreamsGroup:
    group = StreamsGroup(
        [
            Subtopology(s.id, s.partitions, s.is_stateful, tuple(s.sources))
            for s in document.subtopologies
        ],
        [
            StreamsMember(
                m.id,
                m.process,
                _tasks(m.active),
                _tasks(m.standby),
                None if m.offsets is None else _sums(m.offsets),
            )
            for m in document.members
        ],
        document.standbys,
    )
    _check_tasks(group.tasks, (each for m in group.members for each in m.active | m.standby))
    return group


def _streams(document: _Streams) -> StreamsApplication:
    group = StreamsApplication(
        document.topics,
        [ClassicSubtopology(s.id, s.sources, s.is_stateful) for s in document.subtopologies],
        [
            Instance(
                each.process,
                [StreamsThread(t.id, _tasks(t.owned), _sums(t.offset_sums)) for t in each.threads],
                each.tags,
            )
            for each in document.instances
        ],
        _sums(document.end_offsets),
        StreamsSettings(
            document.settings.standbys,
            document.settings.warmups,
            document.settings.recovery_lag,
            tuple(document.settings.tags),
            document.settings.is_rack_aware,
            document.settings.probing_ms,
        ),
        document.knows_processes,
        document.knows_offsets,
    )
    _check_tasks(
        group.tasks,
        (each for i in group.instances for t in i.threads for each in (*t.owned, *t.offset_sums)),
    )
    return group


def _check(budget: Budget, sizes: Iterable[int], ids: list[str]) -> None:
    budget.limits.check("partitions", sum(sizes), _KINDS)
    budget.limits.check("members", len(ids), _KINDS)
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        message = f"{_KINDS}: two members are called {twice[0]!r}"
        raise SourceError(message)


def _check_tasks(known: Iterable[Task], named: Iterable[Task]) -> None:
    there = set(known)
    for task in named:
        if task not in there:
            message = f"{_KINDS}: no sub-topology has the task {task.name}"
            raise SourceError(message)


def _names(tasks: Iterable[Task]) -> list[str]:
    return [each.name for each in sorted(tasks)]


def _by_name(values: Mapping[Task, int]) -> dict[str, int]:
    return {task.name: value for task, value in sorted(values.items())}


def _tasks(names: Iterable[str]) -> frozenset[Task]:
    return frozenset(map(task_named, names))


def _sums(values: Mapping[str, int]) -> dict[Task, int]:
    return {task_named(name): value for name, value in values.items()}
