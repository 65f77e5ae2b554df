"""What is packed before Spark is there counts once, and only if Spark lists the same files."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from pyspark.sql import SparkSession

from pipeline import pieces
from pipeline.early import Asked, Done, Early, _packed, begun
from pipeline.packed import packed_telemetry
from pipeline.packets.shelves import keeper, taken
from pipeline.pieces import Sized, packed_task, pieces_of, sized
from pipeline.reading.files import input_files
from tests.pipeline.telemetry import write_parquet


def _ended(asked: Asked, files: list[Sized]) -> Done:
    """Let the thread do all it can, then end it."""
    with begun(asked) as early:
        early.work.result(60)
        return early.end(files)


def _files(spark: SparkSession, *paths: Path) -> list[Sized]:
    return sized(spark, input_files(spark, [str(path) for path in paths]))


def _rows(done: Done) -> Counter[str]:
    held = (batch for packet in done.rows for kind, batch in taken(packet) if kind == "rows")
    return Counter(repr(row) for batch in held for row in batch.to_pylist())


def _stopped_after(tasks: int, asked: Asked, files: list[Sized]) -> Early:
    """Return what has packed so many tasks when it is ended."""
    cut, wanted, keep = pieces_of(files), asked.wanted(files), keeper(asked.shelves)
    done = [row for task in range(tasks) for row in packed_task(cut, task, wanted, keep)]
    work: Future[tuple[Sequence[Sized], Done]] = Future()
    work.set_result((files, Done(tasks, done)))
    return Early(Event(), work)


def test_a_folder_is_listed_as_spark_lists_it(spark: SparkSession, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in", 1)
    for hidden in ("_temporary", ".cache", "deep"):
        write_parquet(source / hidden / "deeper", 2)
    (source / ".crc").write_text("x")
    (source / "_SUCCESS").write_text("")
    (source / "notes.txt").write_text("x")
    link = tmp_path / "link"
    link.symlink_to(source)
    lone = next(source.glob("*.parquet"))
    asked = Asked([str(link), str(lone)], shelves=tmp_path / "shelves")

    done = _ended(asked, _files(spark, link, lone))

    assert done.tasks
    assert _rows(done)


@pytest.mark.parametrize("change", ["longer", "more", "glob"])
def test_what_was_packed_of_other_files_is_dropped(
    spark: SparkSession, tmp_path: Path, change: str
) -> None:
    source = write_parquet(tmp_path / "in", 1)
    path = f"{source}/*" if change == "glob" else str(source)
    asked = Asked([path], shelves=tmp_path / "shelves")

    with begun(asked) as early:
        early.work.result(60)
        if change == "longer":
            with next(source.glob("*.parquet")).open("ab") as file:
                file.write(b"x")
        if change == "more":
            write_parquet(source / "later", 2)
        done = early.end(_files(spark, source))

    assert done == Done()


def test_a_folder_that_is_not_there_is_left_to_spark(tmp_path: Path) -> None:
    assert _ended(Asked([str(tmp_path / "gone")]), []) == Done()


def test_a_link_to_nothing_ends_no_run(tmp_path: Path) -> None:
    (tmp_path / "gone.parquet").symlink_to(tmp_path / "nothing")

    assert _ended(Asked([str(tmp_path)], shelves=tmp_path / "shelves"), []) == Done()


def test_packing_ends_when_it_is_told_to(spark: SparkSession, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in", 1)
    stop = Event()
    stop.set()

    with ThreadPoolExecutor(1) as thread:
        asked = Asked([str(source)], shelves=tmp_path / "shelves")
        early = Early(stop, thread.submit(_packed, asked, stop))

    assert early.end(_files(spark, source)) == Done()
    assert not (tmp_path / "shelves").exists()


@pytest.mark.parametrize("tasks", [0, 2, 5])
def test_every_piece_is_packed_once_whoever_does_it(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tasks: int
) -> None:
    source = write_parquet(tmp_path / "in", 1, 2)
    monkeypatch.setattr(pieces, "_SHORT_BYTES", 2_000)
    asked = Asked([str(source)], shelves=tmp_path / "shelves")
    files = _files(spark, source)
    whole = _ended(asked, files)
    assert whole.tasks == 5

    found = packed_telemetry(spark, asked, _stopped_after(tasks, asked, files))

    assert _rows(Done(0, found.packets.table().to_batches())) == _rows(whole)
    assert found.rows_in == _rows(whole).total()
