"""What gets more than it reads, or reads more than it gets."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Flowing, Look
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class TooHot(Flowing):
    """Partitions that each get more than a consumer for it alone reads."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.TOO_HOT
    look_at: ClassVar = (Look.KEYS,)
    alone: float = field(metadata=figure("alone_per_s"))
    """What a consumer for one of them alone reads: the most of these."""
    usual: float = field(metadata=figure("usual_per_s"))
    """The median arrival rate of the group's other partitions; NaN without others."""


@dataclass(frozen=True, kw_only=True)
class Hot(Flowing):
    """Partitions that get far more than the others; a consumer for each alone may keep up."""

    helped_by_assignment: ClassVar = True
    kind: ClassVar = VerdictKind.UNEVEN
    look_at: ClassVar = (Look.KEYS,)
    usual: float = field(metadata=figure("usual_per_s"))
    """The median arrival rate of the group's other partitions; NaN without others."""
    over_alone_s: float = field(metadata=figure("ends_alone_s", by_speed=True))
    """Until the last has caught up on a consumer of its own; NaN if speeds are unknown."""


@dataclass(frozen=True, kw_only=True)
class Full(Flowing):
    """Every consumer is busy, and more arrives than they read."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.FULL
    needed: int | None = field(metadata=figure("needed_consumers", by_speed=True))
    """Consumers that read whole partitions and keep pace; None if unknown, or if none do."""


@dataclass(frozen=True, kw_only=True)
class MoreArrives(Flowing):
    """As ``Full``, since more arrives than before."""

    helped_by_assignment: ClassVar = False
    before: float = field(metadata=figure("before_per_s"))
    """What arrived before."""
    needed: int | None = field(metadata=figure("needed_consumers", by_speed=True))
    cleared: float = field(metadata=figure("cleared_records"))
    """The most that waited before and was read, if no less than now; NaN if there was none."""

    @property
    def kind(self) -> VerdictKind:
        """What cleared each time, as an hourly batch, clears again."""
        return VerdictKind.MORE_ARRIVES if math.isnan(self.cleared) else VerdictKind.BURST


@dataclass(frozen=True, kw_only=True)
class FewerConsumers(Flowing):
    """As ``Full``, since consumers left: the others read no less each than before."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.FEWER_CONSUMERS
    before: float = field(metadata=figure("before_per_s"))
    """What was read before."""
    gone: int = field(metadata=figure("gone_consumers"))
    """How many left."""
    needed: int | None = field(metadata=figure("needed_consumers"))
    """As many as there were, if those kept pace."""


@dataclass(frozen=True, kw_only=True)
class Slower(Flowing):
    """As ``Full``, since every consumer reads more slowly than before."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.SLOWER
    look_at: ClassVar = (Look.DEPENDENCIES, Look.LOG)
    before: float = field(metadata=figure("before_per_s"))
    """What was read before."""


@dataclass(frozen=True, kw_only=True)
class SlowConsumers(Flowing):
    """These consumers fall behind at less than others read, with no more arriving for them."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.SLOW_CONSUMER
    look_at: ClassVar = (Look.HOST, Look.DOWNSTREAM, Look.LOG)
    each: float = field(metadata=figure("each_per_s"))
    """What one of several reads, the median of these; NaN of one alone."""
    others: float = field(metadata=figure("others_per_s"))
    """What one of the others reads that keep up, the median of those."""


@dataclass(frozen=True, kw_only=True)
class SlowTopic(Flowing):
    """All of a topic is behind, while its consumers read more of another and keep up there."""

    helped_by_assignment: ClassVar = False
    kind: ClassVar = VerdictKind.SLOW_TOPIC
    look_at: ClassVar = (Look.HANDLER, Look.DOWNSTREAM, Look.LOG)
    others: float = field(metadata=figure("others_per_s"))
    """What these consumers read of other topics, with which they keep up."""


@dataclass(frozen=True, kw_only=True)
class Uneven(Flowing):
    """These consumers get more than they read, while others keep up."""

    helped_by_assignment: ClassVar = True
    kind: ClassVar = VerdictKind.UNEVEN
    needed: int | None = field(metadata=figure("needed_there_consumers"))
    """How many in their place keep pace, where they alone read their topics; else None."""


@dataclass(frozen=True, kw_only=True)
class CatchingUp(Flowing):
    """The backlog shrinks, or at least does not grow."""

    helped_by_assignment: ClassVar = True
    kind: ClassVar = VerdictKind.CATCHING_UP
    over_s: float = field(metadata=figure("ends_s"))
    """Until nothing waits in these partitions at the present rates."""
