"""What does not move: consumers that stopped or restart, records that fail."""

from dataclasses import dataclass, field
from math import nan
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Arriving, Cause, Look
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class KeepsRebalancing(Cause):
    """Owners change again and again."""

    helped_by_assignment: ClassVar = False
    is_of_group: bool = field(init=False, default=True)
    look_at: ClassVar = (Look.LOG, Look.POLL_INTERVAL, Look.LIVENESS)
    members: tuple[int, ...] = field(init=False, default=())
    partitions: tuple[int, ...] = field(init=False, default=())
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    changes: int = field(metadata=figure("changes"))
    """How often owners changed."""
    keeps_up: bool
    """Whether nothing is behind all the same."""

    @property
    def kind(self) -> VerdictKind:
        """A backlog makes it urgent."""
        return VerdictKind.REBALANCES_OFTEN if self.keeps_up else VerdictKind.KEEPS_REBALANCING


@dataclass(frozen=True, kw_only=True)
class CrashLoop(Arriving):
    """These members come back under new ids and read nothing: they restart already."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.CRASH_LOOP
    look_at: ClassVar = (Look.LOG, Look.LIVENESS, Look.POLL_INTERVAL)


@dataclass(frozen=True, kw_only=True)
class Stopped(Arriving):
    """These consumers commit nothing on any of their partitions while records wait."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.STOPPED
    arrived: float = field(metadata=figure("arrived_records"))
    """Records that arrived between the snapshots, which needs no times."""
    restarts: int = field(metadata=figure("restarted_times"))
    """How often other consumers have taken over all of it since it stands, to no effect."""


@dataclass(frozen=True, kw_only=True)
class StuckRecord(Arriving):
    """One partition stands: a record that fails.

    Its consumer has caught up on its others, or it stood under another consumer before, or each of
    those that owned it is gone.
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.STUCK_RECORD
    look_at: ClassVar = (Look.RECORD, Look.LOG, Look.DEAD_LETTER)
    """In this order: skipping a record loses it."""
    offset: int = field(metadata=figure("offset"))
    """Of the next record to be read."""
    owners: int | None = field(metadata=figure("owners"))
    """How many consumers have owned it since it stands; None if unknown."""
    killed: int | None = field(metadata=figure("killed_consumers"))
    """How many of those were gone one after another; None where that is not why it is found."""


@dataclass(frozen=True, kw_only=True)
class LeftUnread(Arriving):
    """Several partitions stand while their consumers have caught up on their others.

    Several of one consumer, a whole topic, or one of each consumer. The application has paused
    them or never reads them, or a record fails on each.
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.NOT_READ
    look_at: ClassVar = (Look.PAUSED, Look.LOG, Look.RECORD)


@dataclass(frozen=True, kw_only=True)
class NeverCommits(Arriving):
    """These consumers own partitions in which records arrive, and none was ever committed there."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.NEVER_COMMITS
    has_backlog: ClassVar = False
    look_at: ClassVar = (Look.AUTO_COMMIT, Look.KEPT_ELSEWHERE, Look.LOG)
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    """Unknown, as is how much has been read."""
