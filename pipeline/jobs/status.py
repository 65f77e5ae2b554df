"""Say what the last run left: its rows, why some were rejected, and how far a stream is."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from live.arguments import elapsed
from pipeline.errors import PipelineError
from pipeline.horizons import NOTHING, Horizons, moment, reached_in
from pipeline.lake import Lake

_PREFIX: Final = "kafka_assignments_"
_MOST_SHOWN: Final = 10
"""Clusters."""
_STATES: Final = ("in", "used", "rejected", "pending")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("output", metavar="DIR", help="the folder of the tables, or its address")
    what = "json: the row of runs as one object; prometheus: metrics for a textfile collector"
    parser.add_argument(
        "--format", choices=("text", "json", "prometheus"), default="text", help=what
    )
    what = "the same as --format json"
    parser.add_argument("--json", dest="format", action="store_const", const="json", help=what)
    what = "exit with 1 if the last snapshot replayed is older, or ahead of the clock by as much"
    parser.add_argument("--max-age", type=elapsed, metavar="TIME", help=what)


def main(options: Namespace) -> None:
    """Print the status; raise PipelineError if the figures are stale, by ``--max-age``.

    Needs neither Spark nor Java.
    """
    row, now = latest_of(Lake(options.output)), datetime.now(UTC)
    if options.format == "json":
        sys.stdout.write(json.dumps(row, default=str) + "\n")
    elif options.format == "prometheus":
        sys.stdout.writelines(f"{line}\n" for line in metrics(row))
    else:
        sys.stdout.writelines(f"{line}\n" for line in described(row, now))
    if options.max_age is not None:
        check_age(row["last_snapshot"], now, options.max_age)


def check_age(last: datetime | None, now: datetime, most: timedelta) -> None:
    """Raise PipelineError if the last snapshot replayed is unknown, or further away than this."""
    if last is None:
        message = "no snapshot is replayed"
        raise PipelineError(message)
    if abs(now - last) > most:
        message = f"the last snapshot replayed is {_age(last, now)}; --max-age is {most}"
        raise PipelineError(message)


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


def described(row: Mapping[str, Any], now: datetime) -> Iterator[str]:
    """Yield a row of ``runs`` as lines for people."""
    for name, value in _named(row, now):
        yield f"{name:<16}{value}"


def _named(row: Mapping[str, Any], now: datetime) -> Iterator[tuple[str, str]]:
    quality = json.loads(row["quality"])
    took = (row["finished_at"] - row["started_at"]).total_seconds()
    yield "last run", f"{row['kind']}, {_second(row['finished_at'])}, {took:.1f} s"
    yield "input", row["input"]
    counts = (f"{row[f'rows_{state}']:,} {state}" for state in _STATES[:3])
    yield "rows", ", ".join(counts)
    for each in quality["rejected"]:
        yield f"  {each['rows']:,}", each["reason"]
    snapshots = f"{row['snapshots']:,} of {row['groups']:,} groups"
    if row["last_snapshot"]:
        snapshots += f", {_second(row['first_snapshot'])} to {_second(row['last_snapshot'])}"
    yield "snapshots", snapshots
    if row["kind"] == "stream":
        pending = f"{row['rows_pending']:,} rows wait for the watermark"
        if row["last_snapshot"]:
            pending += f"; the last snapshot replayed is {_age(row['last_snapshot'], now)}"
        yield "stream", pending
        yield from _behind(reached_in(row["progress"]).replayed)
    yield "strategies", ", ".join(row["strategies"])
    if quality["answers_missing"]:
        yield "no answer", f"{quality['answers_missing']:,} snapshots and strategies"
    yield "judged by", row["judged_by"] or "lag, by the rules of an earlier release"
    yield "versions", ", ".join(f"{name} {version}" for name, version in row["versions"].items())


def _behind(replayed: Horizons) -> Iterator[tuple[str, str]]:
    """Yield the watermark of each cluster if they differ, those furthest behind first."""
    order = sorted(replayed.clusters, key=lambda cluster: (replayed.of(cluster), cluster))
    if len({*replayed.clusters.values()}) > 1:
        for cluster in order[:_MOST_SHOWN]:
            yield f"  {cluster} ", f"watermark {_second(moment(replayed.of(cluster)))}"
        if len(order) > _MOST_SHOWN:
            yield "", f"and {len(order) - _MOST_SHOWN:,} more clusters, which are further"


def _age(last: datetime, now: datetime) -> str:
    age = timedelta(seconds=abs(now - last) // timedelta(seconds=1))
    return f"{age} old" if last <= now else f"{age} ahead of this clock"


def _second(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def _watermarks(row: Mapping[str, Any]) -> dict[str, float | None]:
    replayed = reached_in(row["progress"]).replayed if row["kind"] == "stream" else NOTHING
    return {
        f"cluster={json.dumps(cluster, ensure_ascii=False)}": horizon / 1e6
        for cluster, horizon in replayed.clusters.items()
    }


def metrics(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield a row of ``runs`` as lines of Prometheus's text format; what is unknown is left out."""
    quality, last = json.loads(row["quality"]), row["last_snapshot"]
    families: dict[str, tuple[str, dict[str, float | None]]] = {
        "rows": (
            "Rows of telemetry by what became of them; for a stream, since it started.",
            {f'state="{state}"': row[f"rows_{state}"] for state in _STATES},
        ),
        "rejected_rows": (
            "Rejected rows by reason.",
            {f"reason={json.dumps(r['reason'])}": r["rows"] for r in quality["rejected"]},
        ),
        "snapshots": ("Snapshots of all groups.", {"": row["snapshots"]}),
        "groups": ("Consumer groups.", {"": row["groups"]}),
        "answers_missing": (
            "Snapshots for which a strategy had no answer.",
            {"": quality["answers_missing"]},
        ),
        "offsets_backwards": (
            "Offsets lower than at the previous snapshot.",
            {"": quality["offsets_backwards"]},
        ),
        "stage_seconds": (
            "Duration of the last run by stage.",
            {f'stage="{stage}"': seconds for stage, seconds in quality["seconds"].items()},
        ),
        "finished_timestamp_seconds": (
            "When the last run was published.",
            {"": row["finished_at"].timestamp()},
        ),
        "last_snapshot_timestamp_seconds": (
            "The time of the last snapshot replayed.",
            {"": None if last is None else last.timestamp()},
        ),
        "watermark_timestamp_seconds": (
            "The time up to which a stream has replayed each cluster.",
            _watermarks(row),
        ),
    }
    for name, (about, values) in families.items():
        known = {labels: value for labels, value in values.items() if value is not None}
        if known:
            yield f"# HELP {_PREFIX}{name} {about}"
            yield f"# TYPE {_PREFIX}{name} gauge"
        for labels, value in known.items():
            yield f"{_PREFIX}{name}{{{labels}}} {value}" if labels else f"{_PREFIX}{name} {value}"
