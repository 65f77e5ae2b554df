from pathlib import Path

from benchmarks.fleet_page import report
from tests.fleets import small, write


def test_every_reading_of_the_page_is_measured_over_tables_of_the_pipeline(tmp_path: Path) -> None:
    tables = small()

    text = "\n".join(report(write(tmp_path, tables)))

    assert f"over {len(tables['group_summary'])} rows" in text
    assert text.count("\n| ") == 6
