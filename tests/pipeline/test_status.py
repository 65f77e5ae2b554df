"""The status of tables as Prometheus reads it."""

import json
from datetime import UTC, datetime

from pipeline.jobs.status import metrics


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
    ]
    assert lines[0].startswith("# HELP kafka_assignments_rows Rows of telemetry by ")
    assert lines[1] == "# TYPE kafka_assignments_rows gauge"
