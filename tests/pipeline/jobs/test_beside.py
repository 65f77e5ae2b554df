"""A stream, maintenance and replays beside each other, as processes: no row is lost."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.processes import await_of, finished, pipeline, started
from tests.pipeline.telemetry import STRATEGIES, rows_of_day, tables_in

_STRATEGIES = ["--strategies", *STRATEGIES, "--master", "local[2]"]


class Loop(threading.Thread):
    """Runs a command again and again until told to stop."""

    def __init__(self, pause_s: float, words: list[str]) -> None:
        super().__init__(daemon=True)
        self._pause_s, self._words = pause_s, words
        self.ended = threading.Event()
        self.said: list[str] = []
        """What the command said, for each time that it failed."""
        self.times = 0

    def run(self) -> None:
        while not self.ended.wait(self._pause_s):
            ended = finished(self._words)
            self.said += [ended.stderr] * (ended.returncode != 0)
            self.times += 1


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        pytest.param(2, 0, marks=pytest.mark.proof),
        pytest.param(5, 600, marks=[pytest.mark.deep, pytest.mark.timeout(3_600)]),
    ],
)
def test_a_stream_beside_maintenance_and_replays_loses_no_row(
    run: Callable[[Path, Path], Path], tmp_path: Path, times: int, seconds: int
) -> None:
    output, source, whole = tmp_path / "out", tmp_path / "in", tmp_path / "whole"
    lake, rows = Lake(str(output)), list[dict[str, Any]]()
    source.mkdir()
    whole.mkdir()
    words = pipeline("stream", "--input", source, "--output", output, *_STRATEGIES)
    others = [
        Loop(10, pipeline("maintain", "--output", output, "--keep-versions", "1h")),
        Loop(0, pipeline("replay", "--output", output, *_STRATEGIES)),
    ]

    with started([*words, "--trigger", "1s", "--lateness", "0s"]) as stream:
        rows += _arrive(source, 1)
        await_of(stream, lake.latest)
        for other in others:
            other.start()
        until, day = time.monotonic() + seconds, 1
        while time.monotonic() < until or min(other.times for other in others) < times:
            day += 1
            rows += _arrive(source, day)
            await_of(stream, lambda: latest_of(lake)["rows_in"] == len(rows))  # noqa: B023 -- now
        for other in others:
            other.ended.set()
            other.join()

    assert not any(other.said for other in others)
    last = max(row["snapshot_at"] for row in rows)
    _write(whole / "all.parquet", rows)
    wanted, found = tables_in(run(whole, tmp_path / "expected")), tables_in(output)
    names = ("telemetry", "partition_lag", "group_member", "member_load", "group_summary")
    for table in (*names, "rejected"):
        assert Counter(map(_without_file, found[table])) == Counter(
            map(_without_file, wanted[table])
        )
    assert latest_of(lake)["last_snapshot"] == last


def _arrive(source: Path, day: int) -> list[dict[str, Any]]:
    """Deliver a file; the snapshots of each follow those of the last."""
    rows = [
        {**row, "snapshot_at": row["snapshot_at"].replace(minute=day % 60, day=1 + day // 60)}
        for row in rows_of_day(1)
        if row["snapshot_at"].hour == 0
    ]
    aside = source / f".{day}"
    _write(aside, rows)
    aside.rename(source / f"{day}.parquet")
    return rows


def _write(file: Path, rows: list[dict[str, Any]]) -> None:
    pq.write_table(pa.Table.from_pylist(rows, arrow_schema(TELEMETRY)), file)


def _without_file(row: str) -> str:
    return row.partition("('file'")[0] + row.partition("('file'")[2].partition("), ")[2]
