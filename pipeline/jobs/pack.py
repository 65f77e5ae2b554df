"""``python -m pipeline pack``: the code for ``spark-submit --py-files``."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from pipeline.packing import pack


def add_arguments(parser: ArgumentParser) -> None:
    """Add where to."""
    parser.add_argument("--output", type=Path, default=Path("dist/pipeline.zip"), metavar="FILE")


def main(arguments: Namespace) -> None:
    """Write the zip and say where it is."""
    sys.stdout.write(f"{pack(arguments.output)}\n")
