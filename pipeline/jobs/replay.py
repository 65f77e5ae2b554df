"""Replay the stored telemetry for more strategies, without its original files."""

from argparse import Namespace

from pipeline.jobs.options import add_run, in_order, tables_on_spark
from pipeline.jobs.status import latest_of
from pipeline.progress import Progress
from pipeline.runs import Run

add_arguments = add_run


def main(options: Namespace) -> None:
    """Replay for the requested and the existing strategies; publish."""
    progress = Progress(4, as_json=options.progress == "json")
    with tables_on_spark(options, progress) as (spark, lake):
        base = latest_of(lake)
        strategies = in_order([base["strategies"], in_order(options.strategies)])
        Run(spark, lake, strategies, progress).replay(base)
        progress.report(f"{len(strategies)} strategies replayed")
