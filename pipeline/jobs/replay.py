"""Replay the stored telemetry for more strategies, without its original files."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

from evaluation.judging import JudgeBy
from pipeline.conflicts import started_over
from pipeline.jobs.opening import tables_on_spark
from pipeline.jobs.options import in_order
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run, judged_in


def main(options: Namespace) -> None:
    """Replay for the requested and the existing strategies; publish."""
    progress = Progress(4, as_json=options.progress == "json")
    requested = in_order(options.strategies)
    judge_by = JudgeBy(options.judge_by) if options.judge_by else None
    if not urlsplit(options.output).scheme:
        latest_of(Lake(options.output))  # before Spark starts and makes tables at a mistyped place
    with tables_on_spark(options, progress) as (spark, lake):
        row = started_over(lambda: replayed(spark, lake, requested, progress, judge_by))
        progress.report(f"{len(row['strategies'])} strategies replayed")


def replayed(
    spark: SparkSession,
    lake: Lake,
    requested: Sequence[str],
    progress: Progress,
    judge_by: JudgeBy | None = None,
) -> dict[str, Any]:
    """Replay the newest run, judged as it was if not told otherwise; return its row of ``runs``.

    Raises ConflictError if another run was published meanwhile.
    """
    base = latest_of(lake)
    strategies = in_order([base["strategies"], requested])
    return Run(spark, lake, strategies, progress, judge_by or judged_in(base)).replay(base)
