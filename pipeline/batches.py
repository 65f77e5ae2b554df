"""A stream's micro-batches: new rows are added, and those before the watermark replayed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import timedelta
from typing import Any, Final

from pyspark.sql import DataFrame

from pipeline.backlog import Arrived
from pipeline.errors import PipelineError
from pipeline.ingest.tables import Destination, Ingested, ingest
from pipeline.replay.fleet import merged_states, tasks_for
from pipeline.replay.ranking import unranked_since
from pipeline.replay.replay import FIGURES
from pipeline.replay.task import TaskResult
from pipeline.retained import WINDOW
from pipeline.runs import Run, judged_in, moment, quality
from pipeline.session import interpreted
from pipeline.watching import watched

_HOUR_US: Final = 3_600_000_000


@dataclass
class MicroBatch(Run):
    """One micro-batch of a stream."""

    _: KW_ONLY
    lateness: timedelta
    """How far the watermark stays behind the latest snapshot."""
    window: timedelta = WINDOW
    """How far back recommendations look."""
    source: str = ""
    query: str
    number: int

    def publish(
        self,
        rows: DataFrame | None,
        guess: int,
        waits: Callable[[Arrived], bool] = lambda _: False,
        files: int = 0,
    ) -> dict[str, Any] | None:
        """Add about ``guess`` rows; return the row of ``runs``, or None if already ingested.

        ``waits`` is asked once the rows of these ``files`` are read; while it is true the watermark
        stays. Raises ConflictError if another run was published meanwhile.
        """
        if self.lake.published(self.query) >= self.number:
            return None
        newest = self.lake.latest()
        base = self._base(newest)
        versions = self.lake.roll_back(base["versions"])
        horizon = base["horizon"]
        ingested = Ingested(0, 0, versions["telemetry"], versions["rejected"], None, None, {})
        if rows is not None:
            tasks = tasks_for(guess, len(self.strategies))
            limit = self._limit(self.lateness)
            destination = Destination(self.lake, self.run_id, tasks, dict(versions), horizon, limit)
            telling = watched(self.spark, self.progress)
            with self.progress.stage("reading"), telling, interpreted(self.spark, guess):
                ingested = ingest(rows, destination)
        versions |= {"telemetry": ingested.telemetry, "rejected": ingested.rejected}
        latest = max((at for at in (base["latest"], ingested.last) if at is not None), default=None)
        is_held = waits(self._arrived(files, ingested, base["latest"]))
        until = horizon if is_held else self._watermark(horizon, latest)
        pending = base["rows_pending"] + ingested.rows_used
        outcome = self._replayed_until(versions, horizon, until)
        rows_rejected = ingested.rows_in - ingested.rows_used + outcome.rows_rejected
        rows_rejected += base["rows_rejected"]
        rows_in = base["rows_in"] + ingested.rows_in
        row = self._row(
            kind="stream",
            versions=versions,
            rows_in=rows_in,
            rows_used=rows_in - rows_rejected,
            rows_rejected=rows_rejected,
            rows_pending=pending - outcome.rows_used - outcome.rows_rejected,
            input=self.source,
            quality=quality(ingested.reasons, outcome, self.progress.seconds, base["quality"]),
            progress=json.dumps(
                {
                    "horizon": until,
                    "latest": latest,
                    "query": self.query,
                    "batch": self.number,
                    "window_us": self.window // timedelta(microseconds=1),
                }
            ),
            snapshots=base["snapshots"] + outcome.snapshots,
            groups=base["groups"] + outcome.groups,
            first_snapshot=base["first_snapshot"] or moment(outcome.first_us),
            last_snapshot=moment(outcome.last_us) or base["last_snapshot"],
            judged_by=base["judged_by"],
        )
        self._publish(row, newest, (self.query, self.number))
        return row

    def _base(self, base: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the run before this batch; zeros if there is none."""
        if base is None:
            counts = ("rows_in", "rows_rejected", "rows_pending", "snapshots", "groups")
            nothing = dict.fromkeys(
                ("horizon", "latest", "quality", "first_snapshot", "last_snapshot")
            )
            judged = {"judged_by": self.judge_by.value}
            return {**dict.fromkeys(counts, 0), **nothing, **judged, "versions": {}}
        if tuple(base["strategies"]) != self.strategies:
            message = (
                f"{self.lake.output} was replayed for {', '.join(base['strategies'])}; give these "
                "as --strategies, or replay it for others first: python -m pipeline replay"
            )
            raise PipelineError(message)
        if (before := judged_in(base)) is not self.judge_by:
            message = (
                f"{self.lake.output} is judged by {before.value}; give --judge-by {before.value}, "
                f"or replay it first: python -m pipeline replay --judge-by {self.judge_by.value}"
            )
            raise PipelineError(message)
        progress = json.loads(base["progress"])
        return {**base, "horizon": progress["horizon"], "latest": progress.get("latest")}

    def _arrived(self, files: int, ingested: Ingested, latest: int | None) -> Arrived:
        """Return what a batch brought after this latest snapshot of the batches before."""
        first, last = ingested.first, ingested.last
        if first is None or last is None:
            return Arrived(files, is_wide=False, goes_back=False)
        lateness = self.lateness // timedelta(microseconds=1)
        goes_back = latest is not None and first < latest - lateness
        return Arrived(files, is_wide=last - first > lateness, goes_back=goes_back)

    def _watermark(self, horizon: int | None, last: int | None) -> int | None:
        """Return the watermark of the latest snapshot; it never moves back, nor past the clock."""
        if last is None:
            return horizon
        now = int(self.started.timestamp() * 1e6)
        lateness = self.lateness // timedelta(microseconds=1)
        watermark = min(last, now) - lateness
        return watermark if horizon is None else max(horizon, watermark)

    def _replayed_until(
        self, versions: dict[str, int], since: int | None, until: int | None
    ) -> TaskResult:
        """Replay the snapshots before the watermark; add the new versions to the others."""
        if until is None or until == since:
            return TaskResult()
        outcome = self._replayed(versions, since, until, recommends=False)
        with self.progress.stage("writing"):
            for name in (*FIGURES, "rejected", "checkpoint"):
                files = outcome.files[name]
                versions[name] = self.lake.commit(name, files, after=versions[name])
            self._drop_rejected(versions, outcome)
            version = versions["checkpoint"]
            versions["checkpoint"] = merged_states(self.spark, self.lake, version)
            has_none = not self.lake.actions("recommendation", versions["recommendation"]).num_rows
            if has_none or until // _HOUR_US > (since or 0) // _HOUR_US:
                first = until - self.window // timedelta(microseconds=1)
                summary = (self.lake, versions["group_summary"])
                unranked = unranked_since(self.spark, *summary, self.strategies, first)
                versions["recommendation"] = self._ranked(unranked)
        return outcome
