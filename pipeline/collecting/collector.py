"""The collector: a round each interval, through broker restarts, until stopped."""

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from live.cluster import Cluster, connect
from live.errors import LiveError
from live.properties import Properties
from live.read_options import ReadOptions
from pipeline.collecting.files import alone_in, write_snapshot
from pipeline.collecting.rounds import Round, utc_now

_NAMED: Final = 3
"""So many groups that cannot be read are named in a round's line."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to collect, how often, and where to."""

    properties: Properties
    out: Path
    interval_s: float = 60.0
    wanted: Sequence[str] = ()
    """Names of groups, or patterns; none: all groups."""
    name: str | None = None
    """The cluster's name in telemetry; None: its own id."""
    snapshots: int | None = None
    """Stop after this many rounds; None: never."""
    timeout_s: float = 15.0


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
        file, rows = write_snapshot(plan.out, utc_now(), round_.batches(cluster))
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
