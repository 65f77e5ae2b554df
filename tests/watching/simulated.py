"""A cluster that does not exist: groups whose topics fill and are read at set speeds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from live.model import GroupDescription, GroupReading, LiveMember, LiveTopic
from sources.errors import SourceError
from watching.cluster import Hear


@dataclass
class SimulatedGroup:
    """A group of one topic; each consumer owns every n-th partition."""

    name: str
    partitions: int = 4
    consumers: tuple[str, ...] = ("a", "b")
    rate: float = 100.0
    """Records per second that arrive on each partition."""
    topic: str = "orders"
    stopped: set[str] = field(default_factory=set)
    ends: list[int] = field(default_factory=list)
    committed: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin at offset 1,000, everything read."""
        self.ends = [1_000] * self.partitions
        self.committed = [1_000] * self.partitions

    def owner(self, partition: int) -> str | None:
        """Return who owns a partition."""
        return self.consumers[partition % len(self.consumers)] if self.consumers else None

    def pass_(self, seconds: float) -> None:
        """Let records arrive, and be read by the consumers that have not stopped."""
        for partition in range(self.partitions):
            self.ends[partition] += int(self.rate * seconds)
            owner = self.owner(partition)
            if owner is not None and owner not in self.stopped:
                self.committed[partition] = self.ends[partition]

    def read(self) -> GroupReading:
        """Return the group as a cluster reports it."""
        members = tuple(
            LiveMember(
                id=f"{name}-id",
                client_id=name,
                host=f"host-{name}",
                owned=tuple(
                    (self.topic, p) for p in range(self.partitions) if self.owner(p) == name
                ),
            )
            for name in sorted(self.consumers)
        )
        topic = LiveTopic(
            self.topic, ((),) * self.partitions, (0,) * self.partitions, tuple(self.ends)
        )
        return GroupReading(
            description=GroupDescription(
                id=self.name,
                state="Stable" if members else "Empty",
                protocol="classic",
                assignor="range" if members else "",
                members=members,
            ),
            topics={self.topic: topic},
            committed={(self.topic, p): at for p, at in enumerate(self.committed)},
        )


@dataclass
class SimulatedCluster:
    """Groups that pass an interval before each poll."""

    groups: Sequence[SimulatedGroup]
    interval_s: float = 60.0
    is_dead: bool = False
    retention_s: float = 604_800.0
    now_s: float = 0.0
    asked: list[str] = field(default_factory=list)
    before: Callable[[], object] = lambda: None

    def poll(
        self, hear: Hear, topics: Sequence[str], known: Mapping[str, LiveTopic]
    ) -> dict[str, float]:
        """Read the groups as after another interval."""
        del known
        self.now_s += self.interval_s
        self.before()
        if self.is_dead:
            message = "No broker answered."
            raise SourceError(message)
        for group in self.groups:
            group.pass_(self.interval_s)
            hear([(self.now_s, group.read())])
        self.asked += topics
        return dict.fromkeys(topics, self.retention_s)
