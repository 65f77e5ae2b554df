"""Outputs that cannot be written: each command says so in a sentence, and publishes nothing."""

import os
import random
import sys
from collections.abc import Callable, Iterator
from errno import EACCES, EFBIG
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.processes import finished, pipeline
from tests.pipeline.telemetry import STRATEGIES, rows_of_day, tables_in, write_parquet

_AS_OTHERS: Final = """
import ctypes, os, sys
for capability in (1, 2):  # root's, which modes of files do not bind
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
_FULL: Final = ["sh", "-c", 'ulimit -f 64; trap "" XFSZ; exec "$@"', "sh"]
"""No file may become larger than this, in blocks: as on a full disk, a large write fails."""


@pytest.fixture
def output(run: Callable[[Path, Path], Path], tmp_path: Path) -> Path:
    """Return the tables of a day; a stream would add another one."""
    return run(write_parquet(tmp_path / "first", 1), tmp_path / "out")


@pytest.fixture
def arriving(tmp_path: Path) -> Path:
    """Return a folder with a day whose rows compress badly."""
    source, chance = tmp_path / "in", random.Random(0)  # noqa: S311 -- no secret
    source.mkdir()
    rows = [
        {**row, "group_id": f"g{chance.random()}", "log_end_offset": chance.randrange(2**40)}
        for row in rows_of_day(2)
        for _ in range(40)
    ]
    pq.write_table(pa.Table.from_pylist(rows, arrow_schema(TELEMETRY)), source / "2.parquet")
    return source


@pytest.fixture
def read_only(output: Path) -> Iterator[Path]:
    """Return the tables, in folders in which nobody may write."""
    folders = [output, *(place for place in output.rglob("*") if place.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield output
    for folder in folders:
        folder.chmod(0o755)


def words_of(name: str, source: Path, output: Path) -> list[str]:
    reads = ["--input", source, "--strategies", *STRATEGIES, "--master", "local[2]"]
    further = {"run": reads, "stream": [*reads, "--available-now"], "maintain": []}
    return pipeline(name, "--output", output, *further[name])


def told(words: list[str]) -> str:
    """Return the only line that a failing command writes of itself."""
    ended = finished(words)
    assert ended.returncode == 1
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("pipeline: ")]
    assert "Traceback" not in ended.stderr
    return line


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("run", "Mkdirs failed to create "),
        ("stream", os.strerror(EACCES)),
        ("maintain", os.strerror(EACCES)),
    ],
)
def test_a_folder_that_may_not_be_written_is_told_with_its_cause(
    read_only: Path, arriving: Path, name: str, cause: str
) -> None:
    before = tables_in(read_only)

    line = told([sys.executable, "-c", _AS_OTHERS, *words_of(name, arriving, read_only)])

    assert cause in line
    assert tables_in(read_only) == before


@pytest.mark.proof
@pytest.mark.parametrize("name", ["run", "stream"])
def test_a_full_disk_is_told_with_its_cause(output: Path, arriving: Path, name: str) -> None:
    before = tables_in(output)

    line = told([*_FULL, *words_of(name, arriving, output)])

    assert f"{output}/" in line
    assert line.endswith(f": {os.strerror(EFBIG)}")
    assert tables_in(output) == before
