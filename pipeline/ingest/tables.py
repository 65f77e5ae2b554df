"""Write checked rows to the tables ``telemetry`` and ``rejected``; Spark counts every row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it

from pipeline.actions import DAY
from pipeline.errors import PipelineError
from pipeline.horizons import NOTHING, Horizons
from pipeline.ingest.checks import Rule, ahead, another_day, is_unusable, late, reason, rules
from pipeline.ingest.limits import RAW_CHARACTERS
from pipeline.ingest.rows import COLUMNS
from pipeline.lake import BUCKETS, Lake, opened, partitioned_by
from pipeline.tasks import in_tasks
from schemas.tables import TELEMETRY, columns

_FOOTERS: Final = 200
"""How many files one task reads the footers of."""
_UNUSABLE: Final = "_unusable"
_SHOWN: Final = 3
_SHOWN_CHARACTERS: Final = 120


@dataclass(frozen=True)
class Ingested:
    """Counts of the rows read, and the versions of the tables that hold them."""

    rows_in: int
    rows_used: int
    telemetry: int
    rejected: int
    files: Sequence[str]
    """The new files of ``telemetry``, below the table."""
    reasons: Mapping[str, int]
    """The rules that rejected rows break, and how many rows break each of them first."""


@dataclass(frozen=True)
class Destination:
    """Where rows go, and after which versions."""

    lake: Lake
    run_id: str
    tasks: int
    """Number of files to write, each with a range of buckets."""
    is_small: bool = False
    """Whether one task is to read and write all rows, without a shuffle between."""
    after: dict[str, int] | None = None
    """The versions of the tables that rows are added to; None to replace all rows."""
    horizons: Horizons = NOTHING
    """Rows of snapshots at or before that of their cluster are late."""
    limit: int | None = None
    """Rows of snapshots after it, in microseconds since 1970, are ahead of the clock."""
    day: date | None = None
    """The only day whose rows are wanted."""
    may_be_empty: bool = True
    """Whether input without a usable row is committed, which empties tables that are replaced."""


def ingest(rows: DataFrame, destination: Destination) -> Ingested:
    """Write the usable rows and the others; ``rows`` are as ``ingest.rows`` describes.

    Raises PipelineError if the input changes meanwhile, so that Spark's counts differ, and if there
    is no usable row where one is needed.
    """
    broken = rules()
    if destination.horizons.furthest:
        broken.append(late(destination.horizons))
    if destination.limit is not None:
        broken.append(ahead(F.timestamp_micros(F.lit(destination.limit))))
    if destination.day is not None:
        broken.append(another_day(destination.day))
    checked = rows.withColumn(_UNUSABLE, is_unusable(broken))
    seen = Observation("ingest")
    is_usable = ~F.col(_UNUSABLE)
    # Spark pushes no filter below an observation, so every line would be parsed twice.
    counted = checked.observe(
        seen,
        F.count(F.lit(1)).alias("rows_in"),
        F.count_if(is_usable).alias("rows_used"),
    )
    stored = _stored(counted.where(is_usable), destination)
    telemetry = _write(stored, "telemetry", destination)
    counts = seen.get
    rows_in, used = int(counts["rows_in"]), int(counts["rows_used"])
    rejected, reasons = _rejected(checked, broken, destination) if rows_in > used else ([], {})
    if sum(reasons.values()) != rows_in - used:
        message = (
            f"{rows_in - used:,} rows were unusable at first and {sum(reasons.values()):,} when "
            "they were read again: the input changed meanwhile; nothing is published, run it again"
        )
        raise PipelineError(message)
    if not used and not destination.may_be_empty:
        raise PipelineError(_without_use(destination.lake, rows_in, rejected))
    after = destination.after or {}
    telemetry_version, rejected_version = (
        destination.lake.commit(name, files, after=after.get(name))
        for name, files in (("telemetry", telemetry), ("rejected", rejected))
    )
    added = [file.path for file in telemetry]
    return Ingested(rows_in, used, telemetry_version, rejected_version, added, reasons)


def _stored(usable: DataFrame, destination: Destination) -> DataFrame:
    """Return the rows of the table, spread over tasks so that each has one range of buckets."""
    tasks = destination.tasks
    bucket = F.pmod(F.xxhash64("cluster", "group_id"), F.lit(BUCKETS)).cast("int")
    day = F.to_date("snapshot_at").alias(DAY)
    rows = usable.select(*COLUMNS, "file", bucket.alias("bucket"), day).select(*columns(TELEMETRY))
    if destination.is_small:
        return rows.coalesce(1)
    return rows.repartitionById(tasks, F.expr(f"CAST(bucket * {tasks} DIV {BUCKETS} AS INT)"))


def _rejected(
    checked: DataFrame, broken: Sequence[Rule], destination: Destination
) -> tuple[list[AddAction], Mapping[str, int]]:
    """Write the rejected rows; return their files and the number of rows by first broken rule."""
    seen = Observation("rejected")
    first = F.coalesce(*(F.when(rule.is_broken, place) for place, rule in enumerate(broken)))
    why = (reason(broken).alias("reason"), _shortened(F.col("raw")).alias("raw"))
    unusable = checked.where(F.col(_UNUSABLE)).select("file", *why, first.alias("first"))
    count_if = (F.count_if(F.col("first") == n).alias(f"n{n}") for n in range(len(broken)))
    one = F.lit(1).cast("bigint").alias("rows")
    rows = unusable.observe(seen, *count_if).select("file", "reason", "raw", one)
    files = _write(rows, "rejected", destination)
    return files, {rule.name: int(seen.get[f"n{place}"]) for place, rule in enumerate(broken)}


def _without_use(lake: Lake, rows_in: int, rejected: Sequence[AddAction]) -> str:
    """Return a sentence that shows the first rejected rows, each as reason, file and start."""
    shown = [_shown(row) for row in _first(lake, rejected)]
    found = f"none of the {rows_in:,} rows read is usable" if rows_in else "the files have no rows"
    first = "".join(f"\n  {line}" for line in shown)
    return (
        f"{found}, so the tables stay as they are; check --input, or give --allow-empty to publish "
        f"tables without these rows{':' if shown else ''}{first}"
    )


def _first(lake: Lake, rejected: Sequence[AddAction]) -> list[dict[str, str | None]]:
    rows: list[dict[str, str | None]] = []
    for file in rejected:
        content = opened(lake.files(), f"rejected/{file.path}")
        table = pq.read_table(content, columns=["file", "reason", "raw"], use_threads=False)
        rows += table.slice(0, _SHOWN - len(rows)).to_pylist()
        if len(rows) == _SHOWN:
            break
    return rows


def _shown(row: Mapping[str, str | None]) -> str:
    raw = row["raw"]
    start = "" if raw is None else f": {raw[:_SHOWN_CHARACTERS]!r}"
    return f"{row['file']}: {row['reason']}{start}"


def _write(rows: DataFrame, table: str, destination: Destination) -> list[AddAction]:
    """Write rows to a new folder below the table; return the uncommitted files."""
    writer = rows.write.mode("overwrite").partitionBy(*partitioned_by(table))
    writer.option("compression", "zstd")
    writer.option("mapreduce.fileoutputcommitter.marksuccessfuljobs", value=False).parquet(
        f"{destination.lake.address(table)}/{destination.run_id}"
    )
    lake, written = destination.lake, destination.lake.written_by_spark(table, destination.run_id)
    some = [written[first : first + _FOOTERS] for first in range(0, len(written), _FOOTERS)]
    if len(some) == 1:  # sooner read than a task is started
        return lake.added(table, written)
    parts = in_tasks(rows.sparkSession, lambda own: lake.added(table, own), some)
    return [file for part in parts for file in part]


def _shortened(line: Column) -> Column:
    """Return the original row as valid UTF-8, cut to a bounded length."""
    start = F.substring(F.make_valid_utf8(line), 1, RAW_CHARACTERS)
    return F.when(F.length(line) > RAW_CHARACTERS, F.concat(start, F.lit("…"))).otherwise(start)
