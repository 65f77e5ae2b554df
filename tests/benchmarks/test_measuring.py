"""What a command costs, by the kernel's own account. Commands burn processor time, not seconds."""

import sys
from pathlib import Path

import pytest

from benchmarks.measuring import FailedError, watched

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


def test_a_command_that_fails_says_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(FailedError, match="no such table"):
        watched([sys.executable, "-c", "raise SystemExit('no such table')"], tmp_path / "log")
