"""Replay the telemetry that is in the tables for other strategies too, without its files."""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack

from assignors.registry import STRATEGIES
from pipeline.jobs.options import (
    add_output,
    add_progress,
    add_spark,
    add_strategies,
    in_order,
    lake_at,
    on_spark,
)
from pipeline.jobs.status import latest_of
from pipeline.progress import Progress
from pipeline.runs import Run

_STAGES = 4


def add_arguments(parser: ArgumentParser) -> None:
    """Add what can be asked for."""
    add_output(parser)
    add_strategies(parser)
    add_progress(parser)
    add_spark(parser)


def main(options: Namespace) -> None:
    """Replay for the strategies asked for and those that are there; publish."""
    progress = Progress(_STAGES, as_json=options.progress == "json")
    with ExitStack() as stack:
        with progress.stage("starting Spark"):
            spark = stack.enter_context(on_spark(options, places=[options.output]))
            lake = lake_at(spark, options.output)
        base = latest_of(lake)
        wanted = {*base["strategies"], *in_order(options.strategies)}
        strategies = tuple(name for name in STRATEGIES if name in wanted)
        Run(spark, lake, strategies, progress).again(base)
        progress.end(f"{len(strategies)} strategies replayed")
