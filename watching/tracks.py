"""What is remembered of each group: its last snapshots, and what its rebalances moved."""

import math
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from zlib import crc32

from evaluation.answering.given import Given
from evaluation.measuring.offset_history import MOST_OFFSETS, Moment, OffsetHistory
from evaluation.reading import Reading
from evaluation.rebalance.owner_changes import changes
from live.model import GroupReading, LiveTopic
from sources.asking import given_of
from sources.live_groups import reading_of, reread

KEPT: Final = 16
"""Snapshots of a group: a quarter of an hour of minutes, as rates take five of them."""
_RETENTION_EVERY: Final = 60
"""Polls after which a topic's retention is asked for again."""
_TOPICS_EVERY: Final = 10
"""Polls after which a topic's partitions, racks and begin offsets are read again in any case."""
_RETENTION_AT_ONCE: Final = 1_000
"""Topics whose retention is asked for in one poll."""


@dataclass(kw_only=True)
class Track:
    """One group over the last polls."""

    then: GroupReading | None
    """What the cluster reported; None of a group that metrics tell of."""
    reading: Reading
    moments: deque[Moment]
    rebalances: int = 0
    """Since it was first seen: between how many snapshots its owners or members changed."""
    moved: int = 0
    """Partitions that changed owners in them."""
    is_same: bool = False
    """Whether nothing but offsets changed since the snapshot before."""
    needless: int = 0
    """Those of them beyond the fewest that make counts even, where that is known."""

    def given(self, retention_s: Mapping[str, float]) -> Given:
        """Return what an answer starts from: the newest snapshot with those before."""
        kept = {name: retention_s.get(name, math.nan) for name in self.reading.group.topics}
        known = {name: seconds for name, seconds in kept.items() if not math.isnan(seconds)}
        history = OffsetHistory(tuple(self.moments), known)
        return given_of(replace(self.reading, history=history, is_watched=True))


@dataclass
class Tracks:
    """All groups, each with at most ``kept`` snapshots; groups that are gone are forgotten."""

    kept: int = KEPT
    most_offsets: int = MOST_OFFSETS
    """Partitions times snapshots of one group."""
    _of: dict[str, Track] = field(default_factory=dict)
    _retention_s: dict[str, float] = field(default_factory=dict)
    _asked: dict[str, int] = field(default_factory=dict)
    """By topic, the poll in which its retention was last asked for."""
    _polls: int = 0

    def add(self, group: GroupReading | Reading, at_s: float) -> Track:
        """Remember a snapshot. Raises SourceError for a group beyond the limits of every input."""
        if isinstance(group, Reading):
            track = self._read(group, at_s)
        else:
            track = self._reported(group, at_s)
        most = max(
            min(self.kept, self.most_offsets // max(track.reading.group.partition_count, 1)), 2
        )
        while len(track.moments) > most:
            track.moments.popleft()
        return track

    def _read(self, reading: Reading, at_s: float) -> Track:
        """Remember what metrics tell, which may be what they told at the poll before."""
        name = reading.group.id
        track = self._of.get(name)
        if track is None:
            track = Track(then=None, reading=reading, moments=deque())
            self._of[name] = track
            track.moments.append(Moment.of(reading.group, at_s))
            return track
        track.then, track.reading, track.is_same = None, reading, False
        if at_s > track.moments[-1].at_s:
            track.moments.append(_compared(track, Moment.of(reading.group, at_s)))
        return track

    def _reported(self, group: GroupReading, at_s: float) -> Track:
        """Remember what a cluster reports."""
        track = self._of.get(group.id)
        if track is None or track.then is None:
            track = Track(then=group, reading=reading_of(group), moments=deque())
            self._of[group.id] = track
            moment = Moment.of(track.reading.group, at_s)
        else:
            before = track.reading.group
            track.reading = reread(track.reading, track.then, group)
            track.then, now = group, track.reading.group
            track.is_same = now.claims is before.claims and now.layout is before.layout
            if track.is_same:
                moment = track.moments[-1].later(now, at_s)
            else:
                moment = _compared(track, Moment.of(now, at_s))
        track.moments.append(moment)
        return track

    def given(self, name: str) -> Given:
        """Return what an answer on a remembered group starts from."""
        return self._of[name].given(self._retention_s)

    def retentions_known(self, name: str) -> int:
        """Return of how many topics of a group it is known how long they keep records."""
        return sum(topic in self._retention_s for topic in self._of[name].reading.group.topics)

    def track(self, name: str) -> Track:
        """Return what is remembered of a group."""
        return self._of[name]

    def forget_others(self, names: Collection[str]) -> None:
        """Forget the groups that are not among these."""
        for name in self._of.keys() - set(names):
            del self._of[name]

    def topics_known(self) -> dict[str, LiveTopic]:
        """Return the topics as last read, but for a tenth of them in turn, to be read anew.

        Those with an unknown offset are read anew each time.
        """
        return {
            name: topic
            for track in self._of.values()
            if track.then is not None
            for name, topic in track.then.topics.items()
            if (crc32(name.encode()) + self._polls) % _TOPICS_EVERY
            and None not in topic.begin
            and None not in topic.end
        }

    def topics_to_ask(self) -> list[str]:
        """Return at most a thousand topics whose retention is unknown or was read long ago."""
        self._polls += 1
        topics = dict.fromkeys(name for t in self._of.values() for name in t.reading.group.topics)
        self._asked = {name: at for name, at in self._asked.items() if name in topics}
        self._retention_s = {n: s for n, s in self._retention_s.items() if n in topics}
        due = [
            n
            for n in topics
            if self._polls - self._asked.get(n, -_RETENTION_EVERY) >= _RETENTION_EVERY
        ]
        return due[:_RETENTION_AT_ONCE]

    def learn_retention(self, asked: Collection[str], retention_s: Mapping[str, float]) -> None:
        """Remember what topics keep, and that they were asked."""
        self._asked |= dict.fromkeys(asked, self._polls)
        self._retention_s |= retention_s


def _compared(track: Track, moment: Moment) -> Moment:
    """Count a change of owners; return the moment, which shares equal owners with the last."""
    last = track.moments[-1]
    if last.held is None or moment.held is None:
        return moment
    if last.ownership == moment.ownership and last.held.members == moment.held.members:
        return moment._replace(held=last.held)
    for change in changes(track.reading.group, OffsetHistory((last, moment))):
        track.rebalances += 1
        track.moved += change.rebalance.moved
        track.needless += change.rebalance.needless or 0
    return moment
