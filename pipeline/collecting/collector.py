"""The collector: a round each interval, through broker restarts, until stopped."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import pyarrow as pa

from live.cluster import Cluster, connect
from live.errors import LiveError
from live.groups import list_groups
from live.model import Unread
from live.properties import Properties
from live.read_options import ReadOptions
from live.reading import read_groups
from pipeline.collecting.files import alone_in, write_snapshot
from pipeline.collecting.rows import telemetry_rows

_NAMED: Final = 3
"""So many groups that cannot be read are named in a round's line."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to collect, how often, and where to."""

    properties: Properties
    out: Path
    interval_s: float
    wanted: Sequence[str]
    """Names of groups, or patterns such as ``orders-*``; none: all groups."""
    name: str | None
    """The cluster's name in telemetry; None: its own id."""
    snapshots: int | None
    """Stop after this many rounds; None: never."""
    timeout_s: float


@dataclass(kw_only=True)
class Round:
    """The outcome of a round, updated as its batches are consumed."""

    name: str
    """The cluster's name in telemetry."""
    wanted: Sequence[str]
    groups: int = 0
    unread: list[Unread] = field(default_factory=list)
    error: LiveError | None = None
    """Why the round ended early; groups read before it are complete."""

    def batches(self, cluster: Cluster) -> Iterator[pa.RecordBatch]:
        """Yield the rows of each group; record and skip groups that cannot be read."""
        try:
            for group in read_groups(cluster, self._chosen(cluster)):
                if isinstance(group, Unread):
                    self.unread.append(group)
                    continue
                self.groups += 1
                yield telemetry_rows(self.name, datetime.now(UTC), group)
        except LiveError as error:
            self.error = error

    def _chosen(self, cluster: Cluster) -> list[str] | None:
        has_patterns = any(sign in name for name in self.wanted for sign in "*?[")
        if not has_patterns:
            return list(self.wanted) or None
        listed = [group.id for group in list_groups(cluster).groups]
        return [g for g in listed if any(fnmatchcase(g, pattern) for pattern in self.wanted)]


def collect(plan: Plan, stop: threading.Event, say: Callable[[str], None]) -> None:
    """Append a snapshot each interval until ``stop`` is set, or there are as many as planned.

    A round that fails midway keeps the groups read before and says so; the next one
    connects anew. Raises LiveError if the cluster cannot be reached in the first place,
    PipelineError if the folder cannot be had.
    """
    read_options = ReadOptions(timeout_s=plan.timeout_s, is_cancelled=stop.is_set)
    with alone_in(plan.out):
        met = connect(plan.properties, read_options)
        name = plan.name or met.id()
        cluster: Cluster | None = met
        first, beat, rounds = time.monotonic(), 0, 0
        while not stop.is_set():
            cluster = _round(plan, name, cluster, read_options, say)
            rounds += 1
            if rounds == plan.snapshots:
                break
            beat = _next_beat(beat, time.monotonic() - first, plan.interval_s, say)
            stop.wait(first + beat * plan.interval_s - time.monotonic())
    if stop.is_set():
        say("Stopped on request; every file is complete.")


def _round(
    plan: Plan,
    name: str,
    cluster: Cluster | None,
    read_options: ReadOptions,
    say: Callable[[str], None],
) -> Cluster | None:
    """Take one snapshot and return the connection, None if it has to be made anew."""
    round_ = Round(name=name, wanted=plan.wanted)
    try:
        cluster = cluster or connect(plan.properties, read_options)
        file, rows = write_snapshot(plan.out, datetime.now(UTC), round_.batches(cluster))
    except LiveError as error:
        say(f"No snapshot this time: {error}")
        return None
    except OSError as error:
        say(f"No snapshot this time: {error.filename or plan.out}: {error.strerror}.")
        return cluster
    say(_line(round_, file, rows))
    return None if round_.error else cluster


def _line(round_: Round, file: Path | None, rows: int) -> str:
    line = f"{round_.groups:,} groups, {rows:,} rows"
    line += f" -> {file}" if file else "; nothing to write"
    if round_.unread:
        reasons = "; ".join(f"{each.id}: {each.why}" for each in round_.unread[:_NAMED])
        line += f"; {len(round_.unread):,} groups could not be read ({reasons})"
    if round_.error:
        line += f"; the round ended early: {round_.error}"
    return line


def _next_beat(beat: int, passed_s: float, interval_s: float, say: Callable[[str], None]) -> int:
    """Return the next beat that lies ahead; beats missed by a slow round are reported.

    >>> _next_beat(3, 3.5, 1.0, print), _next_beat(3, 4.0, 1.0, print)
    (4, 4)
    >>> _next_beat(3, 5.5, 1.0, lambda line: print(line[:49]))
    That round took longer than 1 s; 2 were left out.
    6
    """
    ahead = max(beat + 1, math.ceil(passed_s / interval_s))
    if ahead > beat + 1:
        say(
            f"That round took longer than {interval_s:g} s; {ahead - beat - 1} were left out. "
            "A longer --interval or fewer groups would help."
        )
    return ahead
