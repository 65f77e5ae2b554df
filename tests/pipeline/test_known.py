"""What a new stream leaves out because the tables have it."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from pipeline.known import known_files
from pipeline.lake import Lake
from schemas.arrow import arrow_schema
from schemas.tables import REJECTED
from tests.pipeline.lakes import added


def test_a_new_query_leaves_out_the_files_of_the_tables_now_and_after_a_rebuild(
    tmp_path: Path,
) -> None:
    lake = Lake(str(tmp_path))
    lake.prepare()
    assert not known_files(lake, "_stream/of no run")
    _publish(lake, "/in/a b.json", "s3a://b/c.json", "kafka:t-0@5")

    found = known_files(lake, "_stream/query")
    _publish(lake, "/in/later.json")

    assert found == {"file:/in/a b.json", "s3a:/b/c.json"}
    assert known_files(lake, "_stream/query") == found
    (tmp_path / "_stream" / "of an earlier release").mkdir()
    (tmp_path / "_stream" / "of an earlier release" / "metadata").touch()
    assert not known_files(lake, "_stream/of an earlier release")


def _publish(lake: Lake, *files: str) -> None:
    rows = [{"file": file, "reason": "bad", "raw": "", "rows": 1} for file in files]
    version = added(lake, "rejected", pa.Table.from_pylist(rows, arrow_schema(REJECTED)))
    row = {"finished_at": datetime.now(UTC), "versions": {"rejected": version, "telemetry": 0}}
    lake.publish(row, lake.latest())
