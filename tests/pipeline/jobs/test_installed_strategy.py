"""A strategy of an installed package runs in Spark's workers."""

from pathlib import Path

import pytest

from pipeline.lake import Lake
from tests.installed.test_installed import ran
from tests.installed.toy import NAME, install
from tests.pipeline.telemetry import write_parquet

pytestmark = pytest.mark.proof


def test_the_tables_hold_what_an_installed_strategy_gives(tmp_path: Path) -> None:
    source, output = write_parquet(tmp_path / "in", 1), tmp_path / "out"
    package = tmp_path / "package"
    package.mkdir()

    ended = ran(
        [
            *("-m", "pipeline", "run", "--input", str(source), "--output", str(output)),
            *("--strategies", NAME, "--master", "local[2]"),
        ],
        install(package),
    )

    assert ended.returncode == 0, ended.stderr
    lake = Lake(str(output), {})
    run = lake.latest()
    assert run is not None
    assert run["strategies"] == [NAME]
    rows = lake.rows("group_summary", run["versions"]["group_summary"]).to_pylist()
    given = [row for row in rows if row["strategy"] == NAME and row["members"] > 1]
    assert given
    assert {row["members"] - row["idle_members"] for row in given} == {1}
