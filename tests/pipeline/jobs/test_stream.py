"""The stream as people start it: killed anywhere and started again, it loses nothing."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.pipeline.streaming.test_micro_batch import (
    BY_DAY,
    FIRST,
    SECOND,
    THIRD,
    WITH_FILE,
    Row,
    published,
    replayed_at_once,
    snapshot,
)

ROOT = Path(__file__).resolve().parents[3]
WAIT_S = 240
FOURTH = snapshot(20, "aabc", 300)


def arrive(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """Let a whole file appear, as the collector does."""
    folder.mkdir(exist_ok=True)
    aside = folder / f".{name}"
    schema = WITH_FILE.remove(WITH_FILE.get_field_index("file"))
    given = [
        dict.fromkeys(schema.names) | {k: v for k, v in row.items() if k != "file"} for row in rows
    ]
    pq.write_table(pa.Table.from_pylist(given, schema), aside)
    aside.rename(folder / f"{name}.parquet")


@contextmanager
def started(folder: Path, out: Path) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(  # noqa: S603 -- our own program
        [
            *(sys.executable, "-m", "pipeline", "stream", "--master", "local[2]"),
            *("--input", str(folder), "--output", str(out)),
            *("--strategies", "range,sticky", "--trigger", "1s"),
        ],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                kill(process)


def line_with(process: "subprocess.Popen[str]", pattern: str) -> str:
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if re.search(pattern, line):
            return line
    message = f"no line with {pattern!r} in:\n{''.join(said)}"
    raise AssertionError(message)


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill the process and all it started, as the machine's power would."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(WAIT_S)


@pytest.mark.timeout(600)
def test_killed_between_and_within_batches_the_tables_are_those_of_an_undisturbed_run(
    tmp_path: Path,
) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    arrive(folder, "first", SECOND + FIRST[:2])
    with started(folder, out) as first:
        line_with(first, "^batch 0: 8 rows in so far")
        arrive(folder, "second", FIRST[2:] + THIRD)
        wait_for_version(out, 2)
        kill(first)

    with started(folder, out) as second:
        line_with(second, "^batch 1: 14 rows in so far; 8 settled, 6 pending, 0 rejected")
        arrive(folder, "third", FOURTH + THIRD[:1])
        last = line_with(second, "^batch 2: ")
        second.send_signal(signal.SIGTERM)
        line_with(second, "stopped")
        second.wait(WAIT_S)

    assert "19 rows in so far; 12 settled, 6 pending, 1 rejected" in last
    for table in BY_DAY:
        everything = FIRST + SECOND + THIRD + FOURTH
        assert published(out, table) == replayed_at_once(everything, table)


def wait_for_version(out: Path, versions: int) -> None:
    """Wait until the next version is being written."""
    until = time.monotonic() + WAIT_S
    while len(list((out / "_versions").iterdir())) < versions:
        assert time.monotonic() < until
        time.sleep(0.05)
