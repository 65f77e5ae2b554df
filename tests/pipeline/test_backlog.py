"""What a stream waits for before its watermark moves."""

from pathlib import Path

from pyspark.sql import SparkSession

from pipeline.backlog import Arrived, Backlog
from pipeline.lake import Lake


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
