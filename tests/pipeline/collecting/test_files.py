import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.collecting.files import alone_in, write_snapshot
from pipeline.collecting.rows import SCHEMA
from pipeline.errors import PipelineError

ROOT = Path(__file__).resolve().parents[3]
NOON = datetime(2026, 11, 20, 12, 0, 1, 5000, tzinfo=UTC)
ENDLESS = """
import sys, time
from pathlib import Path
from datetime import UTC, datetime
from pipeline.collecting.files import alone_in, write_snapshot
from tests.pipeline.collecting.test_files import batch

def batches():
    for _ in range(3):
        yield batch(200_000)
    print("under way", flush=True)
    time.sleep(600)

with alone_in(Path(sys.argv[1])):
    write_snapshot(Path(sys.argv[1]), datetime.now(UTC), [batch(1)])
    write_snapshot(Path(sys.argv[1]), datetime.now(UTC), batches())
"""


def batch(rows: int) -> pa.RecordBatch:
    columns = {name: [None] * rows for name in SCHEMA.names} | {"partition": list(range(rows))}
    return pa.RecordBatch.from_pydict(columns, SCHEMA)


def files(folder: Path) -> list[str]:
    """Return the names of all files that could be mistaken for snapshots."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.parquet"))


def test_a_snapshot_is_one_file_in_the_folder_of_its_day(tmp_path: Path) -> None:
    file, rows = write_snapshot(tmp_path, NOON, [batch(2), batch(3)])
    elsewhere = timezone(timedelta(hours=14))  # where the next day has already begun
    write_snapshot(tmp_path, (NOON + timedelta(days=1)).astimezone(elsewhere), [batch(1)])

    assert files(tmp_path) == [
        "2026-11-20/offsets-20261120T120001005Z.parquet",
        "2026-11-21/offsets-20261121T120001005Z.parquet",
    ]
    assert rows == 5
    assert pq.read_table(file).schema == SCHEMA
    assert pq.read_table(file).num_rows == 5


def test_the_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    seen: list[str] = []

    def watched() -> Iterator[pa.RecordBatch]:
        for _ in range(3):
            seen.extend(path for path in files(tmp_path) if "/offsets-" in path)
            yield batch(150_000)

    _, rows = write_snapshot(tmp_path, NOON, watched())

    assert seen == []
    assert rows == 450_000
    assert len(files(tmp_path)) == 1


def test_a_snapshot_without_rows_leaves_no_file(tmp_path: Path) -> None:
    assert write_snapshot(tmp_path, NOON, []) == (None, 0)
    assert files(tmp_path) == []


def test_a_snapshot_that_breaks_leaves_no_file(tmp_path: Path) -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield batch(150_000)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_snapshot(tmp_path, NOON, broken())

    assert files(tmp_path) == []


def test_two_collectors_never_share_a_folder(tmp_path: Path) -> None:
    with alone_in(tmp_path), pytest.raises(PipelineError, match="Another collector writes to"):  # noqa: SIM117
        with alone_in(tmp_path):
            pass

    with alone_in(tmp_path):  # the lock is released with its holder
        pass


def test_a_folder_that_cannot_be_created_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(PipelineError, match=r"file/out cannot be written: Not a directory"):  # noqa: SIM117
        with alone_in(tmp_path / "file" / "out"):
            pass


def test_kill_9_loses_the_snapshot_under_way_and_nothing_else(tmp_path: Path) -> None:
    killed = subprocess.Popen(  # noqa: S603 -- our own program
        [sys.executable, "-c", ENDLESS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE
    )
    with killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == b"under way\n"
        killed.send_signal(signal.SIGKILL)

    (whole,) = (path for path in files(tmp_path) if "/offsets-" in path)
    assert pq.read_table(tmp_path / whole).num_rows == 1
    assert len(files(tmp_path)) == 2  # the unfinished one is hidden by its name
    with alone_in(tmp_path):
        assert files(tmp_path) == [whole]
