"""How far Spark is with tasks that take long, told while they run."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from pyspark.sql import SparkSession

from pipeline.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql.connect.shell.progress import ProgressHandler, StageInfo


class _Stage(NamedTuple):
    """A stage of Spark that is under way."""

    number: int
    done: int
    """Of its tasks."""
    tasks: int


_Stages: TypeAlias = Callable[[], list[_Stage]]


@contextmanager
def watched(
    spark: SparkSession,
    progress: Progress,
    tasks: int | None = None,
) -> Iterator[None]:
    """Report every few seconds how many tasks, which are about equal, are done.

    ``tasks`` is their number, if one stage of Spark has all the work. Without it each stage is told
    on its own, as Spark comes to it: it does not know the later ones yet.
    """
    ended = Event()
    with _under_way(spark) as stages:

        def report() -> None:
            begin, last, number = time.monotonic(), time.monotonic(), -1
            while not ended.wait(progress.every_s):
                if tasks is not None:
                    done = max((each.done for each in stages() if each.tasks == tasks), default=0)
                    progress.report_share(done / max(tasks, 1), time.monotonic() - begin)
                elif found := stages():
                    newest = max(found)
                    if newest.number != number:  # it began since the last report
                        begin, number = last, newest.number
                    share = newest.done / max(newest.tasks, 1)
                    progress.report_share(share, time.monotonic() - begin, newest.tasks)
                last = time.monotonic()

        thread = Thread(target=report, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


@contextmanager
def _under_way(spark: SparkSession) -> Iterator[_Stages]:
    """Yield a function that returns the stages under way."""
    if not type(spark).__module__.startswith("pyspark.sql.connect"):
        tracker = spark.sparkContext.statusTracker()  # which has no other way here

        def active() -> list[_Stage]:
            known = map(tracker.getStageInfo, tracker.getActiveStageIds())
            return [_Stage(s.stageId, s.numCompletedTasks, s.numTasks) for s in known if s]

        yield active
        return
    latest: list[_Stage] = []

    def note(
        stages: "Iterable[StageInfo] | None",
        inflight_tasks: int,  # noqa: ARG001 -- Spark's names
        operation_id: str | None,  # noqa: ARG001
        done: bool,  # noqa: ARG001
    ) -> None:
        active = (stage for stage in stages or () if not stage.done)
        latest[:] = [_Stage(s.stage_id, s.num_completed_tasks, s.num_tasks) for s in active]

    handler = cast("ProgressHandler", note)  # any function will do
    spark.registerProgressHandler(handler)
    try:
        yield lambda: list(latest)
    finally:
        spark.removeProgressHandler(handler)
