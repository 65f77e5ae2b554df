"""The status of tables as people and as Prometheus read it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pipeline.__main__ import main
from pipeline.errors import PipelineError
from pipeline.jobs.status import check_age, described, metrics
from pipeline.sample import SAMPLE


def test_metrics_are_lines_of_the_text_format_and_leave_out_what_is_unknown() -> None:
    quality = {
        "rejected": [{"reason": 'bad "line"', "rows": 2}],
        "answers_missing": 0,
        "offsets_backwards": 1,
        "seconds": {"reading": 1.5},
    }
    row = {
        "rows_in": 10,
        "rows_used": 8,
        "rows_rejected": 2,
        "rows_pending": None,
        "kind": "stream",
        "progress": json.dumps(
            {"horizon": None, "horizons": {"eu": 1_772_323_200_000_000, 'us "1"': 1_500_000}}
        ),
        "snapshots": 3,
        "groups": 1,
        "last_snapshot": None,
        "quality": json.dumps(quality),
        "finished_at": datetime(2026, 3, 1, tzinfo=UTC),
    }

    lines = list(metrics(row))

    samples = [line for line in lines if not line.startswith("#")]
    assert samples == [
        'kafka_assignments_rows{state="in"} 10',
        'kafka_assignments_rows{state="used"} 8',
        'kafka_assignments_rows{state="rejected"} 2',
        'kafka_assignments_rejected_rows{reason="bad \\"line\\""} 2',
        "kafka_assignments_snapshots 3",
        "kafka_assignments_groups 1",
        "kafka_assignments_answers_missing 0",
        "kafka_assignments_offsets_backwards 1",
        'kafka_assignments_stage_seconds{stage="reading"} 1.5',
        "kafka_assignments_finished_timestamp_seconds 1772323200.0",
        'kafka_assignments_watermark_timestamp_seconds{cluster="eu"} 1772323200.0',
        'kafka_assignments_watermark_timestamp_seconds{cluster="us \\"1\\""} 1.5',
    ]
    of_run = list(metrics({**row, "kind": "batch"}))
    assert not any("watermark" in line for line in of_run)
    assert lines[0].startswith("# HELP kafka_assignments_rows Rows of telemetry by ")
    assert lines[1] == "# TYPE kafka_assignments_rows gauge"


def test_people_read_each_reason_and_how_old_a_stream_is() -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    reasons = ("late", "repeated row")
    quality = {
        "rejected": [{"reason": reason, "rows": 1_000} for reason in reasons],
        "answers_missing": 0,
    }
    row: dict[str, Any] = {
        "kind": "stream",
        "started_at": at,
        "finished_at": at + timedelta(seconds=3),
        "rows_in": 4_000,
        "rows_used": 2_000,
        "rows_rejected": 2_000,
        "rows_pending": 40,
        "first_snapshot": at - timedelta(hours=2),
        "last_snapshot": at,
        "input": "in",
        "snapshots": 50,
        "groups": 10,
        "strategies": ["range", "sticky"],
        "judged_by": "work",
        "versions": {"telemetry": 3, "rejected": 1},
        "quality": json.dumps(quality),
        "progress": json.dumps({"horizon": None, "horizons": {"eu": 1_500_000}}),
    }
    now = at + timedelta(days=1, seconds=61.5)

    assert list(described(row, now)) == [
        "last run        stream, 2026-03-01 12:00:03 UTC, 3.0 s",
        "input           in",
        "rows            4,000 in, 2,000 used, 2,000 rejected",
        "  1,000         late",
        "  1,000         repeated row",
        "snapshots       50 of 10 groups, 2026-03-01 10:00:00 UTC to 2026-03-01 12:00:00 UTC",
        (
            "stream          40 rows wait for the watermark; the last snapshot replayed is "
            "1 day, 0:01:01 old"
        ),
        "strategies      range, sticky",
        "judged by       work",
        "versions        telemetry 3, rejected 1",
    ]
    nothing = {"first_snapshot": None, "last_snapshot": None}
    lines = list(described({**row, **nothing}, now))
    assert lines[5:7] == [
        "snapshots       50 of 10 groups",
        "stream          40 rows wait for the watermark",
    ]


def test_people_read_the_watermark_of_each_cluster_if_they_differ() -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    horizons = {f"c{n:02}": int(at.timestamp() + n) * 1_000_000 for n in range(12)}
    row: dict[str, Any] = {
        **dict.fromkeys(("first_snapshot", "last_snapshot", "judged_by")),
        **dict.fromkeys((f"rows_{state}" for state in ("in", "used", "rejected", "pending")), 0),
        "kind": "stream",
        "input": "in",
        "snapshots": 0,
        "groups": 0,
        "strategies": [],
        "started_at": at,
        "finished_at": at,
        "versions": {},
        "quality": json.dumps({"rejected": [], "answers_missing": 0}),
    }

    def lines(known: dict[str, int]) -> list[str]:
        progress = json.dumps({"horizon": None, "horizons": known})
        return [line for line in described({**row, "progress": progress}, at) if line[0] == " "]

    assert lines(dict.fromkeys(horizons, 5)) == []
    told = lines(horizons)
    assert told[:2] == [f"  c{n:02}           watermark 2026-03-01 12:00:0{n} UTC" for n in (0, 1)]
    assert len(told) == 11
    assert "2 more clusters" in told[-1]


@pytest.mark.parametrize(
    ("age", "says"),
    [
        (timedelta(minutes=15), None),
        (timedelta(minutes=16), "0:16:00 old"),
        (timedelta(days=-26_698), "26698 days, 0:00:00 ahead of this clock"),
    ],
)
def test_figures_are_stale_beyond_the_age_that_is_allowed(age: timedelta, says: str | None) -> None:
    now, most = datetime(2026, 3, 1, 12, tzinfo=UTC), timedelta(minutes=15)

    if says is None:
        check_age(now - age, now, most)
    else:
        with pytest.raises(PipelineError, match=says):
            check_age(now - age, now, most)


@pytest.mark.parametrize(("most", "code"), [("15m", 1), ("9999d", 0)])
def test_a_status_that_is_stale_is_a_failure(
    capsys: pytest.CaptureFixture[str], most: str, code: int
) -> None:
    assert main(["status", f"{SAMPLE}/tables", "--max-age", most]) == code

    told = capsys.readouterr()
    assert "last run" in told.out
    assert bool(told.err) is (code == 1)


def test_tables_without_a_snapshot_are_stale() -> None:
    with pytest.raises(PipelineError, match="no snapshot"):
        check_age(None, datetime(2026, 3, 1, tzinfo=UTC), timedelta(days=1))
