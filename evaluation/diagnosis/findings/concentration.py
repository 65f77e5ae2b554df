"""Where the lag is, as far as one snapshot tells."""

from dataclasses import dataclass, field
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Cause
from evaluation.measuring.facts import ONE_POLL
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class LagConcentrated(Cause):
    """Most of the lag is in few hands, which have stopped or get more: times would tell which."""

    helped_by_assignment: ClassVar = True
    is_open: ClassVar = True
    kind: ClassVar = VerdictKind.TOO_LITTLE_KNOWN
    members: tuple[int, ...]
    """The largest backlog first."""
    share: float = field(metadata=figure("share"))
    """Of the group's lag."""

    @property
    def partition(self) -> int | None:
        """The one partition that holds it; None if several do."""
        return self.partitions[0] if len(self.partitions) == 1 else None


@dataclass(frozen=True, kw_only=True)
class LagSpread(Cause):
    """Most consumers have a backlog: too little capacity, or back after a break."""

    helped_by_assignment: ClassVar = True
    is_open: ClassVar = True
    members: tuple[int, ...]
    """The largest backlog first."""
    active: int = field(metadata=figure("active_consumers"))
    """How many consumers own something."""

    @property
    def kind(self) -> VerdictKind | None:
        """None where each reads what it has in one poll."""
        return VerdictKind.BEHIND if self.lag > ONE_POLL * self.active else None


@dataclass(frozen=True, kw_only=True)
class OffByOne(Cause):
    """One record seems to wait in each partition, always, and nothing does.

    The client commits the last record in place of the next one, or a transaction's marker is the
    last entry of the log.
    """

    helped_by_assignment: ClassVar = True
    kind: ClassVar[VerdictKind | None] = None
    lag: float = field(metadata=figure("lag_records"))
