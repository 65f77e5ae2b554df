"""A program ends with all that it started, and with the process that started it."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from processes.scratch import Scratch
from processes.sessions import kill_session, run_until, started

ROOT = Path(__file__).resolve().parents[2]
FAMILY = "import subprocess, sys, time; subprocess.Popen(['sleep', '600']); print('up', flush=True)"
SUPERVISED = """
import subprocess
from processes.sessions import end_with_supervisor
end_with_supervisor()
child = subprocess.Popen(["sleep", "600"])
print(child.pid, flush=True)
child.wait()
"""
SUPERVISOR = f"""
import os, sys
from processes.sessions import started
started([sys.executable, "-c", {SUPERVISED!r}], os.environ).wait()
"""
MAKES_ONE = "from processes.scratch import Scratch; print(Scratch('mine-').folder)"


def test_a_session_is_killed_with_every_process_that_joined_it() -> None:
    words = [sys.executable, "-c", f"{FAMILY}; time.sleep(600)"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) as program:  # noqa: S603 -- our own words
        assert program.stdout is not None
        program.stdout.readline()
        family = [psutil.Process(program.pid), *psutil.Process(program.pid).children()]

        kill_session(program.pid)

    assert len(family) == 2
    _, alive = psutil.wait_procs(family, timeout=60)
    assert not alive


def test_a_program_ends_when_its_supervisor_is_killed() -> None:
    words = [sys.executable, "-c", SUPERVISOR]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT) as supervisor:  # noqa: S603 -- our own words
        assert supervisor.stdout is not None
        child = psutil.Process(int(supervisor.stdout.readline()))
        program = child.parent()
        assert program is not None

        supervisor.kill()

        _, alive = psutil.wait_procs([child, program], timeout=60)
    assert not alive


@pytest.mark.parametrize("stops", [[signal.SIGTERM], []])
def test_waiting_ends_with_a_stop_or_with_the_program(stops: list[int]) -> None:
    word = "time.sleep(600)" if stops else "pass"
    program = started([sys.executable, "-c", f"import time; {word}"], os.environ)

    waiting = threading.Thread(target=run_until, args=(program, stops))
    waiting.start()
    waiting.join()

    assert program.wait() == (-signal.SIGKILL if stops else 0)


def test_a_folder_is_kept_while_its_process_lives_and_swept_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    words = [sys.executable, "-c", MAKES_ONE]
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    left = Path(subprocess.check_output(words, cwd=ROOT, env=environ, text=True).strip())  # noqa: S603 -- our own words
    assert left.is_dir()
    other, mine = Scratch("others-"), Scratch("mine-")

    again = Scratch("mine-")

    assert not left.exists()
    assert [each.folder.exists() for each in (other, mine, again)] == [True] * 3
    mine.remove()
    assert not mine.folder.exists()
