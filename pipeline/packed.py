"""Telemetry to packets on Spark: what is plain without rows in Java, all else judged there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- Spark's own name for it

from pipeline.carried import MOST_IN_HAND, Batches, InHand, Packets, Work, computed
from pipeline.early import Asked, Done, Early
from pipeline.frames import framed
from pipeline.packets.messages import opened
from pipeline.packets.packet import EARLY, LINES, PACKETS, ROWS, SEEN, UNUSABLE, Packet
from pipeline.packets.packing import packed
from pipeline.packets.piece import Piece, Seen, Wanted
from pipeline.packets.shelves import keeper, taken
from pipeline.packets.workers import spare_imports
from pipeline.pieces import (
    ENDLESS,
    Sized,
    kind_of,
    packable,
    packed_task,
    pieces_of,
    sized,
    task_count,
)
from pipeline.reading import InputFile, Telemetry
from pipeline.reading.files import PATH, input_files, numbers_of
from pipeline.reading.parts import left_out
from pipeline.reading.telemetry import telemetry_of
from pipeline.row_packets import judged_packets
from schemas.arrow import arrow_schema
from schemas.replay import UNUSED
from schemas.tables import REJECTED

_CONTENT_BYTES: Final = 128 << 20
"""A file that workers cannot open themselves goes to them whole, up to this size."""
_LINES: Final = "file INT, line STRING"


@dataclass(frozen=True)
class Packed:
    """The telemetry of a run."""

    packets: Packets
    """The usable rows on or after the first day wanted, of the kind ``ROWS``."""
    unusable: Packets
    """Those that cannot be used, of the kind ``UNUSABLE``."""
    judged: Telemetry
    """What was read row by row; its ``files`` and ``lost`` are those of the whole run."""
    buckets: int
    """Into how many they are dealt."""
    rows_in: int
    """Rows of all files, counted apart from ``packets``."""
    rows_early: int
    notes: tuple[str, ...]

    def unused(self) -> list[DataFrame]:
        """Return what cannot be used, as ``schemas.replay.UNUSED``, if there is any."""
        if self.judged.is_empty or not self.unusable.may_have(UNUSABLE):
            return []
        return [self.unusable.opened(UNUSABLE, UNUSED)]

    def rejected(self, unused: Sequence[DataFrame]) -> DataFrame:
        """Return the table ``rejected``: what cannot be used, and the files that are lost."""
        spark, judged = self.judged.checked.sparkSession, self.judged
        named = (rows.withColumn("file", judged.name_of(F.col("file"))) for rows in unused)
        lost = framed(spark, REJECTED, judged.lost_files)
        return reduce(DataFrame.unionByName, named, lost)


def packed_telemetry(spark: SparkSession, asked: Asked, early: Early | None = None) -> Packed:
    """Read telemetry, but for what was packed early.

    JSON Lines and Parquet with telemetry's own types never become rows in Spark. Rows that are
    not plainly usable, other files, and files that are damaged or foreign are judged by
    ``pipeline.reading``.
    """
    files = input_files(spark, asked.paths)
    lengths = sized(spark, files)
    wanted, done = asked.wanted(lengths), early.end(lengths) if early else Done()
    found = _packets(spark, packable(lengths), wanted, done)
    seen = _seen(found)
    plain = {number: each for number, each in seen.items() if not each.problem}
    others = [file for file in files if file.number not in plain]
    counted = found.of_files(list(plain))
    has_lines = any(each.lines for each in plain.values())
    lines = counted.opened(LINES, _LINES) if has_lines else None
    judged = telemetry_of(spark, files, others, asked.since, lines)
    if not judged.is_empty:
        counted = counted.plus(judged_packets(judged.checked, wanted.buckets, asked.shelves))
    return Packed(
        packets=counted.of(ROWS),
        unusable=counted.of(UNUSABLE),
        buckets=wanted.buckets,
        judged=judged,
        rows_in=judged.rows_in + sum(each.rows for each in plain.values()),
        rows_early=_early(counted, asked) + sum(each.early for each in plain.values()),
        notes=(*judged.notes, *_notes(files, plain)),
    )


def _packets(spark: SparkSession, files: Sequence[Sized], wanted: Wanted, done: Done) -> Packets:
    """Return the packets of files that are packable."""
    near = [each for each in files if each.is_near]
    far = [each.file for each in files if not each.is_near]
    frames, tasks = [], len(far)
    if near:
        pieces = pieces_of(near)
        if left := task_count(pieces) - done.tasks:
            frame = spark.range(done.tasks, done.tasks + left, 1, left)
            frames.append(frame.mapInArrow(_reading_of(pieces, wanted), PACKETS))
        tasks += task_count(pieces)
    if far:
        kinds = {file.number: kind_of(file) for file in far}
        frames.append(_whole(spark, far).mapInArrow(_reading(kinds, wanted), PACKETS))
    early = pa.Table.from_batches(done.rows, arrow_schema(PACKETS))
    if wanted.shelves and tasks * wanted.buckets <= MOST_IN_HAND:
        return reduce(InHand.plus, frames, InHand(spark, early))
    return computed(reduce(DataFrame.unionByName, frames, framed(spark, PACKETS, early)))


def _whole(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    """Return files with their content, for workers that cannot reach them but through Spark."""
    content = spark.read.format("binaryFile").load([file.pattern for file in files])
    small = content.where(F.col("length") <= _CONTENT_BYTES)
    named = small.select("content", F.col("_metadata.file_path").alias(PATH))
    return named.join(F.broadcast(numbers_of(spark, files)), on=PATH, how="inner").select(
        "file", "content"
    )


def _reading_of(pieces: pa.Table, wanted: Wanted) -> Work:
    """Return what reads the pieces of the tasks that are numbered in ``id``."""

    def read(batches: Batches) -> Iterator[pa.RecordBatch]:
        spare_imports()
        keep = keeper(wanted.shelves)
        for task in (number for batch in batches for number in batch["id"]):
            yield from packed_task(pieces, task.as_py(), wanted, keep)

    return read


def _reading(kinds: Mapping[int, str], wanted: Wanted) -> Work:
    """Return what reads files that come with their content."""

    def read(batches: Batches) -> Iterator[pa.RecordBatch]:
        spare_imports()
        keep = keeper(wanted.shelves)
        for batch in batches:
            for file, content in zip(batch["file"], batch["content"], strict=True):
                number = file.as_py()
                piece = Piece(number, kinds[number], content.as_buffer(), 0, ENDLESS)
                yield from map(Packet.row, packed(piece, wanted, keep))

    return read


def _seen(found: Packets) -> dict[int, Seen]:
    """Return what there was in each file, by its number."""
    files: dict[int, Seen] = {}
    for batch in opened(found.of(SEEN).table()["message"]):
        for row in batch.to_pylist():
            piece = Seen(**row)
            file = files.setdefault(piece.file, Seen(piece.file))
            file.rows += piece.rows
            file.early += piece.early
            file.lines += piece.lines
            file.problem = file.problem or piece.problem
            file.extra = piece.extra
    return files


def _early(found: Packets, asked: Asked) -> int:
    """Return how many of the rows that were judged are before the first day wanted."""
    if not asked.since:
        return 0
    counts = (
        content for batch in found.of(EARLY).table().to_batches() for _, content in taken(batch)
    )
    return sum(pc.sum(content["early"]).as_py() for content in counts)


def _notes(files: Sequence[InputFile], plain: dict[int, Seen]) -> Iterator[str]:
    """Yield what a reader of the report should know: empty files, columns left out."""
    by_extra: dict[tuple[str, ...], list[int]] = {}
    for number, each in plain.items():
        if not each.rows:
            yield f"{files[number].name} has no rows"
        if each.extra:
            by_extra.setdefault(tuple(each.extra), []).append(number)
    for extra, numbers in by_extra.items():
        yield left_out(extra, [files[number] for number in numbers])
