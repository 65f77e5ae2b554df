"""What a cluster reports: groups, members, topics and offsets, by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field

NamedPartition = tuple[str, int]
"""A topic's name and a partition's number."""


@dataclass(frozen=True, slots=True)
class GroupListing:
    """One line of the list of groups."""

    id: str
    state: str
    """As Kafka's tools write it: Stable, Empty, PreparingRebalance, ..., or Unknown."""
    protocol: str
    """``classic``, ``consumer`` (KIP-848), or ``unknown`` if the broker is too old to report it."""
    protocol_type: str | None = None
    """``consumer``, ``connect``, or "" of a group that nobody ever joined, and of share and streams
    groups; None where not told."""
    assignor: str = ""
    """``range``, ``stream`` and the like, of groups of the classic protocol with members."""
    client_ids: tuple[str, ...] = ()
    """Of its members, where told."""


@dataclass(frozen=True, slots=True)
class GroupList:
    """The groups a cluster lists, by name."""

    groups: tuple[GroupListing, ...]
    errors: tuple[str, ...] = ()
    """One sentence for each broker that did not answer; its groups are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMember:
    """One member of a group, with what it owns."""

    id: str
    client_id: str
    host: str
    instance_id: str | None = None
    """``group.instance.id``; None for a dynamic member."""
    owned: tuple[NamedPartition, ...] = ()
    target: tuple[NamedPartition, ...] | None = None
    """The broker's target for it; None outside the ``consumer`` protocol."""
    subscription: tuple[str, ...] | None = None
    """The topics it subscribes to; None where the cluster does not report it."""
    rack: str | None = None
    """``client.rack``; None if not set or not reported."""
    metadata: bytes = b""
    assignment: bytes = b""
    """What it sent and got in the last rebalance of a classic group of Streams or Connect, as
    ``live.member_bytes`` reads it; empty in other groups, and while one is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDescription:
    """One group as its coordinator describes it."""

    id: str
    state: str
    protocol: str
    assignor: str
    """``range``, ``uniform`` and the like; "" while the group is empty."""
    members: tuple[LiveMember, ...] = ()
    is_simple: bool = False
    """Whether no member ever joined, so that only commits made the group."""
    coordinator: tuple[str, int] | None = None
    """Host and port of the coordinator; None if not reported."""

    @property
    def topics(self) -> set[str]:
        """The topics that members own or are known to subscribe to."""
        owned = {
            topic
            for m in self.members
            for partitions in (m.owned, m.target or ())
            for topic, _ in partitions
        }
        return owned.union(*(m.subscription or () for m in self.members))


@dataclass(frozen=True, slots=True)
class LiveTopic:
    """One topic; every tuple has one entry per partition, None where unknown."""

    name: str
    racks: tuple[tuple[str, ...], ...]
    """The racks of each partition's replicas, sorted; empty where brokers name none."""
    begin: tuple[int | None, ...]
    end: tuple[int | None, ...]
    id: str | None = None
    """As Kafka's tools print ``TopicId``; None from brokers before 2.8."""

    @property
    def partitions(self) -> int:
        """How many partitions the topic has."""
        return len(self.racks)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupReading:
    """One group with its members, topics and offsets.

    Committed offsets are read before end offsets, so that lags do not become negative because the
    group kept reading.
    """

    description: GroupDescription
    topics: Mapping[str, LiveTopic]
    """Every topic the group owns, subscribes to or has committed on, that exists."""
    committed: Mapping[NamedPartition, int]
    """Only partitions with a commit, including those of deleted topics."""
    changelogs: Mapping[str, LiveTopic] = field(default_factory=dict)
    """Of a Streams application on the classic protocol, by the names of its stores."""
    missing_topics: tuple[str, ...] = ()
    """Topics of the group that the cluster does not know, or no longer knows."""

    @property
    def id(self) -> str:
        """The group's name."""
        return self.description.id


@dataclass(frozen=True, slots=True)
class Unread:
    """A group that could not be read although others could, and why."""

    id: str
    why: str
