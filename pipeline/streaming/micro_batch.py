"""One micro-batch: what arrived goes on top of what the last version knows, and is published.

Everything the next batch needs lies inside the version, so the rename that shows the tables
moves on the stream as well: a batch is in the tables once, wherever the process was killed.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pyarrow.parquet as pq
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline.carried import InSpark, Packets
from pipeline.errors import PipelineError
from pipeline.frames import frame_of
from pipeline.publishing import Version, staged
from pipeline.replayed import (
    CHAIN_TABLE,
    Task,
    recommended_over,
    replayed,
    table_of,
    tasks_for,
    told,
)
from pipeline.row_packets import as_packets
from pipeline.streaming.arrivals import Arrived
from pipeline.streaming.settling import IS_SETTLED, with_settled
from pipeline.streaming.state import StreamState, state_in, write_state
from pipeline.streaming.versions import add_provisional, carry_over, merge_small
from schemas.replay import CHAIN
from schemas.tables import GROUP_SUMMARY, TABLES, columns
from schemas.telemetry import TELEMETRY

_ROWS: Final = "_rows"
_CHAIN: Final = "_chain"
_PROVISIONAL: Final = "_provisional"
_BY_DAY: Final = tuple(name for name, ddl in TABLES.items() if "day" in columns(ddl))
_APPENDED: Final = (*_BY_DAY, "rejected")
_WITH_FILE: Final = f"{TELEMETRY}, file STRING"


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What stays the same from batch to batch."""

    output: str
    strategies: tuple[str, ...]
    lateness: timedelta
    window: timedelta
    """How far back from the last snapshot recommendations look."""


class Batch(NamedTuple):
    """Which batch it is, and what came with it."""

    query: str
    """The checkpoint that the number belongs to."""
    number: int
    arrived: Callable[[Path], Arrived]
    """Given a folder for what must last as long as the batch."""


def publish_batch(spark: SparkSession, stream: Stream, batch: Batch) -> StreamState | None:
    """Publish the next version with what arrived; None if this batch is in the tables already.

    Raises PipelineError if rows would be lost, or the folder is not this stream's.
    """
    with staged(stream.output) as version:
        if not isinstance(version, Version):
            message = f"A stream writes to a folder on a disk, not to {stream.output}."
            raise PipelineError(message)
        state = state_in(version.present, stream.strategies)
        if state.query == batch.query and batch.number <= state.batch:
            return None
        state = msgspec.structs.replace(state, query=batch.query, batch=batch.number)
        return _Step(spark, stream, version).take(state, batch.arrived(version.shelves))


@dataclass(frozen=True)
class _Step:
    """From one version to the next."""

    spark: SparkSession
    stream: Stream
    version: Version

    def take(self, state: StreamState, arrived: Arrived) -> StreamState:
        """Write the new version with what arrived, show it, and return the stream's new state."""
        path = self.version.path
        settled, pending = self._sort_out(arrived)
        counted = self._settle(settled, arrived)
        self._preview(pending)
        shutil.rmtree(path / _ROWS / f"{IS_SETTLED}=true", ignore_errors=True)
        state = msgspec.structs.replace(
            state,
            rows_in=state.rows_in + arrived.rows_in,
            rows_used=state.rows_used + counted.get("rows_used", 0),
            rows_rejected=state.rows_rejected + self._rejected(),
            rows_pending=_rows_in(path / _ROWS),
            offsets_backwards=state.offsets_backwards + counted.get("offsets_backwards", 0),
        )
        state.check()
        carry_over(self.version.present, path, _APPENDED)
        add_provisional(path / _PROVISIONAL, path)
        merge_small(path, _APPENDED)
        self._recommend()
        write_state(path, state)
        self.version.show(self._report(state))
        return state

    def _sort_out(self, arrived: Arrived) -> tuple[DataFrame, DataFrame]:
        """Write what arrived and what was pending; return what is settled and what is not."""
        present = self.version.present
        rows = arrived.rows
        if present and _rows_in(present / _ROWS):
            pending = self._read(_WITH_FILE, present / _ROWS / f"{IS_SETTLED}=false")
            rows = rows.unionByName(pending)
        target = self.version.path / _ROWS
        with_settled(rows, self.stream.lateness).write.partitionBy(IS_SETTLED).parquet(_uri(target))
        folders = [target / f"{IS_SETTLED}={is_so}" for is_so in ("true", "false")]
        for folder in folders:
            folder.mkdir(exist_ok=True)
        settled, pending = (self._read(_WITH_FILE, folder) for folder in folders)
        return settled, pending

    def _settle(self, rows: DataFrame, arrived: Arrived) -> Mapping[str, int]:
        """Replay what is settled from where the last version stopped; return what was counted."""
        path, present = self.version.path, self.version.present
        count = _rows_in(path / _ROWS / f"{IS_SETTLED}=true")
        names = _names(rows)
        chain = self._read(CHAIN, present / _CHAIN) if present else None
        packed = self._replayed(_numbered(rows, names), count, chain, leaves_chain=True)
        for table in _BY_DAY:
            _write(table_of(packed, table), path / table)
        _write(table_of(packed, CHAIN_TABLE), path / _CHAIN)
        unused = table_of(packed, "unused").withColumn("file", _named(names))
        _write(arrived.rejected.unionByName(unused), path / "rejected")
        counted = told(packed).counted
        packed.release()
        return counted

    def _preview(self, rows: DataFrame) -> None:
        """Replay what is pending on top, for the tables of this version alone."""
        path = self.version.path
        count = _rows_in(path / _ROWS / f"{IS_SETTLED}=false")
        (path / _PROVISIONAL).mkdir()
        if not count:
            return
        chain = self._read(CHAIN, path / _CHAIN)
        packed = self._replayed(_numbered(rows, _names(rows)), count, chain)
        for table in _BY_DAY:
            _write(table_of(packed, table), path / _PROVISIONAL / table)
        packed.release()

    def _replayed(
        self, rows: DataFrame, count: int, chain: DataFrame | None, *, leaves_chain: bool = False
    ) -> Packets:
        """Replay rows, ``count`` of them, from where the chain stops."""
        buckets = tasks_for(count)
        packets = as_packets(rows, buckets)
        if chain is not None:
            packets = packets.unionByName(as_packets(chain, buckets, CHAIN_TABLE))
        task = Task(self.stream.strategies, leaves_chain=leaves_chain)
        return replayed(InSpark(packets), buckets, count, task)

    def _rejected(self) -> int:
        """Return how many rows this batch rejected."""
        rejected = self._read(TABLES["rejected"], self.version.path / "rejected")
        return int(rejected.agg(F.sum("rows").alias("rows")).collect()[0]["rows"] or 0)

    def _recommend(self) -> None:
        """Judge every group anew over the window that ends with the last snapshot."""
        summary = self._read(GROUP_SUMMARY, self.version.path / "group_summary")
        last = summary.agg(F.max("snapshot_at").alias("last")).collect()[0]["last"]
        if last is not None:
            summary = summary.where(F.col("snapshot_at") > F.lit(last - self.stream.window))
        found = recommended_over(summary, self.stream.strategies)
        self.version.write(self.spark, "recommendation", found)

    def _report(self, state: StreamState) -> dict[str, Any]:
        path = self.version.path
        return {
            **msgspec.to_builtins(state),
            "strategies": list(state.strategies),
            "lateness_s": self.stream.lateness.total_seconds(),
            "rows": {table: _rows_in(path / table) for table in TABLES},
        }

    def _read(self, ddl: str, folder: Path) -> DataFrame:
        return self.spark.read.schema(ddl).parquet(_uri(folder))


def _write(rows: DataFrame, folder: Path) -> None:
    writer = rows.write.option("compression", "zstd")
    if "day" in rows.columns:
        writer = writer.partitionBy("day")
    writer.parquet(_uri(folder))


def _uri(folder: Path) -> str:
    """Return an address that no cluster takes for HDFS."""
    return f"file://{folder}"


def _rows_in(folder: Path) -> int:
    """Return how many rows the Parquet files below a folder have."""
    return sum(pq.read_metadata(file).num_rows for file in folder.rglob("*.parquet"))


def _names(rows: DataFrame) -> list[str]:
    return sorted(row["file"] for row in rows.select("file").distinct().collect())


def _numbered(rows: DataFrame, names: Sequence[str]) -> DataFrame:
    """Replace the file's name by its number, as the replay takes it."""
    ddl = "file STRING, number INT"
    numbers = frame_of(rows.sparkSession, ddl, zip(names, range(len(names)), strict=True))
    numbered = rows.join(F.broadcast(numbers), on="file", how="inner")
    return numbered.drop("file").withColumnRenamed("number", "file")


def _named(names: Sequence[str]) -> Column:
    """Return the name of the file that has a number."""
    if not names:
        return F.lit(None).cast("string")
    return F.element_at(F.array(*(F.lit(name) for name in names)), F.col("file") + 1)
