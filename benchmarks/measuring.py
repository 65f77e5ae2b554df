"""Measure the cost of functions and commands, and format tables of costs."""

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Final, NamedTuple, TypeVar

import psutil

from assignors.model import Group

_FEWEST_RUNS: Final = 3
_LOOK_EVERY_S: Final = 0.1
_WHOLE: Final = 100
"""Figures of at least this size are shown without decimals."""
_Answer = TypeVar("_Answer")


class Cost(NamedTuple):
    """The cost of one run."""

    cpu_s: float
    """CPU time, which other work on the machine hardly affects."""
    wall_s: float


class Repeats(NamedTuple):
    """When to stop repeating: after this many runs, or after this time with at least three runs."""

    runs: int
    budget_s: float


def anew(group: Group) -> Group:
    """Return the group without what was computed from it."""
    layout, claims, offsets = replace(group.layout), replace(group.claims), replace(group.offsets)
    return replace(group, layout=layout, claims=claims, offsets=offsets)


def timed(
    action: Callable[[], _Answer], cpu_s: Callable[[], float] = time.process_time
) -> tuple[Cost, _Answer]:
    """Run the action once; return its cost, with CPU time from the given clock, and its result."""
    cpu, wall = cpu_s(), time.perf_counter()
    answer = action()
    return Cost(cpu_s() - cpu, time.perf_counter() - wall), answer


def medians(costs: Iterable[Cost]) -> Cost:
    """Return the median of each kind of cost."""
    return Cost(*map(median, zip(*costs, strict=True)))


def repeated(run: Callable[[], tuple[Cost, _Answer]], budget: Repeats) -> tuple[Cost, _Answer]:
    """Repeat the run until the budget is spent; return the median cost and the first result."""
    cost, answer = run()
    costs = [cost]
    while len(costs) < budget.runs and (
        len(costs) < _FEWEST_RUNS or sum(cost.wall_s for cost in costs) < budget.budget_s
    ):
        costs.append(run()[0])
    return medians(costs), answer


class FailedError(Exception):
    """A command failed; the message contains the last lines of its output."""


class Spent(NamedTuple):
    """The resources used by a command and its descendants."""

    wall_s: float
    cpu_s: float
    """Excludes the last tenth of a second of each process."""
    peak_mb: Mapping[str, float]
    """Peak resident memory of ``main``, ``java``, ``workers`` (all others together), ``worker``."""


def watched(command: Sequence[str], log: Path) -> Spent:
    """Run the command with its output in the log; raise FailedError if it fails."""
    kinds = ("main", "java", "workers", "worker")
    cpu_s, peak_mb = dict[int, float](), dict.fromkeys(kinds, 0.0)
    started = time.perf_counter()
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as main:
        while main.poll() is None:
            held_mb = dict.fromkeys(peak_mb, 0.0)
            for process in family(main.pid):
                cpu_s[process.pid] = process.cpu_s
                kind = "main" if process.pid == main.pid else "workers"
                held_mb["java" if process.name == "java" else kind] += process.resident_mb
                if kind == "workers" and "python" in process.name:
                    held_mb["worker"] = max(held_mb["worker"], process.resident_mb)
            peak_mb = {kind: max(peak_mb[kind], held_mb[kind]) for kind in peak_mb}
            time.sleep(_LOOK_EVERY_S)
    wall_s = time.perf_counter() - started
    if main.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise FailedError("; ".join(lines[-3:]))
    return Spent(wall_s, sum(cpu_s.values()), peak_mb)


class _Process(NamedTuple):
    """The state of one process."""

    pid: int
    name: str
    cpu_s: float
    ended_cpu_s: float
    """Of its children that have ended."""
    resident_mb: float


def family(main: int | None = None) -> list[_Process]:
    """Return a process, by default this one, and all its descendants."""
    living = []
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(main)
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess), each.oneshot():
                times, memory = each.cpu_times(), each.memory_info()
                cpu_s = times.user + times.system
                ended_cpu_s = times.children_user + times.children_system
                living.append(
                    _Process(each.pid, each.name(), cpu_s, ended_cpu_s, memory.rss / 2**20)
                )
    return living


class LargestWorker(Thread):
    """Watches, until told to stop, the descendants of this process that run Python."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_mb = 0.0
        """The most memory that one of them held."""
        self._ended = Event()

    def run(self) -> None:
        """Watch."""
        while not self._ended.wait(_LOOK_EVERY_S):
            workers = (p for p in family() if "python" in p.name and p.pid != os.getpid())
            self.peak_mb = max(self.peak_mb, *(p.resident_mb for p in workers), 0.0)

    def stop(self) -> float:
        """Stop watching; return the peak, in MB."""
        self._ended.set()
        self.join()
        return self.peak_mb


def family_cpu_s() -> float:
    """Return the CPU seconds so far of this process and its descendants, ended ones too."""
    return sum(process.cpu_s + process.ended_cpu_s for process in family())


def three_digits(value: float) -> str:
    """Return a number with three significant digits."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= _WHOLE else f"{value:.3g}"


def markdown(rows: Iterable[Mapping[str, str]]) -> str:
    """Return a Markdown table, all columns but the first right-aligned.

    Missing cells are ``-``.
    """
    rows = list(rows)
    head = list(dict.fromkeys(name for row in rows for name in row))
    cells = [head, *([row.get(name, "-") for name in head] for row in rows)]
    widths = [max(2, *map(len, column)) for column in zip(*cells, strict=True)]
    lines = [[row[0].ljust(widths[0]), *(map(str.rjust, row[1:], widths[1:]))] for row in cells]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])
