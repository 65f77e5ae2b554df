"""How far Spark is with tasks that take long, told while they run."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, cast

from pyspark.sql import SparkSession

from pipeline.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql.connect.shell.progress import ProgressHandler, StageInfo

_EVERY_S: Final = 10.0


@contextmanager
def watched(
    spark: SparkSession, progress: Progress, tasks: int, every_s: float = _EVERY_S
) -> Iterator[None]:
    """Report every few seconds how many of these tasks, which are about equal, are done."""
    begin, ended = time.monotonic(), Event()
    with _counted(spark, tasks) as done:

        def report() -> None:
            while not ended.wait(every_s):
                progress.report_share(done() / max(tasks, 1), time.monotonic() - begin)

        thread = Thread(target=report, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


@contextmanager
def _counted(spark: SparkSession, tasks: int) -> Iterator[Callable[[], int]]:
    """Yield a function that returns how many of the tasks have succeeded."""
    if not type(spark).__module__.startswith("pyspark.sql.connect"):
        tracker = spark.sparkContext.statusTracker()  # which has no other way here

        def done() -> int:
            known = map(tracker.getStageInfo, tracker.getActiveStageIds())
            return max((s.numCompletedTasks for s in known if s and s.numTasks == tasks), default=0)

        yield done
        return
    latest = [0]

    def note(
        stages: "Iterable[StageInfo] | None",
        inflight_tasks: int,  # noqa: ARG001 -- Spark's names
        operation_id: str | None,  # noqa: ARG001
        done: bool,  # noqa: ARG001
    ) -> None:
        own = [stage.num_completed_tasks for stage in stages or () if stage.num_tasks == tasks]
        latest[0] = max(own, default=0)

    handler = cast("ProgressHandler", note)  # any function will do
    spark.registerProgressHandler(handler)
    try:
        yield lambda: latest[0]
    finally:
        spark.removeProgressHandler(handler)
