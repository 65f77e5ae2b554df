"""Status of the tables: the last run, its versions and rows, and a stream's progress."""

import json
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from typing import Any

from pipeline.errors import PipelineError
from pipeline.lake import Lake


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("output", metavar="DIR", help="the folder of the tables, or its address")
    parser.add_argument("--json", action="store_true", help="the row of runs as one JSON object")


def main(options: Namespace) -> None:
    """Print the status; needs neither Spark nor Java."""
    row = latest_of(Lake(options.output))
    if options.json:
        sys.stdout.write(json.dumps(row, default=str) + "\n")
        return
    for name, value in _described(row).items():
        sys.stdout.write(f"{name:<16}{value}\n")


def latest_of(lake: Lake) -> dict[str, Any]:
    """Return the newest row of ``runs``; raises PipelineError if there is none."""
    row = lake.latest()
    if row is None:
        message = (
            f"there is no finished run in {lake.output}; make one with: "
            f"python -m pipeline run --input PATH --output {lake.output}"
        )
        raise PipelineError(message)
    return row


def _described(row: dict[str, Any]) -> dict[str, str]:
    quality = json.loads(row["quality"])
    took = (row["finished_at"] - row["started_at"]).total_seconds()
    lines = {
        "last run": f"{row['kind']}, {row['finished_at']:%Y-%m-%d %H:%M:%S} UTC, {took:.1f} s",
        "input": row["input"],
        "rows": f"{row['rows_in']:,} in, {row['rows_used']:,} used, "
        f"{row['rows_rejected']:,} rejected",
        "snapshots": f"{row['snapshots']:,} of {row['groups']:,} groups, "
        f"{row['first_snapshot']} to {row['last_snapshot']}",
        "strategies": ", ".join(row["strategies"]),
        "versions": ", ".join(f"{name} {version}" for name, version in row["versions"].items()),
    }
    for each in quality["rejected"]:
        lines[f"  {each['rows']:,}"] = each["reason"]
    if row["kind"] == "stream":
        behind = datetime.now(UTC) - row["last_snapshot"] if row["last_snapshot"] else "unknown"
        lines["stream"] = f"{row['rows_pending']:,} rows pending, {behind} behind the clock"
    if quality["answers_missing"]:
        lines["no answer"] = f"{quality['answers_missing']:,} snapshots and strategies"
    return lines
