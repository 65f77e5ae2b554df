"""What a stream waits for before its watermark moves."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipeline.backlog import Arrived, Backlog
from pipeline.lake import Lake


def files_in(folder: Path, number: int) -> list[Path]:
    """Return as many files of a folder, in order."""
    folder.mkdir(exist_ok=True)
    files = [folder / f"{each}.jsonl" for each in range(number)]
    for file in files:
        file.write_text("{}")
    return files


def test_a_file_that_is_removed_before_it_is_read_is_not_waited_for(
    spark: SparkSession, tmp_path: Path
) -> None:
    source, lake = tmp_path / "in", Lake(str(tmp_path / "out"))
    source.mkdir()
    (tmp_path / "out").mkdir()
    (source / "unread.jsonl").write_text("{}")
    backlog = Backlog(lake, "_stream/0", str(source), most=1)
    some, full = (Arrived(n, is_wide=False, goes_back=False) for n in (0, 1))

    waits_at_first = [backlog.remains(spark, arrived) for arrived in (some, full, some)]
    (source / "unread.jsonl").unlink()

    assert waits_at_first == [False, True, True]
    assert not backlog.remains(spark, some)


def read(lake: Lake, number: int, *files: Path) -> None:
    """Note these files as Spark does once a batch has them."""
    log = Path(lake.output, "_stream/0/sources/0")
    log.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps({"path": f"file://{file}", "batchId": number}) for file in files)
    (log / f"{number}").write_text("\n".join(["v1", *lines]))


@pytest.mark.parametrize(
    ("arrived", "waits"),
    [
        (Arrived(1, is_wide=False, goes_back=False), False),
        (Arrived(2, is_wide=False, goes_back=False), True),
        (Arrived(1, is_wide=True, goes_back=False), True),
        (Arrived(1, is_wide=False, goes_back=True), False),  # late, where there is no backlog
    ],
)
def test_after_a_full_or_a_wide_batch_what_else_is_there_is_waited_for(
    spark: SparkSession, tmp_path: Path, arrived: Arrived, waits: bool
) -> None:
    lake, (first, _) = Lake(str(tmp_path / "out")), files_in(tmp_path / "in", 2)
    read(lake, 0, first)
    backlog = Backlog(lake, "_stream/0", str(first.parent), most=2)

    assert backlog.remains(spark, arrived) is waits


@pytest.mark.parametrize("goes_back", [True, False])
def test_what_comes_meanwhile_belongs_to_a_backlog_whose_rows_go_back_in_time(
    spark: SparkSession, tmp_path: Path, goes_back: bool
) -> None:
    lake, (first, second) = Lake(str(tmp_path / "out")), files_in(tmp_path / "in", 2)
    (tmp_path / "out").mkdir()
    backlog = Backlog(lake, "_stream/0", str(first.parent), most=9)
    backlog.find(spark)
    files_in(tmp_path / "in", 3)
    read(lake, 0, first)
    narrow = Arrived(1, is_wide=False, goes_back=False)
    assert backlog.remains(spark, narrow)
    read(lake, 1, second)

    assert backlog.remains(spark, narrow._replace(goes_back=goes_back)) is goes_back
