import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run
from pipeline.tasks import in_tasks
from pipeline.watching import watched
from tests.patience import await_
from tests.pipeline.lakes import micro_batch
from tests.pipeline.telemetry import STRATEGIES, write_parquet


def _through_two_stages(progress: Progress) -> None:
    with progress.stage("reading"):
        pass
    with progress.stage("writing"):
        pass
    progress.report("done")


def test_people_read_on_stderr_what_begins_and_how_much_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _through_two_stages(Progress(2))

    assert capsys.readouterr() == ("", "[0/2] reading\n[1/2] writing\n[2/2] done\n")


def test_programs_read_the_same_on_stdout_an_object_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _through_two_stages(Progress(2, as_json=True))

    told = capsys.readouterr()
    assert told.err == ""
    assert [json.loads(line) for line in told.out.splitlines()] == [
        {"stage": "reading", "done": 0, "total": 2},
        {"stage": "writing", "done": 1, "total": 2},
        {"stage": "done", "done": 2, "total": 2},
    ]


def test_a_stage_that_takes_long_tells_how_much_is_done_and_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for progress in (Progress(5), Progress(), Progress(5, as_json=True)):
        with progress.stage("replaying"):
            progress.report_share(0, 10)
            progress.report_share(0.25, 60)

    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "[0/5] replaying",
        "[0/5] replaying: 0 % done",
        "[0/5] replaying: 25 % done, about 3 min left",
        "replaying: 0 % done",
        "replaying: 25 % done, about 3 min left",
    ]
    assert json.loads(told.out.splitlines()[-1])["stage"].startswith("replaying: 25 %")


def test_a_step_of_a_stage_tells_its_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress()

    with progress.stage("reading"):
        progress.report_share(0, 10, 1)
        progress.report_share(0.5, 20, 1_200)

    assert capsys.readouterr().err.splitlines() == [
        "reading: 0 % of 1 task done",
        "reading: 50 % of 1,200 tasks done, about 20 s left in this step",
    ]


class Seen(Progress):
    """Lets tasks end once the first one is reported."""

    def __init__(self, gate: Path) -> None:
        super().__init__(every_s=0.1)
        self.gate, self.shares = gate, set[tuple[float, int]]()

    def report_share(self, share: float, elapsed_s: float, tasks: int = 0) -> None:
        super().report_share(share, elapsed_s, tasks)
        self.shares.add((share, tasks))
        if share:
            self.gate.touch()


@pytest.mark.parametrize(("tasks", "told"), [(3, 0), (None, 3)])
def test_tasks_are_counted_while_spark_runs_them(
    spark: SparkSession, tmp_path: Path, tasks: int | None, told: int
) -> None:
    gate = tmp_path / "gate"
    progress = Seen(gate)

    def ends(number: int) -> int:
        if number:
            await_(gate.exists)
        return number

    with progress.stage("replaying"), watched(spark, progress, tasks):
        assert in_tasks(spark, ends, range(3)) == [0, 1, 2]

    assert (1 / 3, told) in progress.shares


def test_a_run_and_a_stream_tell_that_they_read(spark: SparkSession, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in", 1)
    run, batch = (Seen(tmp_path / name) for name in ("run", "batch"))
    for progress in (run, batch):
        progress.every_s = 0.001
    lakes = [Lake(str(tmp_path / name)) for name in ("a", "b")]
    for lake in lakes:
        lake.prepare()

    Run(spark, lakes[0], STRATEGIES, run).batch([str(source)])
    micro_batch(spark, lakes[1], 1, str(source), batch)

    assert all(any(tasks for _, tasks in each.shares) for each in (run, batch))
