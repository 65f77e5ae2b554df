"""Telemetry packed while Spark starts, which takes seconds and leaves a core with nothing to do."""

import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

import pyarrow as pa

from pipeline.packets.piece import Wanted
from pipeline.packets.shelves import keeper
from pipeline.pieces import Sized, bucket_count, packable, packed_task, pieces_of, task_count
from pipeline.reading.files import InputFile

_PLAIN: Final = re.compile(r"[A-Za-z0-9_./=+-]+")
"""What Spark takes as it stands: no glob, no address, nothing to be encoded."""
_HIDDEN: Final = ("_", ".")


class Asked(NamedTuple):
    """What a run is to read."""

    paths: Sequence[str]
    since: date | None = None
    """The first UTC day to use."""
    shelves: Path | None = None
    """A folder that all workers reach, for the packets; without one Spark carries them."""

    def wanted(self, files: Sequence[Sized]) -> Wanted:
        """Return what is wanted of these files, which are all there are."""
        since_us = None
        if self.since:
            since = datetime.combine(self.since, time(), UTC)
            since_us = int(since.timestamp()) * 1_000_000
        return Wanted(since_us, bucket_count(files), self.shelves)


class Done(NamedTuple):
    """What is packed."""

    tasks: int = 0
    """So many of the tasks of ``pieces_of``, the first ones."""
    rows: Sequence[pa.RecordBatch] = ()
    """Their packets, as rows of ``PACKETS``."""


@dataclass(frozen=True)
class Early:
    """Packing that goes on beside Spark's start."""

    stop: Event
    work: "Future[tuple[Sequence[Sized], Done]]"

    def end(self, files: Sequence[Sized]) -> Done:
        """Return what is done; nothing if it was not done on the very files that Spark lists."""
        self.stop.set()
        listed, done = self.work.result()
        return done if listed == files else Done()


@contextmanager
def begun(asked: Asked) -> Iterator[Early]:
    """Pack in a thread, until the end is asked for, at the latest on leaving."""
    stop = Event()
    with ThreadPoolExecutor(1, "packing") as thread:
        try:
            yield Early(stop, thread.submit(_packed, asked, stop))
        finally:
            stop.set()


def _packed(asked: Asked, stop: Event) -> tuple[Sequence[Sized], Done]:
    files = _listed(asked.paths)
    near = packable(files)
    if not near:
        return files, Done()
    pieces, wanted, keep = pieces_of(near), asked.wanted(files), keeper(asked.shelves)
    rows: list[pa.RecordBatch] = []
    for task in range(task_count(pieces)):
        if stop.is_set():
            return files, Done(task, tuple(rows))
        rows += packed_task(pieces, task, wanted, keep)
    return files, Done(task_count(pieces), tuple(rows))


def _listed(paths: Sequence[str]) -> list[Sized]:
    """Return the files that Spark will very likely list, as ``input_files`` and ``sized`` do."""
    if not all(map(_PLAIN.fullmatch, paths)):
        return []
    names = {name for path in paths for name in _below(Path(path).absolute())}
    encoded = sorted(f"file:{name}" for name in names)
    files = (InputFile(number, name) for number, name in enumerate(encoded))
    try:
        return [Sized(file, Path(file.name).stat().st_size, is_near=True) for file in files]
    except OSError:  # one has gone, or is a link to nothing
        return []


def _below(path: Path) -> Iterator[str]:
    if path.is_file():
        yield str(path)
    for folder, folders, files in os.walk(path, followlinks=True):
        folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
        yield from (f"{folder}/{name}" for name in files if not name.startswith(_HIDDEN))
