"""What a command costs with everything it starts: seconds, processor time, memory; Linux only."""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")
_PAGE_MB: Final = os.sysconf("SC_PAGE_SIZE") / 2**20
_LOOK_EVERY_S: Final = 0.1
# Fields of /proc/PID/stat after the name in brackets.
_PARENT, _USER, _SYSTEM, _RESIDENT = 1, 11, 12, 21


class FailedError(Exception):
    """A command that did not end well; the message is what it said last."""


@dataclass
class Spent:
    """What a command and its descendants came to."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    """Missing what a process spent in its last tenth of a second."""
    peak_mb: dict[str, float] = field(default_factory=dict)
    """Resident memory at its peak: ``main``, ``java``, ``workers`` (all other together)."""


@dataclass(frozen=True)
class _Process:
    """One process as the kernel tells of it."""

    pid: int
    parent: int
    name: str
    cpu_s: float
    resident_mb: float


def watched(command: Sequence[str], log: Path) -> Spent:
    """Run the command to its end, its output into the log; raise FailedError if it fails."""
    spent, cpu_s = Spent(), dict[int, float]()
    started = time.perf_counter()
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as main:
        while main.poll() is None:
            _look(main.pid, spent, cpu_s)
            time.sleep(_LOOK_EVERY_S)
    spent.wall_s = time.perf_counter() - started
    spent.cpu_s = sum(cpu_s.values())
    if main.returncode:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise FailedError("; ".join(said[-3:]))
    return spent


def spent_by(main: int) -> float:
    """Return the CPU-seconds of a process and all that descend from it, those ended left out."""
    return sum(process.cpu_s for process in _family(main))


def spent_below(main: int) -> tuple[float, float]:
    """Return CPU-seconds and resident megabytes of all that descend from a process, not its own."""
    below = [process for process in _family(main) if process.pid != main]
    return sum(each.cpu_s for each in below), sum(each.resident_mb for each in below)


def _look(main: int, spent: Spent, cpu_s: dict[int, float]) -> None:
    """Note what the command's processes have spent until now, and what they hold."""
    held = dict.fromkeys(("main", "java", "workers"), 0.0)
    for process in _family(main):
        cpu_s[process.pid] = process.cpu_s
        kind = "main" if process.pid == main else "workers"
        held["java" if process.name == "java" else kind] += process.resident_mb
    for kind, resident_mb in held.items():
        spent.peak_mb[kind] = max(spent.peak_mb.get(kind, 0.0), resident_mb)


def _family(main: int) -> Iterator[_Process]:
    """Yield the process and all that descend from it."""
    by_parent: dict[int, list[_Process]] = {}
    for process in _all_processes():
        by_parent.setdefault(process.parent, []).append(process)
        if process.pid == main:
            yield process
    waiting = [main]
    while waiting:
        for child in by_parent.get(waiting.pop(), []):
            yield child
            waiting.append(child.pid)


def _all_processes() -> Iterator[_Process]:
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            told = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        name, _, rest = told.partition("(")[2].rpartition(")")
        facts = rest.split()
        yield _Process(
            pid=int(folder.name),
            parent=int(facts[_PARENT]),
            name=name,
            cpu_s=(int(facts[_USER]) + int(facts[_SYSTEM])) / _TICKS_A_SECOND,
            resident_mb=int(facts[_RESIDENT]) * _PAGE_MB,
        )
