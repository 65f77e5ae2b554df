"""The collector: a poll each interval, through broker restarts, until stopped."""

import math
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import pyarrow as pa

from live.cluster import Cluster, connected
from live.errors import BROKE_OFF, CancelledError, LiveError
from live.groups import groups_like
from live.model import Unread
from live.properties import Properties
from live.read_options import CANCELLED, ReadOptions
from live.reading import read_groups
from pipeline.collecting.files import alone_in, remove_unfinished, write_snapshot
from pipeline.collecting.rows import telemetry_rows
from processes.calls import DiedError, call

_Result = TypeVar("_Result")
_NAMED: Final = 3
"""At most this many unreadable groups are named in a poll's line."""


@dataclass(kw_only=True)
class Poll:
    """The outcome of a poll, updated as its batches are consumed."""

    name: str
    """The cluster's name in telemetry."""
    wanted: Sequence[str]
    """Names of groups, or patterns such as ``orders-*``; empty for all groups."""
    groups: int = 0
    unread: list[Unread] = field(default_factory=list)
    error: LiveError | None = None
    """Why the poll ended early; groups read before it are complete."""

    def batches(self, cluster: Cluster) -> Iterator[pa.RecordBatch]:
        """Yield the rows of each group; record and skip groups that cannot be read."""
        try:
            for group in read_groups(cluster, groups_like(cluster, self.wanted)):
                if isinstance(group, Unread):
                    self.unread.append(group)
                    continue
                self.groups += 1
                yield telemetry_rows(self.name, datetime.now(UTC), group)
        except LiveError as error:
            self.error = error


def collect(
    options: Namespace, properties: Properties, stop: threading.Event, say: Callable[[str], None]
) -> None:
    """Append a snapshot each interval until ``stop`` is set or the requested number is reached.

    Each is read over a new connection. A poll that fails midway keeps the groups read so far and
    reports it; one that is stopped, or in which the client breaks down, leaves nothing. Raises
    LiveError if the cluster cannot be reached at the start, PipelineError if the folder cannot be
    locked or written.
    """
    interval_s = options.interval.total_seconds()
    reader = _Reader(properties, options.timeout.total_seconds(), stop)
    with alone_in(options.out):
        cluster_id = reader.call(Cluster.id)
        name = options.cluster or cluster_id
        first, beat, polls = time.monotonic(), 0, 0
        while not stop.is_set():
            try:
                say(reader.call(_snapshot, name, options.group, options.out))
            except LiveError as error:
                remove_unfinished(options.out)
                if not stop.is_set():
                    say(f"No snapshot this time: {error}")
            polls += 1
            if polls == options.snapshots:
                break
            beat = _next_beat(beat, time.monotonic() - first, interval_s, say)
            stop.wait(first + beat * interval_s - time.monotonic())
    if stop.is_set():
        say("Stopped on request; every file is complete.")


@dataclass(frozen=True)
class _Reader:
    """Reads the cluster in a process of its own, which librdkafka may crash."""

    properties: Properties
    timeout_s: float
    stop: threading.Event

    def call(self, read: Callable[..., _Result], *arguments: object) -> _Result:
        """Return ``read(cluster, *arguments)``. Raises LiveError."""
        options = ReadOptions(timeout_s=self.timeout_s)
        try:
            result: _Result = call(
                connected,
                *(read, dict(self.properties), options, None, *arguments),
                checks=(self._check,),
                is_limited=False,
            )
        except DiedError as error:
            raise LiveError(BROKE_OFF) from error
        return result

    def _check(self) -> None:
        if self.stop.is_set():
            raise CancelledError(CANCELLED)


def _snapshot(cluster: Cluster, name: str, wanted: Sequence[str], out: Path) -> str:
    """Write one snapshot; return what became of it."""
    poll = Poll(name=name, wanted=wanted)
    try:
        file, rows = write_snapshot(out, datetime.now(UTC), poll.batches(cluster))
    except OSError as error:
        return f"No snapshot this time: {error.filename or out}: {error.strerror}."
    return _line(poll, file, rows)


def _line(poll: Poll, file: Path | None, rows: int) -> str:
    line = f"{poll.groups:,} groups, {rows:,} rows"
    line += f" -> {file}" if file else "; nothing to write"
    if poll.unread:
        reasons = "; ".join(f"{each.id}: {each.why}" for each in poll.unread[:_NAMED])
        line += f"; {len(poll.unread):,} groups could not be read ({reasons})"
    if poll.error:
        line += f"; the poll ended early: {poll.error}"
    return line


def _next_beat(beat: int, passed_s: float, interval_s: float, say: Callable[[str], None]) -> int:
    """Return the next beat in the future; report beats that a slow poll missed.

    >>> _next_beat(3, 3.5, 1.0, print), _next_beat(3, 4.0, 1.0, print)
    (4, 4)
    >>> _next_beat(3, 5.5, 1.0, lambda line: print(line[:48]))
    That poll took longer than 1 s; 2 were left out.
    6
    """
    ahead = max(beat + 1, math.ceil(passed_s / interval_s))
    if ahead > beat + 1:
        say(
            f"That poll took longer than {interval_s:g} s; {ahead - beat - 1} were left out. "
            "A longer --interval or fewer groups would help."
        )
    return ahead
