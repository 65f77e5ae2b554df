"""Zip the code that runs in Spark's workers, for spark-submit --py-files."""

import sys
import zipfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
"""The folder of the packages."""
_PACKAGES: Final = ("assignors", "evaluation", "live", "pipeline", "processes", "schemas")


def pack(target: Path) -> Path:
    """Write the zip and return its path; workers also need numpy and pyarrow."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for package in _PACKAGES:
            for module in sorted((ROOT / package).rglob("*.py")):
                archive.write(module, module.relative_to(ROOT))
    return target


def add_arguments(parser: ArgumentParser) -> None:
    """Add the path of the zip."""
    usual = Path("dist/pipeline.zip")
    what = f"where the zip goes (default: {usual})"
    parser.add_argument("--output", type=Path, default=usual, metavar="FILE", help=what)


def main(options: Namespace) -> None:
    """Write the zip and print its path."""
    sys.stdout.write(f"{pack(options.output)}\n")
