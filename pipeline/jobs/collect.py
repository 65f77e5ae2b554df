"""Append an offset snapshot of all consumer groups each interval, as Parquet files."""

import sys
from argparse import Namespace

from live.errors import LiveError
from pipeline.collect import add_arguments as add_arguments
from pipeline.collect import run
from pipeline.errors import PipelineError


def main(options: Namespace) -> None:
    """Collect until stopped."""
    try:
        run(options, sys.stderr)
    except LiveError as error:
        raise PipelineError(str(error)) from error
