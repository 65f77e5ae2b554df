"""What is the matter with a group: one kind, with members, partitions and figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from evaluation.diagnosis.findings import Look
from evaluation.measuring.facts import Source
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

WAITING_IS_ENOUGH_S: Final = 900.0
"""A backlog that ends within this time needs nothing but time."""


_SEVERITY: Final[Mapping[VerdictKind, Severity]] = {
    VerdictKind.NOT_A_CONSUMER_GROUP: Severity.UNKNOWN,
    VerdictKind.REBALANCE_UNDER_WAY: Severity.WARNING,
    VerdictKind.NO_CONSUMERS: Severity.ALARM,
    VerdictKind.KEEPS_REBALANCING: Severity.ALARM,
    VerdictKind.CRASH_LOOP: Severity.ALARM,
    VerdictKind.STOPPED: Severity.ALARM,
    VerdictKind.NOBODY_READS: Severity.ALARM,
    VerdictKind.AHEAD_OF_LOG: Severity.ALARM,
    VerdictKind.STUCK_RECORD: Severity.ALARM,
    VerdictKind.NOT_READ: Severity.ALARM,
    VerdictKind.TOO_HOT: Severity.ALARM,
    VerdictKind.SLOWER: Severity.WARNING,
    VerdictKind.SLOW_CONSUMER: Severity.WARNING,
    VerdictKind.MORE_ARRIVES: Severity.WARNING,
    VerdictKind.FULL: Severity.WARNING,
    VerdictKind.OUTSIDE_BEHIND: Severity.WARNING,
    VerdictKind.OFFSETS_RESET: Severity.WARNING,
    VerdictKind.NEVER_CATCHES_UP: Severity.WARNING,
    VerdictKind.RECORDS_LOST: Severity.ALARM,
    VerdictKind.TOPIC_UNREAD: Severity.WARNING,
    VerdictKind.READ_OUTSIDE: Severity.FINE,
    VerdictKind.TOO_LITTLE_KNOWN: Severity.UNKNOWN,
    VerdictKind.PARTITIONS_UNKNOWN: Severity.UNKNOWN,
    VerdictKind.OWNERS_UNKNOWN: Severity.UNKNOWN,
    VerdictKind.NOT_STARTED: Severity.ADVICE,
    VerdictKind.UNEVEN: Severity.ADVICE,
    VerdictKind.BEHIND: Severity.UNKNOWN,
    VerdictKind.CATCHING_UP: Severity.FINE,
    VerdictKind.IDLE: Severity.ADVICE,
    VerdictKind.LAG_UNKNOWN: Severity.UNKNOWN,
    VerdictKind.HEALTHY: Severity.FINE,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """What is the matter, and what it rests on."""

    kind: VerdictKind
    members: tuple[int, ...] = ()
    """All whom it names, by number; pictures color each of them."""
    partitions: tuple[int, ...] = ()
    """All that it names."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """By name, with the unit in the name: ``lag_records``, ``arriving_per_s``."""
    since_s: float | None = None
    """How long it has been so; None if unknown."""
    is_older: bool = False
    """Whether it was so at the first snapshot already, so that ``since_s`` is the least."""
    rests_on: Source = Source.MEASURED
    """The weakest source among its figures."""
    is_dated: bool = True
    """Whether the seconds between the snapshots are known; if not, there are no rates."""
    owns_nothing: tuple[int, ...] = ()
    """Idle members."""
    look_at: tuple[Look, ...] = ()
    """What to look at, the first first, where the cause lies in the application."""

    @property
    def severity(self) -> Severity:
        """How urgent it is."""
        return _SEVERITY[self.kind]

    @property
    def is_alarm(self) -> bool:
        """Whether something is broken or will be, so that strategies come second."""
        return self.severity >= Severity.WARNING

    def figure(self, name: str) -> float | None:
        """Return a figure by name; None if it is unknown."""
        value = self.figures.get(name)
        return None if value is None or np.isnan(value) else value
