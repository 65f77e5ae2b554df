"""Which times are already there: each file's name says from when to when it holds snapshots."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from live.prometheus.series import TimeGrid

_DAY_S: Final = 86_400
_NAME: Final = re.compile(r"metrics-([0-9a-f]{8})-(\d{8}T\d{6})Z-(\d{8}T\d{6})Z\.parquet")
_FORMAT: Final = "%Y%m%dT%H%M%S"


def mark_of(parts: Sequence[object]) -> str:
    """Return what tells files of one source and question from those of another, 8 hex digits."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:8]


def file_of(folder: Path, mark: str, window: TimeGrid) -> Path:
    """Return the file of a window, in the folder of its day."""
    begin, end = (datetime.fromtimestamp(each, UTC) for each in (window.start_s, window.end_s))
    name = f"metrics-{mark}-{begin:{_FORMAT}}Z-{end:{_FORMAT}}Z.parquet"
    return folder / f"{begin:%Y-%m-%d}" / name


def missing(folder: Path, mark: str, window: TimeGrid) -> Iterator[TimeGrid]:
    """Yield the times of a window that no file has, day by day, in order."""
    step = window.step_s
    start = window.start_s
    for begin, end in [*_covered(folder, mark), (window.end_s + step, window.end_s + step)]:
        yield from _days(TimeGrid(start, min(begin, window.end_s + step) - step, step))
        start = max(start, -(-(end + 1) // step) * step)


def _covered(folder: Path, mark: str) -> list[tuple[int, int]]:
    names = (_NAME.fullmatch(file.name) for file in folder.glob("*/metrics-*.parquet"))
    return sorted((_seconds(n[2]), _seconds(n[3])) for n in names if n is not None and n[1] == mark)


def _days(window: TimeGrid) -> Iterator[TimeGrid]:
    start, step = window.start_s, window.step_s
    while start <= window.end_s:
        midnight = (start // _DAY_S + 1) * _DAY_S
        end = min(window.end_s, (midnight - 1) // step * step)
        yield window._replace(start_s=start, end_s=end)
        start = end + step


def _seconds(text: str) -> int:
    return int(datetime.strptime(text, _FORMAT).replace(tzinfo=UTC).timestamp())
