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
