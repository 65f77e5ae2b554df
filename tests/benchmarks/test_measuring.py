"""The cost of a command as the kernel reports it, in CPU time rather than elapsed time."""

import sys
from itertools import count
from pathlib import Path

import pytest

from benchmarks.measuring import Cost, FailedError, Repeats, markdown, repeated, watched

_BURN = "import time\nwhile time.process_time() < 0.6: pass"


def test_what_children_spend_and_hold_counts_too(tmp_path: Path) -> None:
    held = f"held = bytearray(60_000_000)\n{_BURN}"
    child = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {held!r}], check=True)"

    spent = watched([sys.executable, "-c", child], tmp_path / "log")

    assert spent.cpu_s > 0.3
    assert spent.wall_s > 0.3
    assert spent.peak_mb["workers"] > 55
    assert 1 < spent.peak_mb["main"] < 55
    assert spent.peak_mb["java"] == 0


def test_a_failed_command_reports_its_last_lines(tmp_path: Path) -> None:
    with pytest.raises(FailedError, match="no such table"):
        watched([sys.executable, "-c", "raise SystemExit('no such table')"], tmp_path / "log")


@pytest.mark.parametrize(("budget_s", "runs"), [(0.0, 3), (5.0, 5), (9.0, 7)])
def test_runs_end_with_the_budget_but_never_before_the_third(budget_s: float, runs: int) -> None:
    numbers = count(1)

    def run() -> tuple[Cost, int]:
        number = next(numbers)
        return Cost(cpu_s=number, wall_s=1.0), number

    cost, answer = repeated(run, Repeats(runs=7, budget_s=budget_s))

    assert next(numbers) == runs + 1
    assert cost == Cost(cpu_s=(1 + runs) / 2, wall_s=1.0)
    assert answer == 1


def test_a_table_is_aligned_and_shows_what_a_row_lacks() -> None:
    text = markdown([{"what": "a", "s": "1"}, {"what": "long", "MB": "20"}])

    assert text.splitlines() == [
        "| what |  s | MB |",
        "| ---- | -: | -: |",
        "| a    |  1 |  - |",
        "| long |  - | 20 |",
    ]
