"""The code that runs inside Spark's workers, in one zip, for ``spark-submit --py-files``."""

import sys
import zipfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
"""Where the packages lie."""
_PACKAGES: Final = ("assignors", "evaluation", "live", "pipeline", "schemas")


def pack(target: Path) -> Path:
    """Write the zip and return where it is; what it needs beside is numpy, SciPy and pyarrow."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for package in _PACKAGES:
            for module in sorted((ROOT / package).rglob("*.py")):
                archive.write(module, module.relative_to(ROOT))
    return target


def add_arguments(parser: ArgumentParser) -> None:
    """Add where to."""
    parser.add_argument("--output", type=Path, default=Path("dist/pipeline.zip"), metavar="FILE")


def main(options: Namespace) -> None:
    """Write the zip and say where it is."""
    sys.stdout.write(f"{pack(options.output)}\n")
