"""Messages laid down on a disk that all workers reach: Spark then carries only where they are."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from pipeline.packets.messages import message


class Kept(NamedTuple):
    """A message, or the bytes of a file where it lies."""

    message: bytes | None = None
    path: str | None = None
    start: int | None = None
    stop: int | None = None


Keep: TypeAlias = Callable[[pa.RecordBatch], Kept]


def keeper(folder: Path | None) -> Keep:
    """Return what makes messages of one task: in a file of its own, or without a folder none."""
    return _Shelf(folder).keep if folder else _in_hand


def taken(packets: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the kind of each packet, and what it holds."""
    files: dict[str, pa.MemoryMappedFile] = {}
    columns = (packets[name].to_pylist() for name in ("kind", "path", "start", "stop"))
    for number, (kind, path, start, stop) in enumerate(zip(*columns, strict=True)):
        content = packets["message"][number].as_buffer()
        if path is not None:
            if path not in files:
                files[path] = pa.memory_map(path)
            content = files[path].read_at(stop - start, start)
        for batch in pa.ipc.open_stream(content):
            yield kind, batch


def _in_hand(batch: pa.RecordBatch) -> Kept:
    return Kept(message(batch))


class _Shelf:
    """A file that one task fills; a task that is tried again leaves two."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{secrets.token_hex(8)}.arrows"
        self._file: pa.NativeFile | None = None

    def keep(self, batch: pa.RecordBatch) -> Kept:
        """Append a message."""
        if self._file is None:
            self._path.parent.mkdir(exist_ok=True)
            self._file = pa.OSFile(str(self._path), "wb")
        start = self._file.tell()
        with pa.ipc.new_stream(self._file, batch.schema) as stream:
            stream.write_batch(batch)
        return Kept(None, str(self._path), start, self._file.tell())
