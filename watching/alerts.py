"""When a verdict is told: once when it begins, changes and ends, and not before it has held.

A verdict has held if its own figures show it for nearly an interval (a consumer that has committed
nothing for a minute), or if the poll before found it as well. It is over after two polls without
it. A group that could not be read stays as it was.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

_NEARLY: Final = 0.8
"""The part of an interval for which a verdict must have held: polls are never quite on time."""


class AlertEvent(Enum):
    """What became of an alert."""

    BEGUN = "begun"
    CHANGED = "changed"
    ENDED = "ended"


class Judged(NamedTuple):
    """A verdict, as alerts see it."""

    kind: VerdictKind
    severity: Severity


class Told(NamedTuple):
    """An alert to send."""

    step: AlertEvent
    was: Judged | None
    """What was told before; None when it begins."""


@dataclass
class _Group:
    told: Judged | None = None
    last: Judged | None = None


@dataclass
class Alerts:
    """What has been told of each group."""

    least: Severity
    interval_s: float
    _of: dict[str, _Group] = field(default_factory=dict)

    @property
    def active(self) -> int:
        """Groups of which an alert is told and has not ended."""
        return sum(group.told is not None for group in self._of.values())

    @property
    def told(self) -> dict[str, Judged]:
        """The alerts that stand, by group."""
        return {name: group.told for name, group in self._of.items() if group.told is not None}

    def resume(self, told: Mapping[str, Judged]) -> None:
        """Take over alerts that stood when the watcher ended, those still urgent enough."""
        for name, found in told.items():
            if found.severity >= self.least:
                self._of[name] = _Group(told=found, last=found)

    def after(self, group: str, found: Judged, since_s: float | None) -> Told | None:
        """Take a verdict of a poll; return what to tell, None for nothing new."""
        state = self._of.setdefault(group, _Group())
        has_held = state.last == found or (since_s or 0.0) >= _NEARLY * self.interval_s
        was_calm = state.last is not None and state.last.severity < self.least
        state.last = found
        if found.severity < self.least:
            if state.told is None or not was_calm:
                return None
            ended, state.told = state.told, None
            return Told(AlertEvent.ENDED, ended)
        if found == state.told or not has_held:
            return None
        was, state.told = state.told, found
        return Told(AlertEvent.BEGUN if was is None else AlertEvent.CHANGED, was)

    def gone(self, present: Collection[str]) -> list[tuple[str, Judged]]:
        """Forget the groups that the cluster no longer has; return those with an alert."""
        lost = [name for name in self._of if name not in present]
        told = [(name, self._of.pop(name).told) for name in lost]
        return [(name, found) for name, found in told if found is not None]
