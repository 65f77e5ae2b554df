"""``python -m pipeline generate``: telemetry of an invented fleet."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import UTC, datetime
from pathlib import Path

from live.arguments import count, interval
from pipeline.generating.fleet import SHAPES, Request, generate
from pipeline.generating.writing import FORMATS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    usual = Request()
    parser.add_argument("--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--groups", type=count, default=usual.groups, metavar="N")
    parser.add_argument(
        "--rows", type=count, metavar="N", help="about; default: 40 a group and snapshot"
    )
    parser.add_argument("--snapshots", type=count, default=usual.snapshots, metavar="K")
    parser.add_argument(
        "--interval", type=interval, default=usual.interval, help="60s, 5m, 1h ...; default: 1m"
    )
    parser.add_argument(
        "--start", type=_moment, default=usual.start, help="ISO 8601; without a zone: UTC"
    )
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--format", choices=FORMATS, default=usual.format)
    parser.add_argument("--shape", choices=SHAPES, default=usual.shape)
    parser.add_argument(
        "--members", type=count, metavar="N", help="in each group of the uniform shape"
    )
    parser.add_argument(
        "--faults",
        "--dirt",
        type=_share,
        default=usual.faults,
        help="share of rows spoiled, e.g. 0.001",
    )


def main(arguments: Namespace) -> None:
    """Write the files and say how many rows they have."""
    request = Request(
        **{name: value for name, value in vars(arguments).items() if name in vars(Request())}
    )
    rows = generate(request, arguments.output)
    sys.stdout.write(f"{rows:,} rows of telemetry in {arguments.output}\n")


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        message = f"expected a share from 0 to 1, found {text!r}"
        raise ArgumentTypeError(message)
    return share


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = f"expected a time such as 2026-03-02T00:00:00Z, found {text!r}"
        raise ArgumentTypeError(message) from None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
