"""What is the matter with work that an assignor of another kind places, such as tasks."""

from dataclasses import dataclass, field
from math import nan
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Cause
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class PlacedWork(Cause):
    """A cause in a group of Streams, of Connect, or a share group, told by who holds what."""

    helped_by_assignment: ClassVar = False
    has_backlog: ClassVar = False
    is_of_group: bool = field(init=False, default=True)
    members: tuple[int, ...] = ()
    partitions: tuple[int, ...] = field(init=False, default=())
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    work: tuple[str, ...] = ()
    """The tasks, connectors or partitions that it is about, by name and in order."""
    told: str = ""
    """What the source itself says of it, such as the first words of an error."""


@dataclass(frozen=True, kw_only=True)
class WorkFailed(PlacedWork):
    """Tasks or connectors stopped with an error: neither Connect nor a rebalance starts them."""

    kind: ClassVar = VerdictKind.TASKS_FAILED


@dataclass(frozen=True, kw_only=True)
class WorkUnassigned(PlacedWork):
    """Tasks of Connect whose worker left in order, so that they wait for it."""

    kind: ClassVar = VerdictKind.TASKS_UNASSIGNED


@dataclass(frozen=True, kw_only=True)
class WorkPaused(PlacedWork):
    """Somebody has paused or stopped them; of a connector with tasks, these alone."""

    kind: ClassVar = VerdictKind.TASKS_PAUSED


@dataclass(frozen=True, kw_only=True)
class NoTasks(PlacedWork):
    """Connectors that run and have no task."""

    kind: ClassVar = VerdictKind.NO_TASKS


@dataclass(frozen=True, kw_only=True)
class WorkClumped(PlacedWork):
    """A connector has more tasks on one worker than an even spread of its own would be."""

    kind: ClassVar = VerdictKind.TASKS_CLUMPED


@dataclass(frozen=True, kw_only=True)
class RunsNowhere(PlacedWork):
    """Tasks of Streams that no thread has."""

    kind: ClassVar = VerdictKind.TASKS_RUN_NOWHERE


@dataclass(frozen=True, kw_only=True)
class IdleThreads(PlacedWork):
    """Threads of Streams beyond the number of tasks."""

    kind: ClassVar = VerdictKind.IDLE_THREADS


@dataclass(frozen=True, kw_only=True)
class NotMovedYet(PlacedWork):
    """Threads of Streams without a task, although there are tasks for all of them."""

    kind: ClassVar = VerdictKind.NOT_MOVED_YET


@dataclass(frozen=True, kw_only=True)
class WarmingUp(PlacedWork):
    """Copies of tasks restore elsewhere, and a setting shortens that."""

    kind: ClassVar = VerdictKind.WARMING_UP


@dataclass(frozen=True, kw_only=True)
class NoStandbys(PlacedWork):
    """Tasks with state and no copy, on one of several instances."""

    kind: ClassVar = VerdictKind.NO_STANDBYS


@dataclass(frozen=True, kw_only=True)
class NotShared(PlacedWork):
    """Partitions of a share group that no consumer has."""

    kind: ClassVar = VerdictKind.NOT_SHARED
