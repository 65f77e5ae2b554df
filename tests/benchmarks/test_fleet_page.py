from pathlib import Path

import pytest

from benchmarks.fleet_page import main, write
from sources.fleet import open_fleet
from sources.fleet_place import place_of
from sources.fleet_scope import Scope
from sources.fleet_totals import present, totals


def test_the_tables_measured_are_tables_of_the_pipeline(tmp_path: Path) -> None:
    rows = write(tmp_path, 3_000)

    fleet = open_fleet(place_of(tmp_path))

    assert fleet.read("group_summary", ["cluster"]).num_rows == rows
    assert totals(present(fleet, Scope())).groups == fleet.read("recommendation", ["rank"]).num_rows


def test_the_benchmark_says_what_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(1_000)

    assert "all that it shows first:" in capsys.readouterr().out
