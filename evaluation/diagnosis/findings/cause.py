"""What every finding has, whatever its cause."""

from dataclasses import dataclass, field
from enum import Enum
from math import nan
from typing import ClassVar

from evaluation.diagnosis.figures import figure


class Look(Enum):
    """What to look at first."""

    RECORD = "the record at that offset"
    LOG = "the consumer's log"
    NEXT_RECORDS = "the first record after each committed offset"
    DEAD_LETTER = "a dead-letter topic for what cannot be read"
    PAUSED = "pause() and assign() in the application"
    LIVENESS = "what may kill it (liveness probes, memory limits)"
    POLL_INTERVAL = "max.poll.interval.ms against the time that one poll takes"
    POLL_RECORDS = "max.poll.records"
    STATIC_IDS = "which consumers have the same group.instance.id"
    DEPENDENCIES = "the database or service that every consumer waits for"
    KEYS = "the keys that producers give their records"
    JOB_LOG = "the job's log"
    CHECKPOINTS = "its checkpoints"
    PARALLELISM = "its scale (Flink's parallelism, Spark's minPartitions)"
    RETENTION = "the topic's retention.ms and retention.bytes"
    RESET_BY_HAND = "who ran kafka-consumer-groups.sh --reset-offsets"
    LAST_START = "the log of the last start"
    RESET_POLICY = "auto.offset.reset"
    DEPLOYED = "what was deployed last"
    HOST = "the host (CPU, memory, GC pauses, a noisy neighbour)"
    DOWNSTREAM = "the services called from it"
    AUTO_COMMIT = "enable.auto.commit"
    KEPT_ELSEWHERE = "where the application keeps its offsets"
    RECREATED = "whether the topic was recreated or its log truncated"
    HANDLER = "what the application does with the records of that topic"
    ENDS_AT = "the topic's leaders (kafka-topics.sh --describe --unavailable-partitions)"
    ELECTION = "the brokers' logs for an unclean leader election"
    TRUNCATION = "the consumer's log for a truncation or an offset out of range"


@dataclass(frozen=True, kw_only=True)
class Cause:
    """A cause of lag, with whom and what it explains.

    Beside this each class has its ``kind``: of the verdict that it is by itself, None if it is
    none. One without members, partitions or lag of its own sets them, out of the constructor.
    """

    helped_by_assignment: ClassVar[bool]
    """Whether another assignment may help."""
    look_at: ClassVar[tuple[Look, ...]] = ()
    """What to look at, the first first, where the cause lies in the application."""
    is_open: ClassVar[bool] = False
    """Whether more snapshots would tell what it comes from."""
    has_backlog: ClassVar[bool] = True
    """Whether records wait in its partitions that have an age."""
    members: tuple[int, ...]
    """By number in the group."""
    partitions: tuple[int, ...]
    """All whose lag it explains, by number in the group."""
    lag: float = field(metadata=figure("lag_records"))
    """The records that wait in them; NaN if unknown."""
    since_s: float = nan
    """How long it has been so; NaN if unknown."""
    is_older: bool = False
    """Whether it was so at the first snapshot already, so that ``since_s`` is the least."""
    is_of_group: bool = False
    """Whether it is about the group as a whole, so that all of its lag counts."""

    @property
    def hinders(self) -> bool:
        """Whether it stands, and no assignment helps."""
        return not self.helped_by_assignment


@dataclass(frozen=True, kw_only=True)
class Arriving(Cause):
    """A cause with the arrival rate; records/s, NaN if unknown."""

    arriving: float = field(metadata=figure("arriving_per_s"))
    """In its partitions; of whole consumers, in all that they own."""


@dataclass(frozen=True, kw_only=True)
class Flowing(Arriving):
    """A cause with the read rate, too."""

    reading: float = field(metadata=figure("reading_per_s"))
