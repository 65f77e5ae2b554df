"""Runs, from rows of telemetry to a published row of ``runs``, in an open Spark session."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it

from pipeline.errors import PipelineError
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.ingest.tables import Ingested, Target, ingest
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.quality import quality
from pipeline.recommendation import NEEDED, ranked, recommended
from pipeline.replay.fleet import replayed, shares, tasks_for
from pipeline.replay.replay import FIGURES
from pipeline.replay.task import Job, Outcome
from schemas.arrow import arrow_schema
from schemas.tables import GROUP_SUMMARY, RECOMMENDATION

_HOUR_US: Final = 3_600_000_000


@dataclass
class Run:
    """One run into the tables of a lake, stage by stage."""

    spark: SparkSession
    lake: Lake
    strategies: tuple[str, ...]
    progress: Progress
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    started: datetime = field(default_factory=lambda: datetime.now(UTC))

    def batch(self, paths: Sequence[str]) -> dict[str, Any]:
        """Make all tables from files of telemetry; return the row of ``runs``."""
        with self.progress.stage("reading"):
            files = input_files(self.spark, paths)
            tasks = tasks_for(sum(file.rows for file in files))
            came = ingest(rows_of(self.spark, files), Target(self.lake, self.run_id, tasks))
        outcome = self._replayed(came.telemetry, came.rows_used)
        _check_account(came.rows_used, outcome)
        repeated = outcome.files.get("rejected", [])
        rejected = self.lake.commit("rejected", repeated, after=came.rejected)
        versions = {"telemetry": came.telemetry, "rejected": rejected, **self._replaced(outcome)}
        row = self._row(
            kind="batch",
            versions=versions,
            rows_in=came.rows_in,
            rows_used=outcome.rows_used,
            rows_rejected=came.rows_in - outcome.rows_used,
            rows_pending=0,
            last_us=outcome.last_us,
            input=", ".join(paths),
            quality=quality(came.reasons, outcome, self.progress.seconds),
            progress=json.dumps({"horizon": outcome.last_us}),
        ) | {
            "snapshots": outcome.snapshots,
            "groups": outcome.groups,
            "first_snapshot": _at(outcome.first_us),
        }
        self._publish(row)
        return row

    def again(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """Replay the telemetry that is there for other strategies; return the row of ``runs``."""
        versions = dict(base["versions"])
        horizon = json.loads(base["progress"])["horizon"]
        outcome = self._replayed(versions["telemetry"], base["rows_used"], until_us=horizon)
        versions |= self._replaced(outcome)
        row = {
            **base,
            "run_id": self.run_id,
            "started_at": self.started,
            "finished_at": datetime.now(UTC),
            "strategies": list(self.strategies),
            "versions": versions,
        }
        self._publish(row)
        return row

    def _replayed(self, telemetry: int, rows: int, until_us: int | None = None) -> Outcome:
        """Replay a version of telemetry from its beginning."""
        job = Job(self.lake, self.strategies, until_us=until_us)
        with self.progress.stage("replaying"):
            parts = shares(self.lake, {"telemetry": telemetry}, tasks_for(rows))
            return replayed(self.spark, job, parts)

    def _replaced(self, outcome: Outcome) -> dict[str, int]:
        """Replace the tables that a replay makes; return their versions."""
        names = (*FIGURES, "checkpoint")
        with self.progress.stage("writing"):
            return {
                **{name: self.lake.commit(name, outcome.files.get(name, [])) for name in names},
                "recommendation": self.lake.write("recommendation", outcome.recommendation),
            }

    def _row(self, *, last_us: int | None, **known: object) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "started_at": self.started,
            "finished_at": datetime.now(UTC),
            "strategies": list(self.strategies),
            "last_snapshot": _at(last_us),
            **known,
        }

    def _publish(self, row: Mapping[str, Any], stream: tuple[str, int] | None = None) -> None:
        with self.progress.stage("publishing"):
            self.lake.publish(row, stream)


@dataclass(frozen=True)
class StreamOptions:
    """What holds for all micro-batches of a stream."""

    lateness: timedelta
    """How far the watermark stays behind the latest snapshot."""
    window: timedelta
    """How far back recommendations look."""
    source: str


@dataclass
class MicroBatch(Run):
    """One micro-batch: what arrived is added, what is before the watermark replayed."""

    options: StreamOptions = field(kw_only=True)
    query: str = field(kw_only=True)
    number: int = field(kw_only=True)

    def publish(self, rows: DataFrame | None, guess: int) -> dict[str, Any] | None:
        """Add about ``guess`` rows; return the row of ``runs``, None if already ingested."""
        if self.lake.published(self.query) >= self.number:
            return None
        base = self._base()
        versions = self.lake.roll_back(base["versions"])
        horizon = base["horizon"]
        came = Ingested(0, 0, versions["telemetry"], versions["rejected"], None, {})
        if rows is not None:
            target = Target(self.lake, self.run_id, tasks_for(guess), dict(versions), horizon)
            came = ingest(rows, target)
        versions |= {"telemetry": came.telemetry, "rejected": came.rejected}
        until = self._watermark(horizon, came.last)
        pending = base["rows_pending"] + came.rows_used
        outcome = self._replayed_until(versions, horizon, until, pending)
        rows_rejected = base["rows_rejected"] + came.rows_rejected + outcome.rows_rejected
        rows_in = base["rows_in"] + came.rows_in
        row = self._row(
            kind="stream",
            versions=versions,
            rows_in=rows_in,
            rows_used=rows_in - rows_rejected,
            rows_rejected=rows_rejected,
            rows_pending=pending - outcome.rows_used - outcome.rows_rejected,
            last_us=outcome.last_us or base["last"],
            input=self.options.source,
            quality=quality(came.reasons, outcome, self.progress.seconds, base["quality"]),
            progress=json.dumps({"horizon": until, "query": self.query, "batch": self.number}),
        ) | {
            "snapshots": base["snapshots"] + outcome.snapshots,
            "groups": outcome.groups or base["groups"],
            "first_snapshot": base["first_snapshot"] or _at(outcome.first_us),
        }
        self._publish(row, (self.query, self.number))
        return row

    def _base(self) -> dict[str, Any]:
        """Return the run that this batch follows on; zeros where there is none."""
        base = self.lake.latest()
        if base is None:
            counts = ("rows_in", "rows_rejected", "rows_pending", "snapshots", "groups")
            nothing = dict.fromkeys(("horizon", "last", "quality", "first_snapshot"))
            return {**dict.fromkeys(counts, 0), **nothing, "versions": {}}
        if tuple(base["strategies"]) != self.strategies:
            message = (
                f"{self.lake.output} was replayed for {', '.join(base['strategies'])}; give these "
                "as --strategies, or replay it for others first: python -m pipeline replay"
            )
            raise PipelineError(message)
        last = base["last_snapshot"]
        known = {"horizon": json.loads(base["progress"])["horizon"], "last": last and _us(last)}
        return {**base, **known}

    def _watermark(self, horizon: int | None, last: int | None) -> int | None:
        """Return the watermark after this batch: it never goes back, nor beyond the clock."""
        if last is None:
            return horizon
        now = int(self.started.timestamp() * 1e6)
        lateness = self.options.lateness // timedelta(microseconds=1)
        watermark = min(last, now) - lateness
        return watermark if horizon is None else max(horizon, watermark)

    def _replayed_until(
        self, versions: dict[str, int], since: int | None, until: int | None, rows: int
    ) -> Outcome:
        """Replay what the watermark has passed; put the new versions among the others."""
        if until is None or until == since:
            return Outcome()
        with self.progress.stage("replaying"):
            job = Job(self.lake, self.strategies, since, until)
            parts = shares(self.lake, versions, tasks_for(rows), since)
            outcome = replayed(self.spark, job, parts)
        with self.progress.stage("writing"):
            for name in (*FIGURES, "rejected"):
                files = outcome.files.get(name, [])
                versions[name] = self.lake.commit(name, files, after=versions[name])
            checkpoint = outcome.files.get("checkpoint", [])
            versions["checkpoint"] = self.lake.commit("checkpoint", checkpoint)
            has_none = not self.lake.actions("recommendation", versions["recommendation"]).num_rows
            if has_none or until // _HOUR_US > (since or 0) // _HOUR_US:
                first = until - self.options.window // timedelta(microseconds=1)
                summary = (self.lake, versions["group_summary"])
                advice = recommended_since(self.spark, *summary, self.strategies, first)
                versions["recommendation"] = self.lake.write("recommendation", advice)
        return outcome


def recommended_since(
    spark: SparkSession, lake: Lake, version: int, order: Sequence[str], since: int
) -> pa.Table:
    """Return the ranking over the snapshots after a moment, in microseconds since 1970."""

    def advice(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        received = list(batches)
        if received:
            yield from recommended(pa.Table.from_batches(received), order).to_batches()

    day = f"{datetime.fromtimestamp(since / 1e6, UTC):%Y-%m-%d}"
    files = lake.addresses("group_summary", version, since_day=day)
    if not files:
        return ranked(arrow_schema(RECOMMENDATION).empty_table())
    summary = spark.read.schema(GROUP_SUMMARY).parquet(*files)
    wanted = summary.where(F.col("snapshot_at") > F.timestamp_micros(F.lit(since)))
    by_group = wanted.select(*NEEDED).repartition("cluster", "group_id")
    return ranked(by_group.mapInArrow(advice, RECOMMENDATION).toArrow())


def _check_account(rows_used: int, outcome: Outcome) -> None:
    """Raise PipelineError unless the replay used or rejected every row of ``telemetry``."""
    if rows_used != outcome.rows_used + outcome.rows_rejected:
        message = (
            f"telemetry has {rows_used:,} rows, but {outcome.rows_used:,} were replayed and "
            f"{outcome.rows_rejected:,} rejected: nothing is published; this is a mistake in this "
            "program, please report it"
        )
        raise PipelineError(message)


def _at(moment_us: int | None) -> datetime | None:
    return None if moment_us is None else datetime.fromtimestamp(moment_us / 1e6, UTC)


def _us(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
