"""Read telemetry, replay every strategy over it, and rebuild all tables of the fleet together."""

from argparse import Namespace
from typing import Any

from pyspark.sql import SparkSession

from evaluation.judging import JudgeBy
from pipeline.day import DayRun
from pipeline.errors import PipelineError
from pipeline.jobs.opening import tables_on_spark
from pipeline.jobs.options import check_apart, in_order
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run, judged_in
from pipeline.weights import write_weights


def main(options: Namespace) -> None:
    """Run on Spark; publish all tables, or none."""
    check_apart(options.input, options.output)
    progress = Progress(5, as_json=options.progress == "json")
    with tables_on_spark(options, progress, *options.input) as (spark, lake):
        row = _published(spark, lake, options, progress)
        progress.report(f"{row['rows_used']:,} of {row['rows_in']:,} rows used")
        if options.weights is not None:
            for file in write_weights(lake, row["versions"]["partition_lag"], options.weights):
                progress.report(f"rates written to {file}")


def _published(
    spark: SparkSession, lake: Lake, options: Namespace, progress: Progress
) -> dict[str, Any]:
    """Rebuild all tables, or replace one day; return the row of ``runs``."""
    if not options.day:
        judge_by = JudgeBy(options.judge_by or JudgeBy.LAG)
        settings = (in_order(options.strategies), progress, judge_by)
        run = Run(spark, lake, *settings, allow_empty=options.allow_empty)
        return run.batch(options.input)
    if options.strategies or options.judge_by:
        message = "--day keeps what the tables have; leave --strategies and --judge-by out"
        raise PipelineError(message)
    base = latest_of(lake)
    kept = (tuple(base["strategies"]), progress, judged_in(base))
    day = DayRun(spark, lake, *kept, allow_empty=options.allow_empty, day=options.day, base=base)
    return day.publish(options.input)
