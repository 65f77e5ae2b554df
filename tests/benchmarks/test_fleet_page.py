from pathlib import Path

import pytest

from benchmarks.fleet_page import main, write
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.totals import as_it_was, totals


def test_the_tables_measured_are_tables_of_the_pipeline(tmp_path: Path) -> None:
    rows = write(tmp_path, 3_000)

    fleet = open_fleet(edition_of(str(tmp_path)))

    assert fleet.count("group_summary") == rows
    assert totals(as_it_was(fleet, Scope())).groups == fleet.count("recommendation")


def test_the_benchmark_says_what_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(1_000)

    assert "all that it shows first:" in capsys.readouterr().out
