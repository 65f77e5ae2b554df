"""Who reads: nobody, somebody outside the group, or nobody as yet."""

import math
from dataclasses import dataclass, field
from math import nan
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Arriving, Cause, Flowing, Look
from evaluation.measuring.facts import ONE_POLL
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class NobodyReads(Arriving):
    """Records wait in partitions that are known to have no owner, and nothing is committed."""

    helped_by_assignment: ClassVar = True
    """Another assignment may give them an owner; without members it needs some."""
    members: tuple[int, ...] = field(init=False, default=())
    is_of_group: bool
    """Whether the group has no members at all."""
    gone: int | None = field(metadata=figure("gone_consumers"))
    """How many consumers owned something at an earlier snapshot; None if none is known to have."""
    deleted_s: float = field(metadata=figure("deleted_in_s"))
    """Until the first of these records is deleted if nobody reads; NaN if unknown."""

    @property
    def kind(self) -> VerdictKind:
        """Whether there are members decides."""
        return VerdictKind.NO_CONSUMERS if self.is_of_group else VerdictKind.NOBODY_READS


@dataclass(frozen=True, kw_only=True)
class TakenOver(Flowing):
    """These consumers have just taken over what waits there, which came before they owned it.

    Those of a deploy have just started. What each reads is not known yet, or shows already that
    the backlog shrinks.
    """

    helped_by_assignment: ClassVar = True
    is_open: ClassVar = True
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits there at the rates since; NaN if those tell nothing yet."""

    @property
    def kind(self) -> VerdictKind | None:
        """Who is seen to read more than arrives catches up; None where each reads it in a poll."""
        if not math.isnan(self.over_s):
            return VerdictKind.CATCHING_UP
        return VerdictKind.TAKEN_OVER if self.lag > ONE_POLL * len(self.members) else None


@dataclass(frozen=True, kw_only=True)
class ReadOutside(Flowing):
    """The group has no members, but its offsets advance: Flink, Spark, MirrorMaker, assign()."""

    helped_by_assignment: ClassVar = False
    is_of_group: bool = field(init=False, default=True)
    look_at: ClassVar = (Look.JOB_LOG, Look.CHECKPOINTS, Look.PARALLELISM)
    members: tuple[int, ...] = field(init=False, default=())
    behind_s: float = field(metadata=figure("behind_s"))
    """How long what waits took to arrive at the present rate."""
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits at the present rates, of the group as a whole; 0 if it keeps up.

    Infinite only where it reads less than arrives and has not read what was there before its last
    commit; else NaN, for a job commits at checkpoints, and two snapshots within one see less read.
    """

    @property
    def kind(self) -> VerdictKind:
        """Whether it ever ends decides."""
        is_endless = math.isinf(self.over_s)
        return VerdictKind.OUTSIDE_BEHIND if is_endless else VerdictKind.READ_OUTSIDE


@dataclass(frozen=True, kw_only=True)
class OwnersUnknown(Flowing):
    """The source does not say who owns these partitions, so only the flow of all is known."""

    helped_by_assignment: ClassVar = True
    kind: ClassVar = VerdictKind.OWNERS_UNKNOWN
    is_of_group: bool = field(init=False, default=True)
    members: tuple[int, ...] = field(init=False, default=())
    behind_s: float = field(metadata=figure("behind_s"))
    """How long what waits took to arrive at the present rate."""
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits at the present rates, in these partitions as a whole."""


@dataclass(frozen=True, kw_only=True)
class NoLogEnd(Cause):
    """Partitions that are read and whose log end is unknown, while others' are known.

    As of a partition without a leader.
    """

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.NO_LOG_END
    has_backlog: ClassVar = False
    look_at: ClassVar = (Look.ENDS_AT,)
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))


@dataclass(frozen=True, kw_only=True)
class TopicLeft(Cause):
    """No member owns anything of these topics, whose commits stand, while members read others.

    The group has left them, or the consumers that read them are missing.
    """

    helped_by_assignment: ClassVar = True
    members: tuple[int, ...] = field(init=False, default=())
    topics: tuple[str, ...]
    arrived: float = field(metadata=figure("arrived_records"))
    """Between the first snapshot and the last; NaN if unknown."""

    @property
    def kind(self) -> VerdictKind | None:
        """None where nothing arrives; unknown is not none."""
        return VerdictKind.TOPIC_UNREAD if self.arrived else None


@dataclass(frozen=True, kw_only=True)
class RebalanceUnderWay(Cause):
    """The group was read while it rebalanced, so partitions without owners tell nothing."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.REBALANCE_UNDER_WAY
    is_of_group: bool = field(init=False, default=True)
    moving: int | None = field(metadata=figure("moving_partitions"))
    """How many partitions change their owner; None in the classic protocol, which tells none."""


@dataclass(frozen=True, kw_only=True)
class IdleConsumers(Cause):
    """More consumers than partitions: some can never have work."""

    helped_by_assignment: ClassVar = True
    is_of_group: bool = field(init=False, default=True)
    partitions: tuple[int, ...] = field(init=False, default=())
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    members: tuple[int, ...]
    """Those that own nothing now."""
    surplus: int = field(metadata=figure("surplus_consumers"))
    """How many can never have work, whatever the assignment."""

    @property
    def kind(self) -> VerdictKind | None:
        """None where another assignment gives each of them something."""
        return VerdictKind.IDLE if self.surplus else None
