import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pipeline.errors import PipelineError
from pipeline.publishing import CURRENT, VERSIONS, Staging, staged
from schemas.tables import TABLES
from tests.pipeline.written import marks, write_all

_REPOSITORY: Final = Path(__file__).parents[2]
_WITH_DAY: Final = ("partition_lag", "group_member", "member_load", "group_summary")


def _run(spark: SparkSession, folder: Path, days: Mapping[int, str], *but: str) -> None:
    with staged(str(folder)) as staging:
        write_all(staging, days, but)
        staging.publish(spark, {"marks": list(days.values())})


def _fail_midway(staging: Staging) -> None:
    write_all(staging, {1: "b"})
    _ = 1 / 0


def test_nothing_is_seen_before_publishing_and_everything_after(
    spark: SparkSession, tmp_path: Path
) -> None:
    out = tmp_path / "new" / "out"

    with staged(str(out)) as staging:
        write_all(staging, {1: "a"})
        before = [table for table in TABLES if (out / table).exists()]
        staging.publish(spark, {"rows_in": 6})

    assert before == []
    assert {table: marks(out, table) for table in TABLES} == {
        table: {"2026-03-01" if table in _WITH_DAY else "": "a"} for table in TABLES
    }
    assert json.loads((out / "run_report.json").read_text()) == {"rows_in": 6}


def test_days_of_other_runs_are_carried_over_without_a_copy(
    spark: SparkSession, tmp_path: Path
) -> None:
    _run(spark, tmp_path, {1: "a", 2: "a"})
    before = (tmp_path / "group_summary" / "day=2026-03-01" / "part-0.parquet").stat()

    _run(spark, tmp_path, {2: "b", 3: "b"})

    after = (tmp_path / "group_summary" / "day=2026-03-01" / "part-0.parquet").stat()
    days = {"2026-03-01": "a", "2026-03-02": "b", "2026-03-03": "b"}
    assert {table: marks(tmp_path, table) for table in _WITH_DAY} == dict.fromkeys(_WITH_DAY, days)
    assert before.st_ino == after.st_ino


def test_a_run_speaks_for_its_days_in_every_table(spark: SparkSession, tmp_path: Path) -> None:
    _run(spark, tmp_path, {1: "a", 2: "a"})

    _run(spark, tmp_path, {2: "b"}, "member_load")

    assert marks(tmp_path, "member_load") == {"2026-03-01": "a"}


def test_what_speaks_of_the_whole_window_is_replaced(spark: SparkSession, tmp_path: Path) -> None:
    _run(spark, tmp_path, {1: "a"})

    _run(spark, tmp_path, {2: "b"}, "rejected")

    assert (marks(tmp_path, "recommendation"), marks(tmp_path, "rejected")) == ({"": "b"}, {})


def test_tables_without_rows_can_be_read(spark: SparkSession, tmp_path: Path) -> None:
    _run(spark, tmp_path, {}, *TABLES)

    assert [marks(tmp_path, table) for table in TABLES] == [{}] * len(TABLES)
    for table in TABLES:
        assert spark.read.parquet(str(tmp_path / table)).count() == 0


def test_a_run_that_fails_leaves_what_was_there(spark: SparkSession, tmp_path: Path) -> None:
    _run(spark, tmp_path, {1: "a"})

    with pytest.raises(ZeroDivisionError), staged(str(tmp_path)) as staging:
        _fail_midway(staging)

    assert marks(tmp_path, "group_summary") == {"2026-03-01": "a"}
    assert len(list((tmp_path / VERSIONS).iterdir())) == 1


def test_the_version_before_stays_until_the_next_run_starts(
    spark: SparkSession, tmp_path: Path
) -> None:
    _run(spark, tmp_path, {1: "a"})
    first = (tmp_path / CURRENT).resolve()

    _run(spark, tmp_path, {1: "b"})

    assert [path.name[:7] for path in sorted((tmp_path / VERSIONS).iterdir())] == [
        "000001-",
        "000002-",
    ]
    assert marks(first, "group_summary") == {"2026-03-01": "a"}
    with staged(str(tmp_path)):
        assert not first.exists()


def test_a_table_that_spark_wrote_elsewhere_is_not_published(
    spark: SparkSession, tmp_path: Path
) -> None:
    with (
        pytest.raises(PipelineError, match=r"wrote partition_lag, .*another machine's disk"),
        staged(str(tmp_path)) as staging,
    ):
        staging.publish(spark, {})

    assert not (tmp_path / CURRENT).exists()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("notes.txt", "holds other things (notes.txt) than"),
        ("group_summary/part.parquet", "holds other things (group_summary)"),
        ("_delta_log/0.json", "holds other things (_delta_log)"),
    ],
)
def test_a_folder_that_holds_other_things_is_left_alone(
    tmp_path: Path, name: str, told: str
) -> None:
    other = tmp_path / name
    other.parent.mkdir(exist_ok=True)
    other.write_text("precious")

    with pytest.raises(PipelineError) as caught, staged(str(tmp_path)):
        pass

    assert told in str(caught.value)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == [other]


def test_of_many_other_things_a_few_are_named(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / name).touch()

    with pytest.raises(PipelineError, match=r"holds other things \(a, b, c, \.\.\.\) than"):
        staged(str(tmp_path)).__enter__()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(PipelineError, match="file is a file; give a folder"):
        staged(str(tmp_path / "file")).__enter__()


def test_hidden_files_do_not_stand_in_the_way(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").write_text("")

    _run(spark, tmp_path, {1: "a"})

    assert marks(tmp_path, "group_summary") == {"2026-03-01": "a"}


def test_of_two_runs_at_once_the_second_says_so(tmp_path: Path) -> None:
    with staged(str(tmp_path)):  # a run before, whose number the lock forgets
        pass

    with (
        staged(str(tmp_path)),
        pytest.raises(PipelineError) as caught,
        staged(str(tmp_path)),
    ):
        pass

    assert str(caught.value) == (
        f"another run (process {os.getpid()}) is writing to {tmp_path}; "
        "wait for its end, or give another --output"
    )


@pytest.mark.parametrize("fails", [False, True])
def test_what_lasts_as_long_as_a_run_ends_with_it(
    spark: SparkSession, tmp_path: Path, *, fails: bool
) -> None:
    with suppress(ZeroDivisionError), staged(str(tmp_path)) as staging:
        assert staging.shelves
        staging.shelves.mkdir()
        (staging.shelves / "packets").write_text("x")
        if fails:
            _fail_midway(staging)
        write_all(staging, {1: "a"})
        staging.publish(spark, {})

    assert len(list((tmp_path / VERSIONS).iterdir())) == (0 if fails else 1)


def test_a_killed_run_neither_locks_the_folder_nor_leaves_anything(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pipeline.publishing import staged\n"
        "with staged(sys.argv[1]) as staging: staging.shelves.mkdir(); print('in', flush=True);"
        " time.sleep(600)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(  # noqa: S603 - ourselves
        command, stdout=subprocess.PIPE, cwd=_REPOSITORY
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in\n"
        abandoned = set((tmp_path / VERSIONS).iterdir())
        process.send_signal(signal.SIGKILL)

    with staged(str(tmp_path)):
        left = list((tmp_path / VERSIONS).iterdir())

    assert len(left) == 1
    assert not abandoned & set(left)  # its workers may still be writing there


def test_a_turn_that_was_cut_off_is_no_obstacle(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "_current.new").symlink_to("_versions/gone")
    (tmp_path / "group_summary").symlink_to("_current/group_summary")

    _run(spark, tmp_path, {1: "a"})

    assert marks(tmp_path, "group_summary") == {"2026-03-01": "a"}


def test_one_who_reads_all_the_time_sees_whole_versions_only(
    spark: SparkSession, tmp_path: Path
) -> None:
    _run(spark, tmp_path, {1: "0", 2: "0"})
    seen: list[set[str]] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            root = (tmp_path / CURRENT).resolve()
            try:
                found = [marks(root, table) for table in TABLES]
            except FileNotFoundError:  # it took longer to read than two runs to publish
                continue
            seen.append({f"{len(days)}{mark}" for days in found for mark in days.values()})

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(1, 40):
        _run(spark, tmp_path, {1: str(number), 2: str(number)})
    is_over.set()
    reader.join()

    assert len(seen) > 3
    for kinds in seen:
        versions = {kind[1:] for kind in kinds}
        assert len(versions) == 1
        assert kinds == {f"{days}{version}" for days in (1, 2) for version in versions}
