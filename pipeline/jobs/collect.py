"""Append an offset snapshot of all consumer groups each interval, as Parquet files."""

import sys
from argparse import Namespace

from live.errors import LiveError
from pipeline.collect import add_arguments, run
from pipeline.errors import PipelineError

__all__ = ["add_arguments", "main"]


def main(options: Namespace) -> None:
    """Collect until stopped."""
    try:
        run(options, sys.stderr)
    except LiveError as error:
        raise PipelineError(str(error)) from error
