"""The pipeline as users start it, in processes that tests watch and kill."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from typing import Final

from tests.patience import await_

REPOSITORY: Final = Path(__file__).resolve().parents[2]
PATIENCE_S: Final = 240


def pipeline(*words: object) -> list[str]:
    """Return the command line of a pipeline command."""
    return [sys.executable, "-m", "pipeline", *map(str, words)]


@contextmanager
def started(
    words: Sequence[str], cwd: Path = REPOSITORY, environ: Mapping[str, str] = os.environ
) -> Iterator["subprocess.Popen[str]"]:
    """Start a process; kill it and its descendants at the end."""
    with subprocess.Popen(  # noqa: S603 -- our own program, or Spark's
        words,
        cwd=cwd,
        env=environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            kill(process)


def await_of(process: "subprocess.Popen[str]", happens: Callable[[], object]) -> None:
    """Wait until a condition is true; fail with what a process said if it ends before."""
    await_(lambda: happens() or process.poll() is not None)
    if process.poll() is not None and not happens():
        raise AssertionError(process.communicate())


def finished(
    words: Sequence[str], environ: Mapping[str, str] = os.environ, patience_s: float = PATIENCE_S
) -> "subprocess.CompletedProcess[str]":
    """Run a process to completion."""
    return subprocess.run(  # noqa: S603 -- as above
        words,
        cwd=REPOSITORY,
        env=environ,
        text=True,
        capture_output=True,
        timeout=patience_s,
        check=False,
    )


def below(process: int) -> set[int]:
    """Return a process and all its running descendants."""
    parents = _parents()
    found, more = set[int](), {process}
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in more} - found
    return found & parents.keys()


def runs(process: int, word: str) -> bool:
    """Return whether a descendant has this word in its command."""
    for each in below(process) - {process}:
        with suppress(OSError):
            if word in Path(f"/proc/{each}/cmdline").read_text():
                return True
    return False


def alive(processes: set[int]) -> set[int]:
    """Return the processes that are still running, without zombies."""
    return processes & _parents().keys()


def _parents() -> dict[int, int]:
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(stat.parent.name)] = int(parent)
    return parents


def kill(process: "subprocess.Popen[str]") -> None:
    """Send SIGKILL to a process and all its descendants."""
    for each in below(process.pid):
        with suppress(ProcessLookupError):
            os.kill(each, SIGKILL)
    process.wait(PATIENCE_S)
