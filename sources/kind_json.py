"""A group that is no consumer group in group JSON: ``as_kind``, beside the partitions it reads.

Tasks are written as Streams names them, "1_2"; of a connector, -1 is the connector itself.
"""

from collections import Counter
from collections.abc import Iterable
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
from sources.records import AS_MAPPING, AS_SET, AS_TUPLE, LISTED, Form, Record, if_any

_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
_Task = Annotated[str, Meta(pattern=r"^\d{1,9}_\d{1,9}$")]
_Process = Annotated[str, Meta(pattern="^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")]
_Number = Annotated[int, Meta(ge=-1, le=2**31 - 1)]
_Work = tuple[str, _Number]


# What each object has and within which bounds; the records below say what it stands for.
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
    standby: list[_Task] = []


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
    is_as_reported: bool = False
    restores: dict[_Task, _Long] = {}


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
    failed: list[tuple[str, int, str]] = []
    """With the first words of each error."""
    sinks: list[str] = []
    paused: list[_Work] = []
    stopped: list[_Work] = []


AsKindJson: TypeAlias = _Share | _StreamsBroker | _Streams | _Connect
_PLACE: Final = "as_kind"

_TASKS: Final = Form(
    lambda tasks: [each.name for each in sorted(tasks)],
    lambda names: frozenset(map(task_named, names)),
)
_BY_TASK: Final = Form(
    lambda values: {task.name: value for task, value in sorted(values.items())},
    lambda values: {task_named(name): value for name, value in values.items()},
)
_WORK_LISTED: Final = Form(list, lambda held: [ConnectorTask(*each) for each in held])
_WORK_SET: Final = Form(sorted, lambda held: frozenset(ConnectorTask(*each) for each in held))
_WORKERS: Final = Record(Worker, _Worker, {"holds": _WORK_LISTED}).listed

_SHARE: Final = Record(
    ShareGroup,
    _Share,
    {
        "topics": Record(ShareTopic, _ShareTopic, renamed={"topic_id": "id"}).by_name,
        "members": Record(ShareMember, _ShareMember, {"topics": LISTED, "held": AS_SET}).listed,
    },
)
_STREAMS_BROKER: Final = Record(
    StreamsGroup,
    _StreamsBroker,
    {
        "subtopologies": Record(Subtopology, _Subtopology, {"sources": AS_TUPLE}).listed,
        "members": Record(
            StreamsMember,
            _Thread,
            {"active": _TASKS, "standby": _TASKS, "offsets": if_any(_BY_TASK)},
        ).listed,
    },
)
_STREAMS: Final = Record(
    StreamsApplication,
    _Streams,
    {
        "topics": AS_MAPPING,
        "subtopologies": Record(ClassicSubtopology, _Subtopology, {"sources": LISTED}).listed,
        "instances": Record(
            Instance,
            _Instance,
            {
                "threads": Record(
                    StreamsThread,
                    _ClassicThread,
                    {"owned": _TASKS, "offset_sums": _BY_TASK, "standby": _TASKS},
                ).listed,
                "tags": AS_MAPPING,
            },
        ).listed,
        "end_offsets": _BY_TASK,
        "restores": _BY_TASK,
        "settings": Record(StreamsSettings, _Settings, {"tags": AS_TUPLE}).alone,
    },
)


def as_json(group: KindGroup) -> AsKindJson:
    """Return the fields of ``as_kind``."""
    if isinstance(group, ShareGroup):
        return _SHARE.write(group)
    if isinstance(group, StreamsGroup):
        return _STREAMS_BROKER.write(group)
    if isinstance(group, StreamsApplication):
        return _STREAMS.write(group)
    return _Connect(
        dict(group.configured),
        _WORKERS.write(group.workers),
        _WORK_SET.write(group.leader.previous),
        AS_SET.write(group.leader.members),
        group.max_delay_ms,
        group.is_as_reported,
        [(*each, group.failed[each]) for each in sorted(group.failed)],
        sorted(group.sinks),
        _WORK_SET.write(group.paused),
        _WORK_SET.write(group.stopped),
    )


def kind_group_of(document: AsKindJson, budget: Budget) -> KindGroup:
    """Return the group; raises SourceError for more work than can be read, and for a contradiction.

    A leader's generations are none's but its own: a round begins with them anew.
    """
    if isinstance(document, _Share):
        sizes = [each.partitions for each in document.topics.values()]
        _check(budget, sizes, [each.id for each in document.members])
        return _SHARE.read(document)
    if isinstance(document, _StreamsBroker):
        sizes = [each.partitions for each in document.subtopologies]
        _check(budget, sizes, [each.id for each in document.members])
        group = _STREAMS_BROKER.read(document)
        _check_tasks(group.tasks, (t for m in group.members for t in m.active | m.standby))
        return group
    if isinstance(document, _Streams):
        largest = max(document.topics.values(), default=0)
        ids = [thread.id for each in document.instances for thread in each.threads]
        _check(budget, [largest] * len(document.subtopologies), ids)
        streams = _STREAMS.read(document)
        threads = [thread for each in streams.instances for thread in each.threads]
        _check_tasks(
            streams.tasks, (t for e in threads for t in (*e.owned, *e.offset_sums, *e.standby))
        )
        return streams
    sizes = [each + 1 for each in document.configured.values()]
    _check(budget, sizes, [each.id for each in document.workers])
    return ConnectCluster(
        configured=document.configured,
        workers=_WORKERS.read(document.workers),
        leader=Leader(
            generation=0,
            previous=_WORK_SET.read(document.previous),
            members=AS_SET.read(document.members),
        ),
        generation=1,
        completed_generation=0,
        max_delay_ms=document.max_delay_ms,
        is_as_reported=document.is_as_reported,
        failed={ConnectorTask(name, number): said for name, number, said in document.failed},
        paused=_WORK_SET.read(document.paused),
        stopped=_WORK_SET.read(document.stopped),
        sinks=frozenset(document.sinks),
    )


def _check(budget: Budget, sizes: Iterable[int], ids: list[str]) -> None:
    budget.limits.check("partitions", sum(sizes), _PLACE)
    budget.limits.check("members", len(ids), _PLACE)
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        message = f"{_PLACE}: two members are called {twice[0]!r}"
        raise SourceError(message)


def _check_tasks(known: Iterable[Task], named: Iterable[Task]) -> None:
    there = set(known)
    for task in named:
        if task not in there:
            message = f"{_PLACE}: no sub-topology has the task {task.name}"
            raise SourceError(message)
