"""Generate telemetry of an invented fleet; the same options give the same files."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import UTC, datetime
from pathlib import Path

from live.arguments import count, interval
from pipeline.generating.fleet import SHAPES, Request, generate


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add, usual = parser.add_argument, Request()
    add("--output", type=Path, required=True, metavar="DIR", help="where the files go")
    add("--groups", type=count, metavar="N", help=f"default: {usual.groups}")
    add("--rows", type=count, metavar="N", help="about; default: 40 a group and snapshot")
    add("--snapshots", type=count, metavar="K", help=f"default: {usual.snapshots}")
    what = "from one snapshot to the next: 60s, 5m, 1h (default: 1m)"
    add("--interval", type=interval, metavar="TIME", help=what)
    what = f"the first snapshot, in ISO 8601; without a zone: UTC (default: {usual.start:%Y-%m-%d})"
    add("--start", type=_moment, metavar="TIME", help=what)
    add("--seed", type=int, metavar="N", help="another one gives another fleet (default: 0)")
    what = "groups of heavy-tailed size, or all alike (default: fleet)"
    add("--shape", choices=SHAPES, help=what)
    what = "in each group of the uniform shape (default: one per ten partitions)"
    add("--members", type=count, metavar="N", help=what)
    parser.set_defaults(**vars(usual))


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
