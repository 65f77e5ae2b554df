"""Maintenance without Spark: what is dropped is counted and judged no more; old runs go."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from assignors.registry import STRATEGIES
from pipeline import retained
from pipeline.encoding import decoded
from pipeline.jobs.maintain import compacted, maintain, thinned
from pipeline.lake import Lake
from pipeline.recommendation import ranked, recommended
from pipeline.replay.replay import replay
from schemas.arrow import arrow_schema
from schemas.tables import TABLES
from tests.pipeline.lakes import added
from tests.pipeline.replay.fleets import table
from tests.pipeline.telemetry import rows_of_day

NAMES = ("range", "lag-based")
DAY_US = 86_400_000_000
SECOND = datetime(2026, 3, 2, tzinfo=UTC)


def figures(*days: int) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return telemetry, summaries and states of a fleet; one group ends on the first day."""
    rows = [row | {"file": f"{day}"} for day in days for row in rows_of_day(day)]
    rows = [row for row in rows if row["group_id"] != "group-0" or row["snapshot_at"] < SECOND]
    # A name that SQL would end at, and of which telemetry has six partitions of five owners.
    rows = [row | {"group_id": row["group_id"].replace("-4", "'4")} for row in rows]
    found = replay(table(rows), [STRATEGIES[name] for name in NAMES])
    telemetry = table(rows)
    telemetry = telemetry.append_column("day", telemetry["snapshot_at"].cast(pa.date32()))
    return telemetry, decoded(found.tables["group_summary"]), decoded(found.checkpoint)


def lake_of(folder: Path, **row: Any) -> Lake:  # noqa: ANN401 -- cells of runs
    """Return a lake with three days, published."""
    lake = Lake(str(folder))
    lake.prepare()
    telemetry, summary, states = figures(1, 2, 3)
    telemetry = telemetry.select(arrow_schema(TABLES["telemetry"]).names)
    judged = ranked(recommended(summary, NAMES))
    versions = dict.fromkeys((name for name in TABLES if name != "runs"), 0)
    written = {"telemetry": telemetry, "group_summary": summary, "recommendation": judged}
    for name, rows in (written | {"checkpoint": states}).items():
        versions[name] = added(lake, name, rows, after=0)
    about = {
        "run_id": "base",
        "kind": "batch",
        "finished_at": datetime(2026, 3, 4, tzinfo=UTC),
        "versions": versions,
        "rows_in": telemetry.num_rows + 5,
        "rows_used": telemetry.num_rows,
        "rows_rejected": 5,
        "rows_pending": 0,
        "snapshots": 51,
        "groups": 6,
        "strategies": list(NAMES),
        "progress": json.dumps({"horizon": None}),
    }
    lake.publish(about | row, None)
    return lake


def newest(lake: Lake) -> dict[str, Any]:
    row = lake.latest()
    assert row is not None
    return row


@pytest.mark.parametrize("rows_at_a_time", [1, 60, 500_000])
def test_after_retention_counts_and_recommendations_are_those_of_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_at_a_time: int
) -> None:
    monkeypatch.setattr(retained, "_ROWS", rows_at_a_time)
    lake, (telemetry, summary, _) = lake_of(tmp_path), figures(1, 2, 3)
    left = summary.filter(pc.greater_equal(summary["snapshot_at"], SECOND))
    used = pc.sum(pc.greater_equal(telemetry["snapshot_at"], SECOND)).as_py()

    versions = compacted(lake, SECOND + timedelta(hours=15))

    row = newest(lake)
    assert row["versions"] == versions
    assert (row["rows_in"], row["rows_used"], row["rows_rejected"]) == (used + 5, used, 5)
    assert (row["snapshots"], row["groups"]) == (5 * 2 * 3, 5)
    assert (row["first_snapshot"], row["last_snapshot"]) == (SECOND, SECOND.replace(day=3, hour=2))
    expected = ranked(recommended(left, NAMES))
    assert lake.rows("recommendation", versions["recommendation"]).equals(expected)
    groups = lake.rows("checkpoint", versions["checkpoint"])["group_id"]
    assert "group-0" not in groups.to_pylist()


def test_without_anything_left_nothing_is_counted_or_recommended(tmp_path: Path) -> None:
    lake = lake_of(tmp_path)

    versions = compacted(lake, datetime(2027, 1, 1, tzinfo=UTC))

    row = newest(lake)
    assert [row[name] for name in ("rows_in", "rows_used", "snapshots", "groups")] == [5, 0, 0, 0]
    assert (row["first_snapshot"], row["last_snapshot"]) == (None, None)
    assert not lake.rows("recommendation", versions["recommendation"]).num_rows


@pytest.mark.parametrize(("window_d", "is_judged_anew"), [(3, True), (0.25, False)])
def test_of_a_stream_rows_that_wait_are_counted_and_its_window_is_judged(
    tmp_path: Path, window_d: float, is_judged_anew: bool
) -> None:
    third = datetime(2026, 3, 3, tzinfo=UTC)
    horizon = int(third.timestamp() * 1e6)  # the first snapshot of day 3 is replayed, two wait
    progress = {"horizon": horizon, "window_us": int(window_d * DAY_US)}
    waiting = sum(3 + group for group in range(1, 6)) * 2
    lake = lake_of(tmp_path, kind="stream", rows_pending=waiting, progress=json.dumps(progress))
    before = newest(lake)["versions"]["recommendation"]

    versions = compacted(lake, SECOND)

    assert newest(lake)["rows_pending"] == waiting
    assert (versions["recommendation"] > before) is is_judged_anew
    rows = lake.rows("recommendation", versions["recommendation"])
    assert ("group-0" in rows["group_id"].to_pylist()) is not is_judged_anew


def runs_at(lake: Lake, times: Sequence[datetime]) -> None:
    for number, at in enumerate(times):
        lake.publish({"run_id": f"{number}", "finished_at": at, "versions": {}}, lake.latest())


def test_of_old_runs_the_last_of_each_day_stays_and_the_newest_is_alone_in_its_file(
    tmp_path: Path,
) -> None:
    lake, now = Lake(str(tmp_path)), datetime(2026, 3, 10, 12, tzinfo=UTC)
    lake.prepare()
    runs_at(
        lake, [datetime(2026, 3, day, hour, tzinfo=UTC) for day in (1, 2, 10) for hour in (8, 9)]
    )

    thinned(lake, now, timedelta(days=1))

    assert sorted(lake.rows("runs")["run_id"].to_pylist()) == ["1", "3", "4", "5"]
    assert sorted(lake.actions("runs")["num_records"].to_pylist()) == [1, 3]
    assert newest(lake)["run_id"] == "5"
    version = lake.table("runs").version()
    thinned(lake, now, timedelta(days=1))
    assert lake.table("runs").version() == version


def test_runs_of_a_clock_that_was_ahead_are_dated_by_maintenance(tmp_path: Path) -> None:
    lake, now = Lake(str(tmp_path)), datetime(2026, 3, 10, 12, tzinfo=UTC)
    lake.prepare()
    runs_at(lake, [datetime(2026, 3, 10, tzinfo=UTC), datetime(2027, 3, 10, tzinfo=UTC), now])
    assert newest(lake)["finished_at"].year == 2027

    thinned(lake, now, timedelta(days=7))

    assert newest(lake)["run_id"] == "2"
    assert now < newest(lake)["finished_at"] < now + timedelta(seconds=1)
    runs_at(lake, [now + timedelta(minutes=1)])
    assert newest(lake)["finished_at"] == now + timedelta(minutes=1)


def test_runs_are_thinned_by_maintenance_of_the_tables(tmp_path: Path) -> None:
    lake = lake_of(tmp_path)
    for number in range(3):
        lake.publish(newest(lake) | {"run_id": f"{number}"}, lake.latest())

    maintain(lake, None, timedelta(0))

    assert len(lake.actions("runs")) == 2
    assert {date(2026, 3, 4)} < {at.date() for at in lake.rows("runs")["finished_at"].to_pylist()}
