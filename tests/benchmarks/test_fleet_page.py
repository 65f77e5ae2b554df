from benchmarks.fleet_page import report
from sources.fleet.location import SAMPLE


def test_every_reading_of_the_page_is_measured_over_tables_of_the_pipeline() -> None:
    text = "\n".join(report(str(SAMPLE)))

    assert "over 12,096 rows" in text
    assert text.count("\n| ") == 5
