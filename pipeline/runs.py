"""Runs over all telemetry, from input rows to a published row of ``runs``."""

import json
import platform
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from importlib.metadata import version
from typing import Any

from deltalake.transaction import AddAction
from pyspark.sql import SparkSession

from evaluation.judging import JudgeBy, Measure
from pipeline import __version__
from pipeline.errors import PipelineError
from pipeline.horizons import EVERYTHING, NOTHING, Horizons, ReplayProgress, moment, reached_in
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import with_rows_of
from pipeline.ingest.tables import Destination, Ingested, ingest
from pipeline.lake import AHEAD, Lake
from pipeline.progress import Progress
from pipeline.replay.fleet import is_small, replayed, shares, tasks_for, without_rejected
from pipeline.replay.parts import most_rows
from pipeline.replay.ranking import ranking
from pipeline.replay.replay import FIGURES
from pipeline.replay.task import TaskResult, TaskSettings
from pipeline.watching import watched


@dataclass
class Run:
    """One run into the tables of a lake, stage by stage."""

    spark: SparkSession
    lake: Lake
    strategies: tuple[str, ...]
    progress: Progress
    judge_by: JudgeBy = JudgeBy.LAG
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    allow_empty: bool = False
    """Whether files without a usable row are published, which leaves the tables without rows."""

    def batch(self, paths: Sequence[str]) -> dict[str, Any]:
        """Rebuild all tables from files of telemetry; return the row of ``runs``.

        Raises ConflictError if another run was published meanwhile, and PipelineError if no row is
        usable.
        """
        base = self.lake.latest()
        ingested = self._ingested(paths)
        outcome = self._replayed({"telemetry": ingested.telemetry})
        _check_row_counts(ingested.rows_used, outcome)
        repeated = outcome.files["rejected"]
        rejected = self.lake.commit("rejected", repeated, after=ingested.rejected)
        replaced = self._replaced(outcome)
        versions = {"telemetry": ingested.telemetry, "rejected": rejected, **replaced}
        self._drop_rejected(versions, outcome)
        row = self._row(
            kind="batch",
            versions=versions,
            rows_in=ingested.rows_in,
            rows_used=outcome.rows_used,
            rows_rejected=ingested.rows_in - outcome.rows_used,
            rows_pending=0,
            input=", ".join(paths),
            quality=quality(ingested.reasons, outcome, self.progress.seconds),
            progress=json.dumps(ReplayProgress(Horizons(outcome.last_us)).as_data()),
            **extent(outcome),
        )
        self._publish(row, base)
        return row

    def replay(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """Replay the stored telemetry for other strategies; return the row of ``runs``.

        Raises ConflictError if ``base`` is no longer the newest run.
        """
        telemetry = {"telemetry": base["versions"]["telemetry"]}
        outcome = self._replayed(telemetry, until=reached_in(base["progress"]).replayed)
        row = {**base, **self._row(versions={**base["versions"], **self._replaced(outcome)})}
        self._publish(row, base)
        return row

    def _ingested(
        self, paths: Sequence[str], after: dict[str, int] | None = None, day: date | None = None
    ) -> Ingested:
        """Replace the rows by those of files, or add those of a day to the versions ``after``."""
        with self.progress.stage("reading"), watched(self.spark, self.progress):
            files = input_files(self.spark, paths)
            rows = sum(file.rows for file in files)
            tasks, small = tasks_for(rows, len(self.strategies)), is_small(rows, len(files))
            destination = Destination(
                self.lake, self.run_id, tasks, small, after,
                limit=self._limit(AHEAD), day=day, may_be_empty=self.allow_empty,
            )  # fmt: skip
            return with_rows_of(self.spark, files, lambda rows: ingest(rows, destination))

    def _limit(self, ahead: timedelta) -> int:
        """Return the latest snapshot that is taken, microseconds since 1970."""
        return (self.started + ahead - moment(0)) // timedelta(microseconds=1)

    def _replayed(
        self,
        versions: Mapping[str, int],
        since: Horizons = NOTHING,
        until: Horizons = EVERYTHING,
        *,
        recommends: bool = True,
        first: date | None = None,
    ) -> TaskResult:
        """Replay these versions of telemetry and, if given, of the checkpoint."""
        strategies, version = self.strategies, versions["telemetry"]
        most = most_rows(len(strategies))
        measure = Measure(by=self.judge_by)
        job = TaskSettings(self.lake, version, strategies, most, recommends, first, measure)
        with self.progress.stage("replaying"):
            own = shares(self.lake, versions, len(strategies), since, until)
            with watched(self.spark, self.progress, len(own)):
                return replayed(self.spark, job, own)

    def _drop_rejected(self, versions: dict[str, int], outcome: TaskResult) -> None:
        """Drop the rows from ``telemetry`` that the replay moved to ``rejected``."""
        version = versions["telemetry"]
        versions["telemetry"] = without_rejected(self.spark, self.lake, outcome, version)

    def _replaced(self, outcome: TaskResult) -> dict[str, int]:
        """Replace the tables that a replay writes; return their versions."""
        names = (*FIGURES, "checkpoint")
        with self.progress.stage("writing"):
            return {
                **{name: self.lake.commit(name, outcome.files[name]) for name in names},
                "recommendation": self._ranked(outcome.files["recommendation"]),
            }

    def _ranked(self, unranked: Sequence[AddAction]) -> int:
        """Replace ``recommendation`` by these rows, ranked; return the version."""
        files = ranking(self.spark, self.lake, unranked)
        return self.lake.commit("recommendation", files)

    def _row(self, **known: object) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "started_at": self.started,
            "finished_at": datetime.now(UTC),
            "strategies": list(self.strategies),
            "judged_by": self.judge_by.value,
            **known,
        }

    def _publish(
        self,
        row: Mapping[str, Any],
        base: Mapping[str, Any] | None,
        stream: tuple[str, int] | None = None,
    ) -> None:
        with self.progress.stage("publishing"):
            self.lake.publish(row, base, stream)


def judged_in(run: Mapping[str, Any]) -> JudgeBy:
    """Return what a row of ``runs`` is judged by; earlier releases knew lag alone."""
    return JudgeBy(run["judged_by"] or JudgeBy.LAG)


def _check_row_counts(rows_used: int, outcome: TaskResult) -> None:
    """Raise PipelineError unless the replay used or rejected every row of ``telemetry``."""
    if rows_used != outcome.rows_used + outcome.rows_rejected:
        message = (
            f"telemetry has {rows_used:,} rows, but {outcome.rows_used:,} were replayed and "
            f"{outcome.rows_rejected:,} rejected: nothing is published; this is a mistake in this "
            "program, please report it"
        )
        raise PipelineError(message)


def quality(
    rejected: Mapping[str, int],
    outcome: TaskResult,
    seconds: Mapping[str, float],
    before: str | None = None,
) -> str:
    """Return the JSON object that ``schemas.tables.RUNS`` describes.

    ``rejected`` has the number of rows by reason; ``before`` is the previous batch's object, whose
    counts are added for a stream.
    """
    known: dict[str, Any] = json.loads(before) if before else {}
    reasons = Counter({each["reason"]: each["rows"] for each in known.get("rejected", [])})
    reasons.update(rejected)
    reasons.update(outcome.reasons)
    return json.dumps(
        {
            "rejected": [
                {"reason": reason, "rows": rows}
                for reason, rows in sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
                if rows
            ],
            "offsets_backwards": known.get("offsets_backwards", 0) + outcome.offsets_backwards,
            "answers_missing": known.get("answers_missing", 0) + outcome.answers_missing,
            "failures": outcome.failures or known.get("failures", []),
            "seconds": dict(seconds),
            "software": {
                "kafka-assignments": __version__,
                "python": platform.python_version(),
                **{name: version(name) for name in ("pyspark", "deltalake", "numpy", "pyarrow")},
            },
        }
    )


def extent(outcome: TaskResult) -> dict[str, Any]:
    """Return the columns of ``runs`` that say how much was replayed."""
    first_us, last_us = outcome.first_us, max(outcome.last_us.values(), default=None)
    return {
        "snapshots": outcome.snapshots,
        "groups": outcome.groups,
        "first_snapshot": None if first_us is None else moment(first_us),
        "last_snapshot": None if last_us is None else moment(last_us),
    }
