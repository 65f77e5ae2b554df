"""The loop: a poll each interval, through broker restarts, until stopped."""

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol

from evaluation.answering.answer import Answer
from evaluation.diagnosis.findings import hindering
from evaluation.reading import Reading
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from live.errors import CancelledError
from live.model import LiveTopic, Unread
from live.read_options import CANCELLED
from sources.errors import SourceError
from watching import payload
from watching.alerts import Alerts, Judged, Told
from watching.answers import FullAnswers, at_a_glance, in_full
from watching.calm import Answered, is_due, may_be_calm, state_if_calm
from watching.cluster import Hear, Read
from watching.metrics import LastPoll
from watching.states import WatchedState, severity_of, severity_of_kind, state_of
from watching.tracks import Track, Tracks

_FULL_SHARE: Final = 0.1
"""Of an interval, the time to spend on simulations."""
_ALERT_S: Final = 10.0
"""How long the text of an alert may wait for what strategies would bring."""
_NAMED: Final = 3
_LONGEST_NAME: Final = 100
_LONGEST_REASON: Final = 200


class Pollable(Protocol):
    """What can be polled; see watching.cluster.WatchedCluster."""

    def poll(
        self, hear: Hear, topics: Sequence[str], known: Mapping[str, LiveTopic]
    ) -> dict[str, float]:
        """Read every group, and the retention of these topics. Raises SourceError.

        ``known`` are topics as last read, of which only what moves need be read.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class WatchSettings:
    """What the user chose."""

    interval_s: float = 60.0
    cluster: str | None = None
    per_consumer: bool = False
    least: Severity = Severity.WARNING
    page_url: str | None = None
    runbook_url: str = payload.RUNBOOK


@dataclass
class Watch:
    """Polls a cluster and keeps what was found for whoever asks."""

    source: Pollable
    settings: WatchSettings
    send: Callable[[dict[str, object]], object]
    """Takes each alert."""
    stop: threading.Event
    say: Callable[[str], None]
    tracks: Tracks = field(default_factory=Tracks)

    def __post_init__(self) -> None:
        """Start with nothing found."""
        self._published = LastPoll(cluster=self.settings.cluster)
        self._open: dict[str, VerdictKind] = {}
        self._alerts = Alerts(self.settings.least, self.settings.interval_s)
        self._full = FullAnswers()
        self._answered: dict[str, Answered] = {}
        """Of groups that were well, what their last answer said."""
        self._polls = 0
        self._late_polls = 0
        self._is_late = False
        self._epoch_s = time.time() - time.monotonic()

    @property
    def alerts(self) -> Alerts:
        """What has been told of each group."""
        return self._alerts

    def found(self) -> LastPoll:
        """Return the outcome of the last poll."""
        return self._published

    def run(self, after_poll: Callable[[], object]) -> None:
        """Poll each interval until stopped."""
        first, beat, interval_s = time.monotonic(), 0, self.settings.interval_s
        while not self.stop.is_set():
            self.poll()
            self._mind_pace()
            after_poll()
            beat = max(beat + 1, math.ceil((time.monotonic() - first) / interval_s))
            self.refresh(until_s=first + beat * interval_s)
            self.stop.wait(first + beat * interval_s - time.monotonic())

    def _mind_pace(self) -> None:
        """Count a poll that took longer than the interval, and say so when that begins and ends."""
        took_s, interval_s = self._published.took_s or 0.0, self.settings.interval_s
        was_late, self._is_late = self._is_late, took_s > interval_s
        self._late_polls += self._is_late
        self._published.late_polls = self._late_polls
        if self._is_late and not was_late:
            self.say(
                f"A poll took {took_s:.0f} s, more than the interval of {interval_s:.0f} s: the "
                "next begins at a later beat. Choose a longer --interval, or fewer groups."
            )
        elif was_late and not self._is_late:
            self.say(f"Polls fit the interval of {interval_s:.0f} s again.")

    def poll(self) -> None:
        """Read every group once, publish what was found, and tell what is new."""
        began_s = time.monotonic()
        poll = _Poll()
        self._polls += 1
        topics = self.tracks.topics_to_ask()
        error: SourceError | None = None
        try:
            kept = self.source.poll(partial(self._hear, poll), topics, self.tracks.topics_known())
            self.tracks.learn_retention(topics, kept)
        except SourceError as found:
            if self.stop.is_set():
                return
            error = found
        ended_s = time.monotonic()
        if error is None:
            self._forget_others(poll)
        self._open = poll.open
        self._published = LastPoll(
            cluster=self.settings.cluster,
            is_up=error is None,
            succeeded_at_s=self._epoch_s + ended_s
            if error is None
            else self._published.succeeded_at_s,
            took_s=ended_s - began_s,
            states=poll.states,
            unread=len(poll.unread),
            waiting_answers=self._full.waiting,
            active_alerts=self._alerts.active,
        )
        self.say(_line(poll, ended_s - began_s, error))

    def refresh(self, until_s: float) -> None:
        """Answer in full on groups that may be spread better, as long as there is time."""
        most_s = min(until_s - time.monotonic(), _FULL_SHARE * self.settings.interval_s)
        try:
            self._full.refresh(self._open, self.tracks.given, most_s, self._check)
        except CancelledError:
            return
        self._published.waiting_answers = self._full.waiting

    def _check(self) -> None:
        if self.stop.is_set():
            raise CancelledError(CANCELLED)

    def _hear(self, poll: "_Poll", batch: Sequence[Read]) -> None:
        """Answer on groups that have been read."""
        for at_s, group in batch:
            self._check()
            if isinstance(group, Unread):
                poll.unread.append(group)
                continue
            try:
                self._answer(poll, self.tracks.add(group, self._epoch_s + at_s))
            except SourceError as error:
                name = group.group.id if isinstance(group, Reading) else group.id
                poll.unread.append(Unread(name, str(error)))

    def _answer(self, poll: "_Poll", track: Track) -> None:
        name = track.reading.group.id
        state, answer = self._still_calm(track), None
        if state is None:
            answer = at_a_glance(self.tracks.given(name))
            self._answered.pop(name, None)
            kind = self._full.kind_of(name, answer.verdict.kind, is_final=answer.is_verdict_final)
            state = state_of(track, answer, kind, per_consumer=self.settings.per_consumer)
            if may_be_calm(answer, state):
                self._answered[name] = Answered(
                    *(state, answer.verdict.kind, answer.is_verdict_final),
                    self.tracks.retentions_known(name),
                )
            if not answer.is_verdict_final:
                poll.open[name] = answer.verdict.kind
        elif not self._answered[name].is_final:
            poll.open[name] = self._answered[name].glanced
        poll.states.append(state)
        told = self._alerts.after(name, Judged(state.kind, state.severity), state.since_s)
        if told is not None:
            self._tell(told, answer or at_a_glance(self.tracks.given(name)))

    def _still_calm(self, track: Track) -> WatchedState | None:
        """Return what is published of a group that is as well as when it was last answered."""
        name = track.reading.group.id
        before = self._answered.get(name)
        if before is None or is_due(name, self._polls):
            return None
        if before.retentions != self.tracks.retentions_known(name):
            return None
        state = state_if_calm(track, before.state)
        if state is None:
            return None
        kind = self._full.kind_of(name, before.glanced, is_final=before.is_final)
        return (
            state
            if kind is state.kind
            else replace(state, kind=kind, severity=severity_of_kind(kind))
        )

    def _forget_others(self, poll: "_Poll") -> None:
        names = {state.group for state in poll.states} | {each.id for each in poll.unread}
        self.tracks.forget_others(names)
        self._answered = {n: each for n, each in self._answered.items() if n in names}
        for name, was in self._alerts.gone(names):
            self._send(payload.gone(name, was, cluster=self.settings.cluster or ""))

    def _tell(self, told: Told, answer: Answer) -> None:
        settings = self.settings
        if _may_be_helped(answer) and settings.least <= severity_of(answer):
            answer = in_full(answer.given, time.monotonic() + _ALERT_S, self._check) or answer
        self._send(
            payload.alert(
                told,
                answer,
                cluster=settings.cluster or "",
                page_url=settings.page_url,
                runbook_url=settings.runbook_url,
            )
        )

    def _send(self, alert: dict[str, object]) -> None:
        self.say(f"{alert['event']}: {alert['group']}: {alert['headline']}")
        self.send(alert)


def _may_be_helped(answer: Answer) -> bool:
    """Return whether simulations may find something to do: no cause stands, and somebody reads."""
    return bool(answer.given.group.member_count) and hindering(answer.findings) is None


@dataclass
class _Poll:
    """What one poll has found so far."""

    states: list[WatchedState] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    open: dict[str, VerdictKind] = field(default_factory=dict)
    """Groups of which simulations may find another verdict, with the one at a glance."""


def _line(poll: _Poll, took_s: float, error: SourceError | None) -> str:
    line = f"{len(poll.states):,} groups in {took_s:.1f} s"
    amiss = Counter(s.severity for s in poll.states if s.severity >= Severity.WARNING)
    for severity, count in sorted(amiss.items(), reverse=True):
        line += f", {count:,} {severity.name.lower()}"
    if poll.unread:
        reasons = "; ".join(
            f"{each.id[:_LONGEST_NAME]}: {each.why[:_LONGEST_REASON]}"
            for each in poll.unread[:_NAMED]
        )
        line += f"; {len(poll.unread):,} groups could not be read ({reasons})"
    if error is not None:
        line += f"; the poll ended early: {error}"
    return line
