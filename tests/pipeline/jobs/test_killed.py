"""Runs and streams killed with SIGKILL at every step that could leave partial results."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from pyspark.sql import SparkSession

from pipeline.lake import Lake
from tests.pipeline.lakes import micro_batch
from tests.pipeline.processes import finished
from tests.pipeline.telemetry import Tables, tables_in, write_parquet

OF_A_RUN: Final = (
    *("before telemetry is listed", "before telemetry is committed"),
    *("after telemetry is committed", "in a task", "before partition_lag is committed"),
    *("after checkpoint is committed", "before publication", "after publication"),
)
OF_A_BATCH: Final = (
    *("after telemetry is committed", "in a task", "after member_load is committed"),
    *("before publication", "after publication"),
)


class Outage(NamedTuple):
    """The outputs of runs and micro-batches that were killed, each at a different step."""

    source: Path
    """Days 1 and 2; every output has day 1 published."""
    before: dict[str, Tables]
    """The tables of day 1, from a run and from a stream."""
    after: dict[str, Tables]
    """The tables of both days after uninterrupted runs."""
    folder: Path

    def output(self, kind: str, moment: str) -> Path:
        return self.folder / f"{kind} {moment}"

    def check(self, kind: str, moment: str, go_on: Callable[[Path], object]) -> None:
        """Check that the tables are in one of the two states, and in the second after resuming."""
        output, states = self.output(kind, moment), (self.before[kind], self.after[kind])

        assert tables_in(output) == states[moment == "after publication"]
        go_on(output)
        assert tables_in(output) == states[True]


@pytest.fixture(scope="module")
def outage(
    spark: SparkSession,
    run: Callable[[Path, Path], Path],
    undisturbed: Tables,
    tmp_path_factory: pytest.TempPathFactory,
) -> Outage:
    folder = tmp_path_factory.mktemp("outage")
    source, first, second = folder / "in", folder / "first", folder / "second"
    write_parquet(source, 1, 2)
    run(source / "1.parquet", first / "run")
    lake = Lake(str(first / "stream"))
    lake.prepare()
    micro_batch(spark, lake, 0, f"{source}/1.parquet")
    before = {output.name: tables_in(output) for output in first.iterdir()}
    shutil.copytree(first / "stream", second)
    micro_batch(spark, Lake(str(second)), 1, f"{source}/2.parquet")
    left = Outage(source, before, {"run": undisturbed, "stream": tables_in(second)}, folder)
    stops = [("run", moment) for moment in OF_A_RUN] + [("stream", each) for each in OF_A_BATCH]
    for kind, moment in stops:
        shutil.copytree(first / kind, left.output(kind, moment))
    told = [json.dumps([*stop, str(left.output(*stop))]) for stop in stops]

    words = [sys.executable, "-m", "tests.pipeline.lakes", str(source), *told]
    ended = finished(["setsid", "--wait", *words])

    assert ended.returncode not in (0, 1), ended.stderr  # killed, neither done nor failed
    return left


@pytest.mark.parametrize("moment", OF_A_RUN)
def test_a_killed_run_leaves_whole_tables_and_the_next_one_succeeds(
    run: Callable[[Path, Path], Path], outage: Outage, moment: str
) -> None:
    outage.check("run", moment, lambda output: run(outage.source, output))


@pytest.mark.parametrize("moment", OF_A_BATCH)
def test_a_killed_micro_batch_is_retried_and_published_once(
    spark: SparkSession, outage: Outage, moment: str
) -> None:
    def go_on(output: Path) -> None:  # as Spark does, which retries the batch
        micro_batch(spark, Lake(str(output)), 1, f"{outage.source}/2.parquet")

    outage.check("stream", moment, go_on)
