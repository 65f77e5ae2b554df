"""Offsets that no reading left where they are."""

from dataclasses import dataclass, field
from math import nan
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Arriving, Cause, Flowing, Look
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class RecordsLost(Cause):
    """Records were deleted before they were read."""

    helped_by_assignment: ClassVar = True
    kind: ClassVar = VerdictKind.RECORDS_LOST
    look_at: ClassVar = (Look.RETENTION, Look.LOG)
    lost: float = field(metadata=figure("lost_records"))
    """How many records."""


@dataclass(frozen=True, kw_only=True)
class OffsetsReset(Flowing):
    """Committed offsets fell: somebody reset them, or an unclean restart went back to older ones.

    What had been read is read again, once. ``reading`` is since they fell; NaN with one snapshot
    since then.
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.OFFSETS_RESET
    look_at: ClassVar = (Look.RESET_BY_HAND, Look.LAST_START)
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits in these partitions at the present rates."""
    by: float = field(metadata=figure("reset_records"))
    """By how many records the offsets fell in all."""


@dataclass(frozen=True, kw_only=True)
class OffsetsSkipped(Arriving):
    """Committed offsets jumped ahead, further than they were ever read in the time.

    Somebody reset them, or the application sought there; what was in between is unread.
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.OFFSETS_SKIPPED
    has_backlog: ClassVar = False
    look_at: ClassVar = (Look.RESET_BY_HAND, Look.LAST_START, Look.RESET_POLICY)
    by: float = field(metadata=figure("skipped_records"))
    """By how many records they jumped in all."""
    before: float = field(metadata=figure("before_per_s"))
    """What was read before, while as many waited."""

    @property
    def hinders(self) -> bool:
        """Whether it is so recent that nothing is known of the time since."""
        return self.since_s == 0


@dataclass(frozen=True, kw_only=True)
class LogTruncated(Arriving):
    """A log ended earlier than before: its last records are gone, read or not.

    As after an unclean leader election, which clients log as a truncation (KIP-320).
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.LOG_TRUNCATED
    has_backlog: ClassVar = False
    look_at: ClassVar = (Look.ELECTION, Look.TRUNCATION)
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    lost: float = field(metadata=figure("lost_records"))
    """How many records at least: what was written after the last snapshot before is unknown."""


@dataclass(frozen=True, kw_only=True)
class AheadOfLog(Arriving):
    """Committed offsets beyond the end of the log, as after a topic was recreated or truncated.

    ``auto.offset.reset`` decides whether arrivals are read, skipped or refused.
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.AHEAD_OF_LOG
    has_backlog: ClassVar = False
    look_at: ClassVar = (Look.RESET_POLICY, Look.RECREATED)
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    by: float = field(metadata=figure("ahead_records"))
    """How far beyond the end at most."""
