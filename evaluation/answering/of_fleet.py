"""What is the matter with a fleet: its groups by urgency, and the one to start with."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Final

from assignors.kinds import GroupKind
from evaluation.answering.actions import Action
from evaluation.answering.fields.names import Fields
from evaluation.answering.pool import settable_among
from evaluation.answering.verdicts import Verdict
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

_PLACE: Final = {kind: place for place, kind in enumerate(VerdictKind)}


class Urgency(IntEnum):
    """Where a group stands in the list of a fleet, the first first."""

    BEHIND = 0
    """Broken, or never catching up as things are: it does not keep up."""
    WARNED = 1
    """It keeps up as yet."""
    BY_SETTING = 2
    """All is well, and a setting takes load off its busiest consumer."""
    BY_JAR = 3
    UNKNOWN = 4
    """Its last snapshot tells too little."""
    OPEN = 5
    """It gains by one simulation, and nobody has looked at its last snapshot."""
    UNSEEN = 6
    """Nobody has looked, and it gains nothing."""
    REST = 7
    """Nothing to change."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What the fleet proposes to one group."""

    action: Action | None = None
    """None if nothing."""
    strategy: str | None = None
    """The one to switch to."""
    is_checked: bool = True
    """Whether the group's own page proposes or allows it at the last snapshot; otherwise it is no
    proposal, but open to check."""

    @property
    def takes_jar(self) -> bool:
        """Whether it is code on every consumer."""
        return self.strategy is not None and not settable_among([self.strategy])


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupStanding:
    """One group of a fleet: what is the matter, what is proposed, what it would gain."""

    cluster: str
    name: str
    advice: Advice
    verdict: Verdict | None = None
    """None if nobody looked at its last snapshot."""
    figures: Fields = field(default_factory=Fields)
    """Those of its answer, as sentences write them."""
    runs: str | None = None
    """The strategy that it runs, as far as that is known."""
    ends_s: float = math.nan
    """When its backlog has ended under the present owners; infinite if never, NaN if unknown."""
    waits: float = math.nan
    """Known records that wait; NaN if none is known."""
    gain: float = math.nan
    """What the best strategy takes off the busiest consumer over the window, as a share."""
    setting: str | None = None
    """The best strategy that a setting selects; None if none gains."""
    setting_gain: float = math.nan

    @property
    def key(self) -> tuple[str, str]:
        """Cluster and name."""
        return self.cluster, self.name

    @property
    def severity(self) -> Severity:
        """How urgent its verdict is; unknown where nobody looked."""
        return Severity.UNKNOWN if self.verdict is None else self.verdict.severity

    @property
    def urgency(self) -> Urgency:
        """Where it stands in the list."""
        if self.severity is Severity.ALARM or self.is_hopeless:
            return Urgency.BEHIND
        if self.severity is Severity.WARNING:
            return Urgency.WARNED
        if self.advice.strategy is None:
            if self.severity is Severity.UNKNOWN:
                return Urgency.UNSEEN if self.verdict is None else Urgency.UNKNOWN
            return Urgency.REST
        if not self.advice.is_checked:
            return Urgency.OPEN
        return Urgency.BY_JAR if self.advice.takes_jar else Urgency.BY_SETTING

    @property
    def is_hopeless(self) -> bool:
        """Whether something is the matter, and the backlog never ends as things are."""
        return self.severity >= Severity.WARNING and math.isinf(self.ends_s)


@dataclass(frozen=True, eq=False, kw_only=True)
class FleetVerdict:
    """How a fleet stands."""

    groups: tuple[GroupStanding, ...]
    """The most urgent first: those in trouble as their verdicts stand in ``VerdictKind``, by
    severity, then by what waits; others as they were given."""
    count: int
    """All groups, those that are not listed here, too."""
    open_count: int = 0
    """Those that gain by one simulation, whose last snapshots nobody has looked at."""
    unranked: Mapping[GroupKind, int] = field(default_factory=dict)
    """How many groups are of kinds in which no strategy of consumer groups assigns."""
    is_checked: bool = True
    """Whether anybody has looked at last snapshots."""

    @cached_property
    def severity(self) -> Severity:
        """That of the group to start with; unknown until anybody has looked."""
        found = [each.severity for each in self.groups]
        return max(found, default=Severity.FINE) if self.is_checked else Severity.UNKNOWN

    @property
    def start(self) -> GroupStanding | None:
        """The group to start with; None if there is nothing to do, as far as anybody looked."""
        first = next(iter(self.groups), None)
        return first if first is not None and first.urgency < Urgency.UNKNOWN else None

    def those(self, urgency: Urgency) -> list[GroupStanding]:
        """Return the groups of this urgency."""
        return [each for each in self.groups if each.urgency is urgency]

    @property
    def helped(self) -> list[GroupStanding]:
        """Whose busiest consumer a setting takes load off, as far as anybody looked."""
        return [each for each in self.looked_at if each.setting_gain > 0]

    @property
    def helped_by_jar(self) -> list[GroupStanding]:
        """Whose busiest consumer only a jar takes load off, as far as anybody looked."""
        return [each for each in self.looked_at if each.gain > 0 and not each.setting_gain > 0]

    @property
    def looked_at(self) -> list[GroupStanding]:
        """Those whose last snapshots somebody has looked at: of no other one anything is known."""
        return [each for each in self.groups if each.verdict is not None]


def by_urgency(
    groups: Iterable[GroupStanding], *, is_checked: bool = True
) -> tuple[GroupStanding, ...]:
    """Return groups that are in the order of what they gain, the most urgent first.

    Until anybody has looked, those for which most waits come first.
    """
    return tuple(sorted(groups, key=_place if is_checked else _waiting))


def _waiting(group: GroupStanding) -> float:
    return math.inf if math.isnan(group.waits) else -group.waits


def _place(group: GroupStanding) -> tuple[float, ...]:
    """Return the sort key of a group: the order among those in trouble is that of verdicts."""
    urgency, severity = group.urgency, group.severity
    waits = 0.0 if math.isnan(group.waits) else group.waits
    if urgency is Urgency.UNKNOWN:
        return (urgency, -waits)
    if group.verdict is None or urgency > Urgency.WARNED:
        return (urgency, -severity if urgency is Urgency.REST else 0)
    return (urgency, -severity, _PLACE[group.verdict.kind], -waits)
