"""The cost of a command and its descendants: seconds, processor time, memory."""

import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import psutil

_LOOK_EVERY_S: Final = 0.1


class FailedError(Exception):
    """A command that failed; the message holds its last lines of output."""


@dataclass
class Spent:
    """What a command and its descendants used."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    """Missing what a process spent in its last tenth of a second."""
    peak_mb: dict[str, float] = field(default_factory=dict)
    """Resident memory at its peak: ``main``, ``java``, ``workers`` (all other together)."""


class _Process(NamedTuple):
    """One process now."""

    pid: int
    name: str
    cpu_s: float
    resident_mb: float


def watched(command: Sequence[str], log: Path) -> Spent:
    """Run the command to its end, its output into the log; raise FailedError if it fails."""
    spent, cpu_s = Spent(), dict[int, float]()
    started = time.perf_counter()
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as main:
        while main.poll() is None:
            held = dict.fromkeys(("main", "java", "workers"), 0.0)
            for process in family(main.pid):
                cpu_s[process.pid] = process.cpu_s
                kind = "main" if process.pid == main.pid else "workers"
                held["java" if process.name == "java" else kind] += process.resident_mb
            spent.peak_mb = {kind: max(spent.peak_mb.get(kind, 0.0), held[kind]) for kind in held}
            time.sleep(_LOOK_EVERY_S)
    spent.wall_s, spent.cpu_s = time.perf_counter() - started, sum(cpu_s.values())
    if main.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise FailedError("; ".join(lines[-3:]))
    return spent


def cost_s(action: Callable[[], object]) -> tuple[float, float]:
    """Run the action; return its seconds and the CPU-seconds of this process and all below it."""
    started, spent_s = time.perf_counter(), _cpu_s()
    action()
    return time.perf_counter() - started, _cpu_s() - spent_s


def family(main: int | None = None) -> list[_Process]:
    """Return a process, this one if none is named, and all that descend from it."""
    living = []
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(main)
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess), each.oneshot():
                times, memory = each.cpu_times(), each.memory_info()
                cpu_s = times.user + times.system
                living.append(_Process(each.pid, each.name(), cpu_s, memory.rss / 2**20))
    return living


def _cpu_s() -> float:
    return sum(process.cpu_s for process in family())
