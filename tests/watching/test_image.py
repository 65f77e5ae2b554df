"""The steps of the Dockerfile, run in a fresh environment: both commands start from the wheel."""

import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.patience import await_
from tests.watching.test_command import fetched, watching

ROOT = Path(__file__).resolve().parents[2]
STEPS = re.findall(r"^([A-Z]+) (.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)


def test_the_image_is_that_of_a_supported_python_and_runs_as_nobody_in_particular() -> None:
    words = dict(STEPS)

    assert words["FROM"] == "python:3.11-slim"
    assert words["USER"] == "assignments"
    assert words["ENTRYPOINT"] == '["kafka-assignments"]'


def test_everything_that_is_copied_is_let_through() -> None:
    let_through = [
        line[1:]
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    copied = [word for step, words in STEPS if step == "COPY" for word in words.split()[:-1]]

    assert copied == let_through


@pytest.mark.proof
@pytest.mark.timeout(1_800)
def test_both_commands_start_in_an_environment_made_by_its_steps(tmp_path: Path) -> None:
    """As root in the image, so ``/tmp`` and ``python`` are those of the fresh environment here."""
    made, copied = tmp_path / "made", tmp_path / "copied"
    venv.create(made, with_pip=True)
    copied.mkdir()
    wheel = ["wheel", str(ROOT), "--no-deps", "--no-build-isolation", "-q", "-w", str(copied)]
    subprocess.run([sys.executable, "-m", "pip", *wheel], check=True)  # noqa: S603 -- pip
    shutil.copy(ROOT / "requirements-page.txt", copied)

    for step, words in STEPS:
        if step == "RUN" and words.startswith("python"):
            here = words.replace("/tmp/", f"{copied}/")  # noqa: S108 -- the image's own
            here = here.replace("python", str(made / "bin" / "python")).replace(
                "--no-cache-dir", ""
            )
            subprocess.run(["sh", "-ec", here], check=True, cwd=tmp_path)  # noqa: S603, S607 -- the step

    command = made / "bin" / "kafka-assignments"
    for part in ("watch", "dashboard"):
        shown = subprocess.run(  # noqa: S603 -- our own program
            [command, part, "--help"], check=True, cwd=tmp_path, capture_output=True, text=True
        )
        assert "--" in shown.stdout
    words = ("--bootstrap-server", "127.0.0.1:9", "--interval", "1s", "--timeout", "1s")
    with watching(*words, command=[str(command)], cwd=tmp_path) as (process, url):
        await_(lambda: fetched(f"{url}/-/ready")[0] == 200)
        assert "\nkafka_assignments_up 0.0\n" in fetched(f"{url}/metrics")[1]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
