"""The kinds of groups that a cluster has, and what assigns work in each of them.

Only a group whose members are plain consumers runs a strategy of ``partition.assignment.strategy``
or ``group.remote.assignor``. Streams, Connect and share groups assign by rules of their own, and a
group without members has nothing that assigns.
"""

import re
from collections.abc import Collection, Sequence
from enum import Enum
from typing import Final, NamedTuple, Protocol


class GroupKind(Enum):
    """What kind of group it is; the value stands in JSON, tables and links."""

    CONSUMER = "consumer"
    CONNECT_SINK = "connect-sink"
    """The consumers of a sink connector's tasks: a consumer group that its tasks make."""
    STREAMS = "streams"
    """Kafka Streams on the classic protocol: to the broker a consumer group."""
    STREAMS_BROKER = "streams-broker"
    """Kafka Streams on ``group.protocol=streams`` (KIP-1071)."""
    CONNECT = "connect"
    """The workers of a Connect cluster."""
    SHARE = "share"
    """A share group (KIP-932), in which several members may read one partition."""
    OFFSETS = "offsets"
    """Committed offsets without a member: Flink, Spark, MirrorMaker 2, ``assign()``."""
    SPARK = "spark"
    """An id that Spark generates for a query or its executors, under which it commits nothing."""

    @property
    def noun(self) -> str:
        """What the group is, with its article: "a share group"."""
        return _FACTS[self].noun

    @property
    def label(self) -> str:
        """What the group is, as a heading: "Share group"."""
        return _FACTS[self].label

    @property
    def member(self) -> str:
        """What one member is called: "consumer", "thread", "worker"."""
        return _FACTS[self].member

    @property
    def runs_consumer_strategies(self) -> bool:
        """Whether a strategy of consumer groups assigns its partitions."""
        return self in _CONSUMERS

    @property
    def assigned_by(self) -> str:
        """What assigns work in it, as a clause: "the broker places its tasks"."""
        return _FACTS[self].assigned_by

    @property
    def advice(self) -> str:
        """What one can do, in one sentence."""
        return _FACTS[self].advice


class _Facts(NamedTuple):
    """What is said of a kind."""

    noun: str
    label: str
    member: str
    assigned_by: str
    advice: str


STREAMS_ASSIGNOR: Final = "stream"
"""What coordinators report as the assignor of a Streams application on the classic protocol."""
_THREAD: Final = re.compile(r".+-StreamThread-\d+-consumer(?:-[0-9a-f-]{36})?")
_SINK_TASK: Final = re.compile(r"connector-consumer-(.+?)-(\d+)(?:-[0-9a-f-]{36})?")
_OF_SPARK: Final = re.compile(
    r"spark-kafka-(?:source|relation)-[0-9a-f]{8}-[0-9a-f-]{27}.*|spark-executor-.+"
)
_CONSUMERS: Final = frozenset({GroupKind.CONSUMER, GroupKind.CONNECT_SINK})
_FACTS: Final = {
    GroupKind.CONSUMER: _Facts(
        noun="a consumer group",
        label="Consumer group",
        member="consumer",
        assigned_by="its leader or its broker assigns partitions by a strategy",
        advice="Set partition.assignment.strategy, or group.remote.assignor on the broker's "
        "protocol.",
    ),
    GroupKind.CONNECT_SINK: _Facts(
        noun="the consumer group of a sink connector",
        label="Connect sink",
        member="task",
        assigned_by="its tasks' consumers assign partitions by a strategy",
        advice="Set consumer.override.partition.assignment.strategy in the connector, which the "
        "workers' connector.client.config.override.policy must allow (All); one consumer more is "
        "one more of tasks.max.",
    ),
    GroupKind.STREAMS: _Facts(
        noun="a Kafka Streams application",
        label="Kafka Streams",
        member="thread",
        assigned_by="Streams places its own tasks, and partition.assignment.strategy cannot be set",
        advice="Change num.stream.threads or the number of instances; threads beyond the number "
        "of tasks stay idle.",
    ),
    GroupKind.STREAMS_BROKER: _Facts(
        noun="a streams group (KIP-1071)",
        label="Streams group (KIP-1071)",
        member="thread",
        assigned_by="the broker places its tasks",
        advice="Change num.stream.threads or the number of instances; threads beyond the number "
        "of tasks stay idle.",
    ),
    GroupKind.CONNECT: _Facts(
        noun="the group of a Connect cluster's workers",
        label="Connect workers",
        member="worker",
        assigned_by="the leading worker places connectors and tasks",
        advice="Ask a worker's REST port (GET /connectors?expand=status&expand=info) who runs "
        "what, change tasks.max or the number of workers, and describe the group connect-NAME for "
        "the lag of the sink NAME.",
    ),
    GroupKind.SHARE: _Facts(
        noun="a share group",
        label="Share group",
        member="consumer",
        assigned_by="the broker gives a partition to several consumers at once",
        advice="Add consumers, even more than there are partitions; kafka-share-groups --describe "
        "--members --verbose shows who reads what.",
    ),
    GroupKind.OFFSETS: _Facts(
        noun="a group without members",
        label="Offsets only",
        member="reader",
        assigned_by="its consumers are down, or a job that never joins (Flink, Spark, "
        "MirrorMaker 2, assign()) shares out its partitions itself",
        advice="Describe it again in a minute: offsets that move prove such a job, whose own "
        "parallelism counts; if none moves, start the consumers.",
    ),
    GroupKind.SPARK: _Facts(
        noun="a group id that Spark generated",
        label="Spark",
        member="executor",
        assigned_by="Spark's driver gives partitions to executors and keeps their offsets in its "
        "checkpoint",
        advice="Compare inputRowsPerSecond with processedRowsPerSecond in the query's progress: "
        "lag under this id says nothing; more executors or minPartitions make it faster.",
    ),
}


class UnsupportedKind(ValueError):  # noqa: N818 -- its public name says what is wrong
    """No strategy of consumer groups assigns in a group of this kind."""

    def __init__(self, kind: GroupKind, group: str = "") -> None:
        super().__init__(refusal(kind, group))
        self.kind: Final = kind
        """The kind of the group."""


def refusal(kind: GroupKind, group: str = "") -> str:
    """Return one sentence on what a group is, what assigns in it, and what one can do.

    >>> refusal(GroupKind.SHARE, "jobs").partition(":")[0]
    "'jobs' is a share group"
    """
    name = repr(group) if group else "this"
    advice = kind.advice[0].lower() + kind.advice[1:].rstrip(".")
    return (
        f"{name} is {kind.noun}: {kind.assigned_by}, so no strategy of consumer groups applies; "
        f"{advice}"
    )


def kind_by_name(name: str) -> GroupKind | None:
    """Return the kind that a group's own name gives away; None for names that people choose.

    >>> kind_by_name("spark-kafka-source-3c1b5c1e-1b1d-4a53-9b0a-0f9c5ac1d0a1--12-executor").value
    'spark'
    """
    return GroupKind.SPARK if _OF_SPARK.fullmatch(name) else None


def kind_by_ids(ids: Collection[str]) -> GroupKind | None:
    """Return the kind that members' client ids give away; None if they leave it open.

    One id of a Streams thread is enough; a sink's tasks all have ids of one form. Member ids, which
    append a UUID, serve as well. A consumer may call itself so; nobody does.

    >>> kind_by_ids({"shop-1a-StreamThread-2-consumer", "other"}).value
    'streams'
    >>> kind_by_ids({"connector-consumer-orders-sink-0"}).value
    'connect-sink'
    """
    if any(map(_THREAD.fullmatch, ids)):
        return GroupKind.STREAMS
    return GroupKind.CONNECT_SINK if ids and all(map(_SINK_TASK.fullmatch, ids)) else None


def connector_of(ids: Collection[str]) -> str:
    """Return the sink connector whose tasks' consumers have these ids; "" if they are not of one.

    >>> connector_of({"connector-consumer-orders-sink-0", "connector-consumer-orders-sink-1"})
    'orders-sink'
    """
    found = {match[1] if (match := _SINK_TASK.fullmatch(each)) else "" for each in ids}
    return found.pop() if len(found) == 1 else ""


def task_number(member_id: str) -> int | None:
    """Return which of a sink connector's tasks has this id; None if it is not of one.

    >>> task_number("connector-consumer-orders-sink-2"), task_number("orders-2")
    (2, None)
    """
    match = _SINK_TASK.fullmatch(member_id)
    return None if match is None else int(match[2])


class DescribedMember(Protocol):
    """A member as a coordinator describes it."""

    @property
    def id(self) -> str:
        """With the UUID that the broker appended."""

    @property
    def client_id(self) -> str:
        """Empty if not told."""


class DescribedGroup(Protocol):
    """A group as a coordinator describes it."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def state(self) -> str:
        """As Kafka's tools write it."""

    @property
    def assignor(self) -> str:
        """Empty while the group is."""

    @property
    def members(self) -> Sequence[DescribedMember]:
        """Those it has now."""

    @property
    def is_simple(self) -> bool:
        """Whether no member ever joined."""


def kind_described(described: DescribedGroup, *, has_commits: bool) -> GroupKind:
    """Return the kind of a group by its name, and as its coordinator describes it to librdkafka.

    That describes a streams group of the broker as Dead; what is Dead has no commits.
    """
    if (named := kind_by_name(described.id)) is not None:
        return named
    if described.assignor == STREAMS_ASSIGNOR:
        return GroupKind.STREAMS
    if described.state == "Dead" and has_commits:
        return GroupKind.STREAMS_BROKER
    ids = {member.client_id or member.id for member in described.members}
    if described.is_simple and not ids:
        return GroupKind.OFFSETS
    return kind_by_ids(ids) or GroupKind.CONSUMER


def require_consumers(kind: GroupKind, group: str = "") -> None:
    """Raise UnsupportedKind unless strategies of consumer groups assign in the group."""
    if not kind.runs_consumer_strategies:
        raise UnsupportedKind(kind, group)
