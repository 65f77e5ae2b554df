"""A day replaced by corrected files, compared with tables that had them from the start."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pipeline.conflicts import ConflictError
from pipeline.day import DayRun
from pipeline.errors import PipelineError
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run
from tests.pipeline.lakes import SharedLake
from tests.pipeline.replay.fleets import Row, at
from tests.pipeline.test_runs import FIGURES, NAMES, everything_in, lake_in, micro, write

_DAY_S = 86_400
_NOON_S = 43_200
FIRST, SECOND = (at(day * _DAY_S + _NOON_S).date() for day in range(2))


def rows_of(day: int, lag_of_first: int = 10, *, file: str = "0") -> list[Row]:
    """Return the rows of two groups at two snapshots of a day; the lag of a partition decides."""
    return [
        {
            "cluster": "eu",
            "group_id": f"g{group}",
            "snapshot_at": at(day * _DAY_S + _NOON_S + snapshot * 3_600),
            "topic": "t",
            "partition": partition,
            "log_end_offset": 1_000 + day,
            "committed_offset": 1_000 - (20, lag_of_first)[partition == 0] * (1 + partition),
            "member_id": f"c{(partition + day) % 3}",
            "file": file,
        }
        for snapshot in range(2)
        for group in range(2)
        for partition in range(5)
    ]


def replaced(spark: SparkSession, lake: Lake, folder: Path) -> dict[str, Any]:
    run = DayRun(spark, lake, NAMES, Progress(), day=SECOND, base=latest_of(lake))
    return run.publish([str(folder)])


def files_before(lake: Lake) -> dict[str, set[str]]:
    """Return the published files of the first day."""
    versions = latest_of(lake)["versions"]
    return {
        name: set(lake.of_days(name, versions[name], FIRST, FIRST)["path"].to_pylist())
        for name in ("telemetry", *FIGURES)
    }


def test_a_replaced_day_gives_the_tables_of_a_run_that_had_it_from_the_start(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    known = {"1": rows_of(0), "2": rows_of(1), "3": rows_of(2)}
    wrong = [row for name, rows in known.items() for row in ({**r, "file": name} for r in rows)]
    right = [*wrong[:20], *rows_of(1, 900, file="2"), *wrong[40:]]
    Run(spark, lake, NAMES, Progress()).batch([str(write(tmp_path / "wrong", wrong))])
    Run(spark, whole, NAMES, Progress()).batch([str(write(tmp_path / "right", right))])
    before, kept = everything_in(lake, "group_summary"), files_before(lake)
    again = rows_of(1, 900)

    run = replaced(spark, lake, write(tmp_path / "day", [*again, *again[:1], *rows_of(2)[:2]]))

    for table in ("telemetry", *FIGURES, "checkpoint", "recommendation"):
        assert everything_in(lake, table) == everything_in(whole, table), table
    assert everything_in(lake, "group_summary") != before
    assert files_before(lake) == kept
    reasons = {each["reason"]: each["rows"] for each in json.loads(run["quality"])["rejected"]}
    assert reasons == {"another day": 2, "repeated row": 1}
    assert (run["rows_in"], run["rows_used"], run["rows_rejected"]) == (63, 60, 3)
    assert (run["snapshots"], run["last_snapshot"]) == (12, at(2 * _DAY_S + _NOON_S + 3_600))


@pytest.mark.proof
def test_a_stream_goes_on_after_a_day_was_replaced(spark: SparkSession, tmp_path: Path) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    right = write(tmp_path / "right", rows_of(1, 900))
    for target in (lake, whole):
        second = right if target is whole else write(tmp_path / "wrong", rows_of(1))
        for number, folder in enumerate((write(tmp_path / "1", rows_of(0)), second)):
            micro(spark, target, number, folder, lateness_s=600)
    third = write(tmp_path / "3", rows_of(2))

    run = replaced(spark, lake, right)

    assert (run["kind"], run["rows_pending"]) == ("stream", latest_of(whole)["rows_pending"])
    for target in (lake, whole):
        micro(spark, target, 2, third, lateness_s=0)
    for table in ("telemetry", *FIGURES, "checkpoint", "recommendation"):
        assert everything_in(lake, table) == everything_in(whole, table), table
    counts = ("rows_in", "rows_used", "rows_rejected", "rows_pending", "snapshots", "groups")
    assert [latest_of(lake)[n] for n in counts] == [latest_of(whole)[n] for n in counts]


@pytest.mark.proof
@pytest.mark.parametrize("is_day_added", [False, True])
def test_a_stream_goes_on_after_a_run(
    spark: SparkSession, tmp_path: Path, is_day_added: bool
) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    first, second, third = (write(tmp_path / f"{day}", rows_of(day)) for day in range(3))
    Run(spark, whole, NAMES, Progress()).batch([*map(str, (first, second, third))])
    Run(spark, lake, NAMES, Progress()).batch(
        [*map(str, [first] if is_day_added else [first, second])]
    )
    if is_day_added:
        replaced(spark, lake, second)
    late = write(tmp_path / "late", [{**rows_of(1)[-1], "partition": 5}])

    micro(spark, lake, 0, late, lateness_s=0)
    run = micro(spark, lake, 1, third, lateness_s=0)

    assert run is not None
    assert (run["rows_in"], run["rows_rejected"], run["rows_pending"]) == (61, 1, 0)
    for table in ("telemetry", *FIGURES, "checkpoint", "recommendation"):
        assert everything_in(lake, table) == everything_in(whole, table), table


@pytest.mark.proof
def test_a_day_replaced_beside_another_writer_changes_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    Run(spark, lake, NAMES, Progress()).batch([str(write(tmp_path / "in", rows_of(1)))])
    before = everything_in(lake)

    with pytest.raises(ConflictError, match="something else wrote to the table group_summary"):
        replaced(spark, SharedLake(lake.output), write(tmp_path / "day", rows_of(1, 900)))

    assert everything_in(lake) == before


def test_a_day_without_a_usable_row_stays_unless_that_is_wanted(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, days = lake_in(tmp_path / "out"), [*rows_of(0), *rows_of(1)]
    Run(spark, lake, NAMES, Progress()).batch([str(write(tmp_path / "in", days))])
    before = everything_in(lake)
    blank = tmp_path / "blank.jsonl"
    blank.write_text("\n")
    future, empty = write(tmp_path / "future", rows_of(1)), tmp_path / "empty.jsonl"
    empty.touch()

    def published(folder: Path, *, is_wanted: bool = False) -> dict[str, Any]:
        """Publish where the clock is twelve hours before the rows of the day."""
        run = DayRun(
            spark, lake, NAMES, Progress(),
            day=SECOND, base=latest_of(lake), started=at(_DAY_S), allow_empty=is_wanted,
        )  # fmt: skip
        return run.publish([str(folder)])

    stays = "tables stay as they are"
    for place, says in ((empty, "nothing to read"), (blank, stays), (future, stays)):
        with pytest.raises(PipelineError, match=says):
            published(place)
        assert everything_in(lake) == before
    wanted = published(future, is_wanted=True)

    assert {row["day"] for row in lake.rows("group_summary").to_pylist()} == {FIRST}
    assert (wanted["rows_in"], wanted["rows_used"], wanted["rows_rejected"]) == (40, 20, 20)
    reasons = {each["reason"]: each["rows"] for each in json.loads(wanted["quality"])["rejected"]}
    assert reasons == {"ahead of the clock": 20}


def test_of_a_day_what_is_ahead_of_the_clock_is_left_out(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    Run(spark, lake, NAMES, Progress()).batch([str(write(tmp_path / "in", rows_of(0)))])
    day = write(tmp_path / "day", rows_of(1))
    between = at(_DAY_S + _NOON_S + 1_800)

    run = DayRun(
        spark, lake, NAMES, Progress(), day=SECOND, base=latest_of(lake), started=between
    ).publish([str(day)])

    assert (run["rows_used"], run["rows_rejected"]) == (30, 10)
    assert run["last_snapshot"] == at(_DAY_S + _NOON_S)
