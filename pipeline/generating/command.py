"""``python -m pipeline generate``: telemetry of an invented fleet."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import UTC, datetime
from pathlib import Path

from live.arguments import count, interval
from pipeline.generating.fleet import SHAPES, Request, generate


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add = parser.add_argument
    add("--output", type=Path, required=True, metavar="DIR")
    add("--groups", type=count, metavar="N")
    add("--rows", type=count, metavar="N", help="about; default: 40 a group and snapshot")
    add("--snapshots", type=count, metavar="K")
    add("--interval", type=interval, help="60s, 5m, 1h ...; default: 1m")
    add("--start", type=_moment, help="ISO 8601; without a zone: UTC")
    add("--seed", type=int)
    add("--shape", choices=SHAPES)
    add("--members", type=count, metavar="N", help="in each group of the uniform shape")
    parser.set_defaults(**vars(Request()))


def main(arguments: Namespace) -> None:
    """Write the files and say how many rows they have."""
    request = Request(**{name: getattr(arguments, name) for name in vars(Request())})
    rows = generate(request, arguments.output)
    sys.stdout.write(f"{rows:,} rows of telemetry in {arguments.output}\n")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = f"expected a time such as 2026-03-02T00:00:00Z, found {text!r}"
        raise ArgumentTypeError(message) from None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
