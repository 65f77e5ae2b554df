"""What our strategies cost: time here, memory in an interpreter of their own."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from assignors import numbering
from assignors.model import Group
from assignors.registry import STRATEGIES, Protocol
from assignors.rules import check
from benchmarks.measuring import Budget, Cost, Measured, medians, repeated, timed
from benchmarks.workloads import Case, Event, Shape, Subscriptions

_STATUS: Final = Path("/proc/self/status")
_FORGET_PEAK: Final = "5"
"""What Linux takes in ``clear_refs`` to start the peak anew at what is held now."""


def measure(strategy: str, group: Group, budget: Budget) -> Measured:
    """Return the medians; every run starts from a group with nothing worked out before.

    The first run, which may compile, does not count; its answer is checked.
    """
    entry = STRATEGIES[strategy]
    owners = entry.assign(replace(group))
    check(group, owners, complete=entry.protocol is not Protocol.COOPERATIVE)
    runs = repeated(lambda: timed(partial(entry.assign, replace(group))), budget)
    costs = [cost for cost, _ in runs]
    return Measured(medians(costs), len(costs), owners)


def memory_mb(case: Case) -> float | None:
    """Return the most memory that the group and its assigning hold, above the interpreter's.

    Measured in a process of its own; None where the system does not tell.
    """
    if not _STATUS.exists():
        return None
    *sizes, subscriptions = case.shape
    words = (case.strategy, case.event.name, subscriptions.name, *map(str, sizes))
    command = [sys.executable, "-m", "benchmarks.ours", *words]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(finished.stdout)


def _memory_mb_here(case: Case) -> float:
    """Measure in this process, whose peak is forgotten once the group stands."""
    interpreter = _status_mb("VmRSS")
    group = case.group()
    group = replace(group)  # what was worked out on the way is not part of the question
    Path("/proc/self/clear_refs").write_text(_FORGET_PEAK, encoding="ascii")
    STRATEGIES[case.strategy].assign(group)
    return _status_mb("VmHWM") - interpreter


def _told(strategy: str, event: str, subscriptions: str, *sizes: str) -> Case:
    """Return the case that ``memory_mb`` put into words."""
    topics, partitions_each, members = map(int, sizes)
    shape = Shape(topics, partitions_each, members, Subscriptions[subscriptions])
    return Case(strategy, shape, Event[event])


def _status_mb(field: str) -> float:
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    kibibytes = next(line.split()[1] for line in lines if line.startswith(field + ":"))
    return int(kibibytes) * 1024 / 1e6


def build_costs(large: Shape, budget: Budget) -> dict[str, Cost]:
    """Return what it costs to ask: a small and a large group from arrays, the large from names."""
    topics, members = [f"t{t}" for t in range(4)], [f"c{m:02}" for m in range(10)]
    counts, lags, owners = np.full(4, 25), np.arange(100), np.arange(100) % 10
    group = large.group()
    topic_records, member_records = numbering.topics_of(group), numbering.members_of(group)

    def small() -> None:
        for _ in range(1_000):
            Group.of(topics, counts, members, lags=lags, owners=owners)

    def from_arrays() -> None:
        Group.of(group.topics, group.topic_sizes, group.members, lags=group.lags)

    def from_names() -> None:
        numbering.group_of(topic_records, member_records)

    return {
        "1,000 groups of 100 partitions and 10 members, from arrays": _cost(small, budget),
        f"{large}, from arrays": _cost(from_arrays, budget),
        f"{large}, from records of names": _cost(from_names, budget),
    }


def _cost(action: Callable[[], None], budget: Budget) -> Cost:
    return medians([cost for cost, _ in repeated(partial(timed, action), budget)])


if __name__ == "__main__":
    print(_memory_mb_here(_told(*sys.argv[1:])))
