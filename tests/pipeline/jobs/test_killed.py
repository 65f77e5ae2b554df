"""Every writer killed with SIGKILL at every step that could leave partial results."""

import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from tests.pipeline.lakes import WRITERS, added, micro_batch
from tests.pipeline.processes import finished
from tests.pipeline.telemetry import Tables, tables_in, write_parquet

pytestmark = pytest.mark.proof

STEPS: Final[Mapping[str, Sequence[str]]] = {
    "run": (
        *("before telemetry is listed", "before telemetry is committed"),
        *("after telemetry is committed", "in a task", "before partition_lag is committed"),
        *("after checkpoint is committed", "before publication", "after publication"),
    ),
    "stream": (
        *("after telemetry is committed", "in a task", "after member_load is committed"),
        *("before publication", "after publication"),
    ),
}
OF_OTHERS: Final[Mapping[str, Sequence[str]]] = {
    "merge": ("before checkpoint is replaced", "after checkpoint is replaced"),
    "replay": (
        *("in a task", "before partition_lag is committed", "after checkpoint is committed"),
        *("after recommendation is committed", "before publication", "after publication"),
    ),
    "day": (
        *("after telemetry is committed", "after telemetry is replaced", "in a task"),
        *("after partition_lag is replaced", "after recommendation is committed"),
        *("before publication", "after publication"),
    ),
    "maintain": (
        *("after rejected is compacted", "after checkpoint is compacted", "before publication"),
        *("after publication", "before telemetry is swept", "before runs is swept"),
    ),
}
_PUBLISHED: Final = ("after publication", "before telemetry is swept", "before runs is swept")


class Outage(NamedTuple):
    """The outputs of writers that were killed, each at a different step."""

    source: Path
    """Days 1 and 2; every output has day 1 published."""
    before: dict[str, Tables]
    """The tables of day 1, by writer."""
    after: dict[str, Tables]
    """The tables after an uninterrupted writer."""
    folder: Path

    def output(self, kind: str, moment: str) -> Path:
        return self.folder / f"{kind} {moment}"

    def check(self, spark: SparkSession, kind: str, moment: str) -> None:
        """Check that the tables are in one of the two states, and in the second when repeated."""
        output = self.output(kind, moment)
        is_published = moment in _PUBLISHED

        assert tables_in(output) == (self.after if is_published else self.before)[kind]
        if kind != "day" or not is_published:  # a day would be replaced again
            WRITERS[kind](spark, Lake(str(output)), str(self.source))
        assert tables_in(output) == self.after[kind]


def _outage(
    spark: SparkSession,
    run: Callable[[Path, Path], Path],
    folder: Path,
    steps: Mapping[str, Sequence[str]],
) -> Outage:
    source, first = folder / "in", folder / "first"
    write_parquet(source, 1, 2)
    run(source / "1.parquet", first / "run")
    stream = Lake(str(first / "stream"))
    stream.prepare()
    micro_batch(spark, stream, 0, f"{source}/1.parquet")
    left = Outage(source, {}, {}, folder)
    for kind, moments in steps.items():
        ready, whole = folder / f"ready {kind}", folder / f"whole {kind}"
        shutil.copytree(first / ("run" if kind in {"run", "replay", "day"} else "stream"), ready)
        if kind in {"merge", "maintain"}:
            _scatter_states(Lake(str(ready)))
        left.before[kind] = tables_in(ready)
        shutil.copytree(ready, whole)
        WRITERS[kind](spark, Lake(str(whole)), str(source))
        left.after[kind] = tables_in(whole)
        for moment in moments:
            shutil.copytree(ready, left.output(kind, moment))
    stops = [(kind, moment) for kind, moments in steps.items() for moment in moments]
    told = [json.dumps([*stop, str(left.output(*stop))]) for stop in stops]

    words = [sys.executable, "-m", "tests.pipeline.lakes", str(source), *told]
    ended = finished(["setsid", "--wait", *words])

    assert ended.returncode not in (0, 1), ended.stderr  # killed, neither done nor failed
    return left


def _scatter_states(lake: Lake) -> None:
    """Publish states of other groups in many small files, beside a large one."""
    run = latest_of(lake)
    version = run["versions"]["checkpoint"]
    state = lake.rows("checkpoint", version).slice(0, 1)
    for number, rows in enumerate([*[1] * 20, 100]):
        names = pa.array([f"{number}-{row}" for row in range(rows)])
        many = pa.concat_tables([state] * rows).set_column(1, "group_id", names)
        version = added(lake, "checkpoint", many, after=version)
    lake.publish({**run, "versions": {**run["versions"], "checkpoint": version}}, run)


@pytest.fixture(scope="module")
def outage(
    spark: SparkSession,
    run: Callable[[Path, Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Outage:
    return _outage(spark, run, tmp_path_factory.mktemp("outage"), STEPS)


@pytest.fixture(scope="module")
def outage_of_others(
    spark: SparkSession,
    run: Callable[[Path, Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Outage:
    return _outage(spark, run, tmp_path_factory.mktemp("others"), OF_OTHERS)


def _each(steps: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    return [(kind, moment) for kind, moments in steps.items() for moment in moments]


@pytest.mark.parametrize(("kind", "moment"), _each(STEPS))
def test_a_killed_writer_leaves_whole_tables_and_the_next_one_succeeds(
    spark: SparkSession, outage: Outage, kind: str, moment: str
) -> None:
    outage.check(spark, kind, moment)


@pytest.mark.parametrize(("kind", "moment"), _each(OF_OTHERS))
def test_any_other_killed_writer_does_so_too(
    spark: SparkSession, outage_of_others: Outage, kind: str, moment: str
) -> None:
    outage_of_others.check(spark, kind, moment)
