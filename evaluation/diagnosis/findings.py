"""The causes that a diagnosis can find, one class each, with exactly the figures that each has.

Consumers of a ``Finding`` match on its class and end with ``assert_never``. Every finding has
``members`` and ``partitions`` (numbers of the group) and ``helped_by_assignment``; all that can
name partitions have ``lag`` (the records that wait in them). ``partitions`` are all those whose lag
the finding explains, and no other finding explains them, too; ``RecordsLost``, which is about
records that wait no more, may name them again, and ``OffsetsReset`` once their read rate since is
known. A figure has its name in verdicts beside it. Rates are in records/s, NaN where unknown;
seconds are infinite for never and NaN where unknown.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from evaluation.diagnosis.figures import figure


class Look(Enum):
    """What to look at first."""

    RECORD = "the record at that offset"
    LOG = "the consumer's log"
    DEAD_LETTER = "a dead-letter topic for what cannot be read"
    PAUSED = "pause() and assign() in the application"
    LIVENESS = "liveness probes and memory limits"
    POLL_INTERVAL = "max.poll.interval.ms against the time that one poll takes"
    DEPENDENCIES = "the database or service that every consumer waits for"
    KEYS = "the keys that producers give their records"
    JOB_LOG = "the job's log"
    CHECKPOINTS = "its checkpoints"
    PARALLELISM = "its scale (Flink's parallelism, Spark's minPartitions)"
    RETENTION = "the topic's retention.ms and retention.bytes"
    RESET_BY_HAND = "who ran kafka-consumer-groups.sh --reset-offsets"
    LAST_START = "the log of the last start"
    RESET_POLICY = "auto.offset.reset"
    HOST = "the host (CPU, memory, GC pauses, a noisy neighbour)"
    DOWNSTREAM = "the services called from it"
    RECREATED = "whether the topic was recreated or its log truncated"


@dataclass(frozen=True, kw_only=True)
class NobodyReads:
    """Records wait in partitions that are known to have no owner, and nothing is committed."""

    helped_by_assignment: ClassVar = True
    """Another assignment may give them an owner; without members ``is_group_empty``."""
    members: ClassVar[tuple[int, ...]] = ()
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    since_s: float
    """How long nothing has been committed; at least, if ``is_older``."""
    is_older: bool
    """Whether it was so at the first snapshot already."""
    is_group_empty: bool
    """Whether the group has no members at all."""
    deleted_s: float = field(metadata=figure("deleted_in_s"))
    """Until the first of these records is deleted if nobody reads; NaN if unknown."""


@dataclass(frozen=True, kw_only=True)
class ReadOutside:
    """The group has no members, but its offsets advance: Flink, Spark, MirrorMaker, assign()."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.JOB_LOG, Look.CHECKPOINTS, Look.PARALLELISM)
    members: ClassVar[tuple[int, ...]] = ()
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    behind_s: float = field(metadata=figure("behind_s"))
    """How long what waits took to arrive at the present rate."""
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits at the present rates, of the group as a whole; 0 if it keeps up.

    Infinite only where it reads less than arrives and has not read what was there before its last
    commit; else NaN, for a job commits at checkpoints, and two snapshots within one see less read.
    """


@dataclass(frozen=True, kw_only=True)
class OwnersUnknown:
    """The source does not say who owns these partitions, so only the flow of all is known."""

    helped_by_assignment: ClassVar = True
    members: ClassVar[tuple[int, ...]] = ()
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    behind_s: float = field(metadata=figure("behind_s"))
    """How long what waits took to arrive at the present rate."""
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits at the present rates, in these partitions as a whole."""


@dataclass(frozen=True, kw_only=True)
class TopicLeft:
    """No member owns anything of these topics, whose commits stand, while members read others.

    The group has left them, or the consumers that read them are missing.
    """

    helped_by_assignment: ClassVar = True
    members: ClassVar[tuple[int, ...]] = ()
    topics: tuple[str, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arrived: float = field(metadata=figure("arrived_records"))
    """Between the first snapshot and the last; NaN if unknown."""


@dataclass(frozen=True, kw_only=True)
class RebalanceUnderWay:
    """The group was read while it rebalanced, so partitions without owners tell nothing."""

    helped_by_assignment: ClassVar = False
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    moving: int | None = field(metadata=figure("moving_partitions"))
    """How many partitions change their owner; None in the classic protocol, which tells none."""


@dataclass(frozen=True, kw_only=True)
class KeepsRebalancing:
    """Owners change again and again."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.LOG, Look.POLL_INTERVAL, Look.LIVENESS)
    members: ClassVar[tuple[int, ...]] = ()
    partitions: ClassVar[tuple[int, ...]] = ()
    changes: int = field(metadata=figure("changes"))
    """How often owners changed."""
    since_s: float


@dataclass(frozen=True, kw_only=True)
class CrashLoop:
    """Every member has a new id at each snapshot, and nothing was read: they restart already."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.LOG, Look.LIVENESS, Look.POLL_INTERVAL)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    since_s: float
    """How long nothing has been committed; at least, if ``is_older``."""
    is_older: bool


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """These consumers commit nothing on any of their partitions while records wait."""

    helped_by_assignment: ClassVar = False
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    arrived: float = field(metadata=figure("arrived_records"))
    """Records that arrived between the snapshots, which needs no times."""
    since_s: float
    """How long nothing has been committed; at least, if ``is_older``."""
    is_older: bool


@dataclass(frozen=True, kw_only=True)
class StuckRecord:
    """One partition stands while its consumer has caught up on its others: a record that fails."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.RECORD, Look.LOG, Look.DEAD_LETTER)
    """In this order: skipping a record loses it."""
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    offset: int = field(metadata=figure("offset"))
    """Of the next record to be read."""
    since_s: float
    is_older: bool


@dataclass(frozen=True, kw_only=True)
class LeftUnread:
    """Several partitions of a consumer stand while it has caught up on its others.

    The application has paused them or never reads them, or a record fails on each.
    """

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.PAUSED, Look.LOG, Look.RECORD)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    since_s: float
    is_older: bool


@dataclass(frozen=True, kw_only=True)
class TooHot:
    """Partitions that each get more than a consumer for it alone reads."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.KEYS,)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    alone: float = field(metadata=figure("alone_per_s"))
    """What a consumer for one of them alone reads: the most of these."""
    usual: float = field(metadata=figure("usual_per_s"))
    """The median arrival rate of the group's other partitions; NaN without others."""


@dataclass(frozen=True, kw_only=True)
class Hot:
    """Partitions that get far more than the others; a consumer for each alone may keep up."""

    helped_by_assignment: ClassVar = True
    look_at: ClassVar = (Look.KEYS,)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    usual: float = field(metadata=figure("usual_per_s"))
    """The median arrival rate of the group's other partitions; NaN without others."""
    over_alone_s: float = field(metadata=figure("ends_alone_s", by_speed=True))
    """Until the last has caught up on a consumer of its own; NaN if speeds are unknown."""


@dataclass(frozen=True, kw_only=True)
class Full:
    """Every consumer is busy, and more arrives than they read."""

    helped_by_assignment: ClassVar = False
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    """In all partitions of these consumers, as is ``reading``."""
    reading: float = field(metadata=figure("reading_per_s"))
    needed: int | None = field(metadata=figure("needed_consumers", by_speed=True))
    """Consumers that read whole partitions and keep pace; None if unknown, or if none do."""
    too_heavy: tuple[int, ...]
    """Partitions that alone get more than a consumer reads: no number of consumers is enough."""


@dataclass(frozen=True, kw_only=True)
class MoreArrives:
    """As ``Full``, since more arrives than before."""

    helped_by_assignment: ClassVar = False
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    before: float = field(metadata=figure("before_per_s"))
    """What arrived before."""
    since_s: float
    needed: int | None = field(metadata=figure("needed_consumers", by_speed=True))
    too_heavy: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Slower:
    """As ``Full``, since every consumer reads more slowly than before."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.DEPENDENCIES, Look.LOG)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    before: float = field(metadata=figure("before_per_s"))
    """What was read before."""
    since_s: float


@dataclass(frozen=True, kw_only=True)
class SlowConsumers:
    """These consumers fall behind at less than others read, with no more arriving for them."""

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.HOST, Look.DOWNSTREAM, Look.LOG)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    """In all partitions of these consumers, as is ``reading``."""
    reading: float = field(metadata=figure("reading_per_s"))
    each: float = field(metadata=figure("each_per_s"))
    """What one of several reads, the median of these; NaN of one alone."""
    others: float = field(metadata=figure("others_per_s"))
    """What one of the others reads that keep up, the median of those."""


@dataclass(frozen=True, kw_only=True)
class Uneven:
    """These consumers get more than they read, while others keep up."""

    helped_by_assignment: ClassVar = True
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))


@dataclass(frozen=True, kw_only=True)
class CatchingUp:
    """The backlog shrinks, or at least does not grow."""

    helped_by_assignment: ClassVar = True
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits in these partitions at the present rates."""


@dataclass(frozen=True, kw_only=True)
class RecordsLost:
    """Records were deleted before they were read."""

    helped_by_assignment: ClassVar = True
    look_at: ClassVar = (Look.RETENTION, Look.LOG)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    lost: float = field(metadata=figure("lost_records"))
    """How many records."""


@dataclass(frozen=True, kw_only=True)
class OffsetsReset:
    """Committed offsets fell: somebody reset them, or an unclean restart went back to older ones.

    What had been read is read again, once.
    """

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.RESET_BY_HAND, Look.LAST_START)
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    arriving: float = field(metadata=figure("arriving_per_s"))
    reading: float = field(metadata=figure("reading_per_s"))
    """Since they fell; NaN with one snapshot since then."""
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits in these partitions at the present rates."""
    by: float = field(metadata=figure("reset_records"))
    """By how many records the offsets fell in all."""


@dataclass(frozen=True, kw_only=True)
class AheadOfLog:
    """Committed offsets beyond the end of the log, as after a topic was recreated or truncated.

    ``auto.offset.reset`` decides whether arrivals are read, skipped or refused.
    """

    helped_by_assignment: ClassVar = False
    look_at: ClassVar = (Look.RESET_POLICY, Look.RECREATED)
    lag: ClassVar = float("nan")
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    arriving: float = field(metadata=figure("arriving_per_s"))
    by: float = field(metadata=figure("ahead_records"))
    """How far beyond the end at most."""


@dataclass(frozen=True, kw_only=True)
class LagConcentrated:
    """Most of the lag is in few hands, which have stopped or get more: times would tell which."""

    helped_by_assignment: ClassVar = True
    members: tuple[int, ...]
    """The largest backlog first."""
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    share: float = field(metadata=figure("share"))
    """Of the group's lag."""

    @property
    def partition(self) -> int | None:
        """The one partition that holds it; None if several do."""
        return self.partitions[0] if len(self.partitions) == 1 else None


@dataclass(frozen=True, kw_only=True)
class LagSpread:
    """Most consumers have a backlog: too little capacity, or back after a break."""

    helped_by_assignment: ClassVar = True
    members: tuple[int, ...]
    """The largest backlog first."""
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))
    active: int = field(metadata=figure("active_consumers"))
    """How many consumers own something."""


@dataclass(frozen=True, kw_only=True)
class OffByOne:
    """One record seems to wait in each partition, always, and nothing does.

    The client commits the last record in place of the next one, or a transaction's marker is the
    last entry of the log.
    """

    helped_by_assignment: ClassVar = True
    members: tuple[int, ...]
    partitions: tuple[int, ...]
    lag: float = field(metadata=figure("lag_records"))


@dataclass(frozen=True, kw_only=True)
class IdleConsumers:
    """More consumers than partitions: some can never have work."""

    helped_by_assignment: ClassVar = True
    partitions: ClassVar[tuple[int, ...]] = ()
    members: tuple[int, ...]
    """Those that own nothing now."""
    surplus: int = field(metadata=figure("surplus_consumers"))
    """How many can never have work, whatever the assignment."""


Finding = (
    NobodyReads
    | ReadOutside
    | OwnersUnknown
    | TopicLeft
    | RebalanceUnderWay
    | KeepsRebalancing
    | CrashLoop
    | Stopped
    | StuckRecord
    | LeftUnread
    | TooHot
    | Hot
    | Full
    | MoreArrives
    | Slower
    | SlowConsumers
    | Uneven
    | CatchingUp
    | RecordsLost
    | OffsetsReset
    | AheadOfLog
    | LagConcentrated
    | LagSpread
    | OffByOne
    | IdleConsumers
)


def hindering(findings: Iterable[Finding]) -> Finding | None:
    """Return the first cause that no assignment helps, beside which none is worth a switch."""
    return next((each for each in findings if not each.helped_by_assignment), None)
