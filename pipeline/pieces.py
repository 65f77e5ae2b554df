"""Files cut for the tasks that read them, and how finely what they hold is dealt."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- Spark's own name for it

from pipeline.packets.packet import Packet
from pipeline.packets.packing import KINDS, packed
from pipeline.packets.piece import Piece, Wanted
from pipeline.packets.shelves import Keep
from pipeline.reading import InputFile
from pipeline.reading.files import PATH

_PIECE_BYTES: Final = 24 << 20
"""About as many rows as are dealt at once: shorter pieces make more and smaller packets."""
_FEWEST_PIECES: Final = 8
"""So many also where there is less, for each core to have some; but none shorter than these."""
_SHORT_BYTES: Final = 4 << 20
_BUCKET_BYTES: Final = 5 << 19
"""Of Parquet, about as many rows as a task replays."""
_BUCKETS: Final = range(8, 4_097)
_PLAIN_TEXT: Final = 10
"""How many times longer the same rows are as text that is not compressed."""
_COMPRESSED: Final = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
ENDLESS: Final = 1 << 62
"""Where a piece stops that is a file to its end."""
_IN_PIECES: Final = ("csv", "json", "parquet")
_PIECES: Final = pa.schema(
    [
        ("task", pa.int32()),
        ("file", pa.int32()),
        ("kind", pa.string()),
        ("path", pa.string()),
        ("start", pa.int64()),
        ("stop", pa.int64()),
    ]
)


class Sized(NamedTuple):
    """A file and its length in bytes."""

    file: InputFile
    size: int
    is_near: bool
    """Whether workers can open it themselves."""


def sized(spark: SparkSession, files: Sequence[InputFile]) -> list[Sized]:
    """Return how long files are: from the disk, or as Spark tells."""
    sizes = {file.number: _size_on_disk(file) for file in files}
    far = [file for file in files if sizes[file.number] is None]
    told = _told_sizes(spark, far) if far else {}
    return [
        Sized(file, told.get(file.encoded, 0), is_near=False)
        if (size := sizes[file.number]) is None
        else Sized(file, size, is_near=True)
        for file in files
    ]


def bucket_count(files: Sequence[Sized]) -> int:
    """Return into how many buckets the groups of files are dealt."""
    size = sum(each.size // _weight(each.file) for each in files)
    return min(max(size // _BUCKET_BYTES, _BUCKETS.start), _BUCKETS.stop - 1)


def pieces_of(files: Sequence[Sized]) -> pa.Table:
    """Return the pieces of near files, those of one task together about as long as one piece."""
    size = sum(each.size // _weight(each.file) for each in files)
    length = min(max(size // _FEWEST_PIECES, _SHORT_BYTES), _PIECE_BYTES)
    return pa.Table.from_pylist(list(_pieces(files, length)), _PIECES)


def packable(files: Sequence[Sized]) -> list[Sized]:
    """Return the files that workers may read without Spark."""
    return [each for each in files if kind_of(each.file) in KINDS]


def task_count(pieces: pa.Table) -> int:
    """Return in how many tasks pieces are read."""
    return int(pieces["task"][-1].as_py()) + 1


def packed_task(
    pieces: pa.Table, task: int, wanted: Wanted, keep: Keep
) -> Iterator[pa.RecordBatch]:
    """Yield the packets of a task's pieces, each as a row of ``PACKETS``."""
    for row in pieces.filter(pc.equal(pieces["task"], task)).to_pylist():
        piece = Piece(row["file"], row["kind"], row["path"], row["start"], row["stop"])
        yield from map(Packet.row, packed(piece, wanted, keep))


def _pieces(files: Sequence[Sized], length: int) -> Iterator[dict[str, int | str]]:
    before = 0
    for file, size, _ in files:
        weight, kind = _weight(file), kind_of(file)
        step = length * weight if kind in _IN_PIECES else ENDLESS
        for start in range(0, max(size, 1), step):
            yield {
                "task": (before + start // weight) // length,
                "file": file.number,
                "kind": kind,
                "path": file.name,
                "start": start,
                "stop": start + step,
            }
        before += size // weight


def kind_of(file: InputFile) -> str:
    """Return what a file holds and, if it is compressed as a whole, how: ``json.gz``.

    >>> kind_of(InputFile(0, "file:/a.jsonl.gz"))
    'json.gz'
    """
    how = next(filter(file.name.lower().endswith, _COMPRESSED), "")
    return f"{file.kind}{how}"


def _weight(file: InputFile) -> int:
    return _PLAIN_TEXT if kind_of(file) in {"json", "csv"} else 1


def _size_on_disk(file: InputFile) -> int | None:
    """Return the length of a file that workers can open themselves; None: they cannot."""
    if not file.encoded.startswith("file:"):
        return None
    try:
        return Path(file.name).stat().st_size
    except OSError:
        return None


def _told_sizes(spark: SparkSession, files: Sequence[InputFile]) -> dict[str, int]:
    found = spark.read.format("binaryFile").load([file.pattern for file in files])
    rows = found.select("length", F.col("_metadata.file_path").alias(PATH)).collect()
    return {row[PATH]: row["length"] for row in rows}
