"""Runs and streams killed -9 at every step that could leave half of something."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipeline.lake import Lake
from tests.pipeline.lakes import micro_batch
from tests.pipeline.processes import finished
from tests.pipeline.telemetry import Tables, tables_in, write_parquet

_DEEP = pytest.mark.deep


@pytest.fixture(scope="module")
def day_one(run: Callable[[Path, Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the tables of day 1, for copies."""
    folder = tmp_path_factory.mktemp("before")
    return run(write_parquet(folder / "in", 1), folder / "out")


def _killed(kind: str, moment: str, source: Path, output: Path) -> int:
    words = [sys.executable, "-m", "tests.pipeline.lakes", kind, moment, str(source), str(output)]
    return finished(["setsid", "--wait", *words]).returncode


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("before telemetry is listed", marks=_DEEP),
        "before telemetry is committed",
        "after telemetry is committed",
        "in a task",
        "before partition_lag is committed",
        pytest.param("after checkpoint is committed", marks=_DEEP),
        "before publication",
        "after publication",
    ],
)
def test_a_killed_run_leaves_whole_tables_and_the_next_one_succeeds(
    run: Callable[[Path, Path], Path],
    day_one: Path,
    undisturbed: Tables,
    tmp_path: Path,
    moment: str,
) -> None:
    output = tmp_path / "out"
    shutil.copytree(day_one, output)
    before, source = tables_in(output), write_parquet(tmp_path / "in", 1, 2)

    status = _killed("run", moment, source, output)

    assert status not in (0, 1)  # killed, neither done nor failed
    assert tables_in(output) == (undisturbed if moment == "after publication" else before)
    assert tables_in(run(source, output)) == undisturbed


@pytest.mark.parametrize(
    "moment",
    [
        "after telemetry is committed",
        pytest.param("in a task", marks=_DEEP),
        "after member_load is committed",
        "before publication",
        "after publication",
    ],
)
def test_a_killed_micro_batch_is_done_again_and_once(
    spark: SparkSession, tmp_path: Path, moment: str
) -> None:
    lakes = [Lake(str(tmp_path / name)) for name in ("killed", "whole")]
    first, second = (str(write_parquet(tmp_path / str(day), day)) for day in (1, 2))
    for lake in lakes:
        lake.prepare()
        micro_batch(spark, lake, 0, first)
    killed, whole = lakes
    before = tables_in(killed.output)
    micro_batch(spark, whole, 1, second)

    status = _killed("stream", moment, Path(second), Path(killed.output))

    assert status not in (0, 1)
    is_published = moment == "after publication"
    assert tables_in(killed.output) == (tables_in(whole.output) if is_published else before)
    micro_batch(spark, killed, 1, second)  # Spark hands out the batch again
    assert tables_in(killed.output) == tables_in(whole.output)
