"""A run: telemetry to the tables of the fleet, on a Spark that is there."""

from argparse import Namespace
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from pipeline.carried import Packets
from pipeline.early import Asked, Early
from pipeline.jobs.options import in_order
from pipeline.packed import Packed, packed_telemetry
from pipeline.packets.parts import keep_only
from pipeline.progress import Progress
from pipeline.publishing import Staging
from pipeline.replay.replay import WRITTEN
from pipeline.replayed import Task, Told, replayed, table_of, told
from pipeline.report import Reasons, check_account, moment, reasons_in, versions
from schemas.tables import TABLES, columns


@dataclass
class Run:
    """One run, stage by stage."""

    spark: SparkSession
    staging: Staging
    progress: Progress
    options: Namespace
    early: Early | None = None

    def run(self) -> None:
        """Read, replay, write every table, publish."""
        started = datetime.now(UTC)
        with self.progress.stage("reading"):
            packed = packed_telemetry(self.spark, asked_of(self.options, self.staging), self.early)
        strategies = in_order(self.options.strategies)
        with self.progress.stage("replaying"), ThreadPoolExecutor(1) as aside:
            told_versions = aside.submit(versions, self.spark)
            task = Task(tuple(strategies), folder=self.staging.disk, shelves=self.staging.shelves)
            answers = replayed(packed.packets, packed.buckets, packed.rows_in, task)
            found = told(answers)
        self._write_replayed(answers, found)
        self.staging.write(self.spark, "recommendation", found.recommendation)
        self._write_rejected(packed, answers, found)
        with self.progress.stage("checking"):
            report = self._report(packed, found, strategies)
            report["versions"] = told_versions.result()
            check_account(report)
        report |= {
            "started_at": started.isoformat(),
            "finished_at": datetime.now(UTC).isoformat(),
            "seconds": self.progress.seconds,
        }
        with self.progress.stage("publishing"):
            self.staging.publish(self.spark, report)
        self.progress.end(f"{report['rows_used']:,} of {report['rows_in']:,} rows used")

    def _write_replayed(self, answers: Packets, found: Told) -> None:
        """Write what the workers could not, and keep what they wrote."""
        if self.staging.disk:
            keep_only(found.parts, self.staging.disk, WRITTEN)
            return
        self.progress.total += len(WRITTEN)
        for table in WRITTEN:
            self._write(table, table_of(answers, table))

    def _write_rejected(self, packed: Packed, answers: Packets, found: Told) -> None:
        """Write what reading rejected, and what the replay could not use beside other rows."""
        unused = packed.unused()
        if found.counted.get("rows_rejected"):
            unused.append(table_of(answers, "unused"))
        if not unused:
            with self.progress.stage("writing rejected"):
                self.staging.write(self.spark, "rejected", packed.judged.lost_files)
            return
        self._write("rejected", packed.rejected(unused))

    def _write(self, table: str, rows: DataFrame) -> None:
        with self.progress.stage(f"writing {table}"):
            writer = rows.write.option("compression", "zstd")
            if "day" in columns(TABLES[table]):
                writer = writer.partitionBy("day")
            writer.parquet(self.staging.place(table))

    def _written(self, table: str) -> DataFrame:
        return self.spark.read.schema(TABLES[table]).parquet(self.staging.place(table))

    def _report(self, packed: Packed, found: Told, strategies: Sequence[str]) -> dict[str, Any]:
        rows = self.staging.rows(self.spark)
        reasons = reasons_in(self._written("rejected")) if rows["rejected"] else Reasons()
        return {
            "rows_in": packed.rows_in,
            "rows_used": found.counted.get("rows_used", 0),
            "rows_rejected": reasons.rows,
            "rows_early": packed.rows_early,
            "rejected": reasons.listed,
            "files": len(packed.judged.files),
            "files_unreadable": [lost.file.name for lost in packed.judged.lost],
            "notes": list(packed.notes),
            "offsets_backwards": found.counted.get("offsets_backwards", 0),
            "answers_missing": found.counted.get("answers_missing", 0),
            "window": {"start": moment(found.first), "end": moment(found.last)},
            "strategies": list(strategies),
            "options": _shown(self.options),
            "rows": rows,
        }


def asked_of(options: Namespace, staging: Staging) -> Asked:
    """Return what a run is to read."""
    return Asked(options.input, options.since, staging.shelves)


def _shown(options: Namespace) -> dict[str, object]:
    return {
        "input": options.input,
        "output": options.output,
        "since": options.since and options.since.isoformat(),
        "master": options.master,
        "remote": options.remote,
    }
