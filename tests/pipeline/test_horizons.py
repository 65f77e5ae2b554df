"""Every cluster of a stream has a watermark of its own, however far apart their files come."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from pyspark.sql import DataFrame, SparkSession

from pipeline.batches import MicroBatch
from pipeline.day import DayRun
from pipeline.horizons import NOTHING, Horizons, ReplayProgress, SeenSpan, reached_in
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.jobs.replay import replayed
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.replay.fleet import shares
from pipeline.runs import Run
from tests.pipeline.replay.fleets import Row, at
from tests.pipeline.test_runs import FIGURES, NAMES, everything_in, lake_in, micro, rows_in, write

_DAY_S: Final = 86_400
_TABLES: Final = ("telemetry", *FIGURES, "rejected", "checkpoint", "recommendation")


def of(cluster: str, *seconds: float, **more: object) -> list[Row]:
    """Return a snapshot of two partitions at each of these seconds."""
    about = {"cluster": cluster, "group_id": "g", "topic": "t", "file": cluster}
    return [
        {**about, "snapshot_at": at(s), "partition": p, "member_id": f"c{p}"}
        | {"log_end_offset": 100 + round(s) * (p + 1), "committed_offset": 50}
        | more
        for s in seconds
        for p in range(2)
    ]


def batches(
    spark: SparkSession, folder: Path, *arriving: Sequence[Row], lateness_s: int = 0
) -> Lake:
    """Publish each of these as a micro-batch; return the lake."""
    lake = lake_in(folder / "out")
    for number, rows in enumerate(arriving):
        micro(spark, lake, number, write(folder / f"{number}", rows), lateness_s)
    return lake


def whole(spark: SparkSession, folder: Path, rows: Sequence[Row]) -> Lake:
    """Return a lake that one run made of these rows."""
    lake = lake_in(folder / "whole")
    Run(spark, lake, NAMES, Progress()).batch([str(write(folder / "all", rows))])
    return lake


def batch_of(
    lake: Lake,
    number: int,
    strategies: tuple[str, ...] = NAMES,
    *,
    clock_s: float = 30 * _DAY_S,
    lateness_s: float = 0,
) -> MicroBatch:
    """Return a micro-batch where the clock says this second."""
    return MicroBatch(
        SparkSession.active(), lake, strategies, Progress(), started=at(clock_s),
        lateness=timedelta(seconds=lateness_s), query="q", number=number,
    )  # fmt: skip


def read(folder: Path) -> DataFrame:
    spark = SparkSession.active()
    return rows_of(spark, input_files(spark, [str(folder)]))


def at_clock(
    lake: Lake, number: int, rows: Sequence[Row], *, clock_s: float, lateness_s: float = 0
) -> dict[str, Any]:
    """Publish a micro-batch where the clock says this second."""
    folder = write(Path(lake.output).parent / f"{number}", rows)
    batch = batch_of(lake, number, clock_s=clock_s, lateness_s=lateness_s)
    row = batch.publish(read(folder), 0)
    assert row is not None
    return row


def reasons_of(row: Mapping[str, Any]) -> dict[str, int]:
    return {each["reason"]: each["rows"] for each in json.loads(row["quality"])["rejected"]}


@pytest.mark.parametrize("together", [True, pytest.param(False, marks=pytest.mark.proof)])
def test_two_clusters_a_day_apart_lose_nothing(
    spark: SparkSession, tmp_path: Path, together: bool
) -> None:
    early, late = of("early", 0, 60), of("late", _DAY_S, _DAY_S + 60)
    further = [*of("early", 120), *of("late", _DAY_S + 120)]
    arriving = [[*late, *early], further] if together else [late, early, further]

    lake = batches(spark, tmp_path, *arriving)

    assert reasons_of(latest_of(lake)) == {}
    assert latest_of(lake)["rows_pending"] == 0
    assert everything_in(lake) == everything_in(whole(spark, tmp_path, [*chain(*arriving)]))


def test_a_late_row_is_late_in_its_own_cluster_alone(spark: SparkSession, tmp_path: Path) -> None:
    lake = batches(spark, tmp_path, [*of("a", 600), *of("b", 100)])

    row = micro(spark, lake, 1, write(tmp_path / "next", [*of("a", 300), *of("b", 300)]), 0)

    assert row is not None
    assert reasons_of(row) == {"late": 2}
    (reason,) = {each["reason"] for each in rows_in(lake, "rejected")}
    assert f"{at(600):%Y-%m-%d %H:%M:%S}" in str(reason)
    assert row["rows_pending"] == 0
    assert reached_in(row["progress"]) == ReplayProgress(
        Horizons({"a": _us(600), "b": _us(300)}),
        {"a": SeenSpan(_us(600), _us(600)), "b": SeenSpan(_us(100), _us(300))},
    )


@pytest.mark.proof
@pytest.mark.usefixtures("spark")
def test_a_clock_that_is_ahead_in_one_cluster_makes_nothing_late_in_another(
    tmp_path: Path,
) -> None:
    lake, hour_s, far_s = lake_in(tmp_path / "out"), 3_600, 73 * 365 * _DAY_S
    how = {"clock_s": 4 * hour_s, "lateness_s": hour_s}
    at_clock(lake, 0, of("a", hour_s, 4.5 * hour_s, far_s), **how)

    row = at_clock(lake, 1, of("b", 2 * hour_s, 3.5 * hour_s), **how)

    assert reasons_of(row) == {"ahead of the clock": 2}
    assert reached_in(row["progress"]).replayed == Horizons(
        {"a": _us(3 * hour_s), "b": _us(2.5 * hour_s)}
    )
    assert row["rows_pending"] == 4  # 4:30 in a, 3:30 in b


@pytest.mark.proof
def test_lags_by_duration_look_no_further_than_their_own_cluster_has_come(
    spark: SparkSession, tmp_path: Path
) -> None:
    about = {"auto_offset_reset": "by_duration:PT3M", "committed_offset": None}
    arriving = [of("a", 0, **about), [*of("a", 180, **about), *of("b", 0, 180, **about)]]

    lake = batches(spark, tmp_path, *arriving)

    known = everything_in(whole(spark, tmp_path, [*chain(*arriving)]), *FIGURES, "rejected")
    assert everything_in(lake, *FIGURES, "rejected") == known


def _us(second: float) -> int:
    return round(at(second).timestamp() * 1e6)


def _as_earlier(lake: Lake, horizon: int, **progress: object) -> None:
    """Publish the newest run as an earlier release wrote it, with one horizon."""
    row = latest_of(lake)
    known = {"horizon": horizon, "latest": horizon, "query": "q", "batch": 0} | progress
    lake.publish({**row, "progress": json.dumps(known)}, row)


@pytest.mark.proof
def test_tables_of_one_horizon_are_continued_in_every_cluster(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = batches(spark, tmp_path, [*of("a", 60, 120), *of("b", 60)])
    _as_earlier(lake, _us(120))
    further = [*of("a", 100, 180), *of("b", 100, 150)]

    row = micro(spark, lake, 1, write(tmp_path / "next", further), 0)

    assert row is not None
    assert reasons_of(row) == {"late": 4}
    assert row["rows_pending"] == 0
    known = [*of("a", 60, 120, 180), *of("b", 60, 150)]
    expected = everything_in(whole(spark, tmp_path, known), *FIGURES)
    assert everything_in(lake, *FIGURES) == expected
    assert reached_in(row["progress"]).replayed == Horizons(
        {"a": _us(180), "b": _us(150)}, _us(120)
    )


@pytest.mark.parametrize(
    "is_of_earlier_release", [False, pytest.param(True, marks=pytest.mark.proof)]
)
def test_a_watermark_that_a_wrong_clock_left_at_2099_comes_back_to_the_present(
    spark: SparkSession, tmp_path: Path, is_of_earlier_release: bool
) -> None:
    lake, wrong_s = batches(spark, tmp_path, of("a", 0)), 73 * 365 * _DAY_S
    at_clock(lake, 1, of("a", wrong_s), clock_s=wrong_s)
    if is_of_earlier_release:
        _as_earlier(lake, _us(wrong_s))

    rows = [
        at_clock(lake, number, rows, clock_s=clock_s)
        for number, rows, clock_s in (
            (2, [*of("a", 950), *of("b", 990)], 1_000),
            (3, of("a", 1_100), 2_000),
            (4, of("a", 1_200), 2_100),
        )
    ]

    late = {"late": 4 if is_of_earlier_release else 2}  # it had one watermark for both
    assert [reasons_of(row) for row in rows] == [late] * 3
    known = [*of("a", 0, 1_100, 1_200), *of("b", *[990] * (not is_of_earlier_release))]
    expected = everything_in(whole(spark, tmp_path, known), *FIGURES)
    found = everything_in(lake, *FIGURES)
    assert {name: [r for r in rows if "2099" not in r] for name, rows in found.items()} == expected


@pytest.mark.proof
def test_only_files_of_clusters_that_move_are_read(spark: SparkSession, tmp_path: Path) -> None:
    lake = batches(spark, tmp_path, of("a", 0), of("b", 0), of("a", 60), of("b", 60))
    versions = latest_of(lake)["versions"]

    def files_read(since: Horizons, until: Horizons) -> set[tuple[str, datetime]]:
        files = {
            file["path"]: (file["min.cluster"], file["min.snapshot_at"])
            for file in lake.actions("telemetry", versions["telemetry"]).to_pylist()
        }
        found = shares(lake, versions, 1, since, until)
        return {files[path] for share in found for path in share.telemetry}

    since = Horizons({"a": _us(1)})
    assert files_read(since, Horizons({"a": _us(60)})) == {("a", at(60))}
    assert files_read(since, Horizons({"a": _us(1), "b": _us(0)})) == {("b", at(0)), ("b", at(60))}
    assert files_read(since, since) == set()
    assert len(files_read(NOTHING, Horizons(others=_us(60)))) == 4


def _replaced(spark: SparkSession, lake: Lake, folder: Path) -> dict[str, Any]:
    run = DayRun(spark, lake, NAMES, Progress(), day=at().date(), base=latest_of(lake))
    return run.publish([str(folder)])


def test_a_day_of_a_cluster_that_a_stream_has_not_seen_is_replayed(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = batches(spark, tmp_path, of("a", 60, 120), lateness_s=60)
    day = [*of("a", 60), *of("b", 90)]

    row = _replaced(spark, lake, write(tmp_path / "day", day))

    assert row["rows_pending"] == 2  # the second day of a
    assert reached_in(row["progress"]).replayed == Horizons({"a": _us(60), "b": _us(90)})
    micro(spark, lake, 1, write(tmp_path / "next", [*of("a", 180), *of("b", 180)]), 0)
    known = [*of("a", 60, 120, 180), *of("b", 90, 180)]
    assert everything_in(lake, *FIGURES) == everything_in(whole(spark, tmp_path, known), *FIGURES)


@pytest.mark.proof
@pytest.mark.parametrize("is_day", [True, False])
def test_what_waits_for_its_first_watermark_is_replayed_once(
    spark: SparkSession, tmp_path: Path, is_day: bool
) -> None:
    lake, first, day = lake_in(tmp_path / "out"), of("a", 60, 120), of("a", 0, 60)
    batch = batch_of(lake, 0)
    batch.publish(read(write(tmp_path / "first", first)), 0, lambda _: True, files=1)

    if is_day:
        _replaced(spark, lake, write(tmp_path / "day", day))
    else:
        replayed(spark, lake, ("fair",), Progress())
        day = of("a", 60)

    assert latest_of(lake)["rows_pending"] == len(day) + 2
    strategies = tuple(latest_of(lake)["strategies"])
    batch_of(lake, 1, strategies).publish(None, 0)
    target = lake_in(tmp_path / "whole")
    known = str(write(tmp_path / "all", [*day, *of("a", 120)]))
    Run(spark, target, strategies, Progress()).batch([known])
    assert everything_in(lake, *FIGURES) == everything_in(target, *FIGURES)
