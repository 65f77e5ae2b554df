"""The pipeline as users start it, in processes of its own, to be watched and killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.pipeline.telemetry import STRATEGIES

REPOSITORY: Final = Path(__file__).resolve().parents[2]
_PROC: Final = Path("/proc")
_SESSION_FIELD: Final = 3


def command(source: Path, output: Path, *further: str) -> list[str]:
    """Return the command for a run that tells its progress as JSON."""
    arguments = ["--input", str(source), "--output", str(output), "--strategies", STRATEGIES]
    return [sys.executable, "-m", "pipeline", "run", *arguments, "--progress", "json", *further]


@contextmanager
def started(
    words: Sequence[str], cwd: Path = REPOSITORY, environ: Mapping[str, str] = os.environ
) -> Iterator["subprocess.Popen[str]"]:
    """Start a process in a session of its own, of which nothing is left at the end."""
    with subprocess.Popen(  # noqa: S603 - our own program, or Spark's
        words,
        cwd=cwd,
        env=environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            kill(process)


def await_stage(process: "subprocess.Popen[str]", stage: str) -> None:
    """Read the progress until a stage begins."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("{") and json.loads(line)["stage"] == stage:
            return
    message = f"the run ended before {stage!r}"
    raise AssertionError(message)


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill -9 a process, its Java and its workers: these have groups of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for each in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = each.read_text().rpartition(")")[2].split()
            if int(fields[_SESSION_FIELD]) == process.pid:
                os.kill(int(each.parent.name), signal.SIGKILL)
    process.wait()
