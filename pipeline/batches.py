"""A stream's micro-batches: new rows are added, and those before the watermark replayed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import timedelta
from typing import Any, Final

from pyspark.sql import DataFrame

from pipeline.backlog import Arrived
from pipeline.errors import PipelineError
from pipeline.horizons import Horizons, ReplayProgress, SeenSpan, Spans, joined, reached_in
from pipeline.ingest.spans import spans_of
from pipeline.ingest.tables import Destination, Ingested, ingest
from pipeline.replay.fleet import is_small, merged_states, tasks_for
from pipeline.replay.ranking import unranked_since
from pipeline.replay.replay import FIGURES
from pipeline.replay.task import TaskResult
from pipeline.retained import WINDOW
from pipeline.runs import Run, extent, judged_in, quality
from pipeline.session import interpreted
from pipeline.watching import watched

_HOUR_US: Final = 3_600_000_000
_US: Final = timedelta(microseconds=1)
_WRONG: Final = timedelta(days=1)
"""A horizon so far ahead of the clock was made by a clock that was wrong."""


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

        ``waits`` is asked once the rows of these ``files`` are read; while it is true the
        watermarks stay. Raises ConflictError if another run was published meanwhile.
        """
        if self.lake.published(self.query) >= self.number:
            return None
        newest = self.lake.latest()
        base = self._base(newest)
        versions = self.lake.roll_back(base["versions"])
        replayed, spans = base["reached"].replayed, dict[str, SeenSpan]()
        ingested = Ingested(0, 0, versions["telemetry"], versions["rejected"], [], {})
        if rows is not None:
            ingested, spans = self._added(rows, guess, files, versions, replayed)
        versions |= {"telemetry": ingested.telemetry, "rejected": ingested.rejected}
        seen = joined(base["reached"].seen, spans)
        is_held = waits(self._arrived(files, spans, base["reached"].seen))
        until = replayed if is_held else replayed.moved(self._watermarks(seen))
        outcome = self._replayed_until(versions, _since(replayed, seen), until)
        row = self._row_after(base, ingested, outcome, versions, ReplayProgress(until, seen))
        self._publish(row, newest, (self.query, self.number))
        return row

    def _added(
        self,
        rows: DataFrame,
        guess: int,
        files: int,
        versions: Mapping[str, int],
        replayed: Horizons,
    ) -> tuple[Ingested, dict[str, SeenSpan]]:
        """Add rows to the tables of these versions; return how many, and the spans of clusters."""
        tasks = tasks_for(guess, len(self.strategies))
        limit = self._limit(self.lateness)
        own = (self.lake, self.run_id, tasks, is_small(guess, files), dict(versions))
        destination = Destination(*own, horizons=replayed, limit=limit)
        telling = watched(self.spark, self.progress)
        with self.progress.stage("reading"), telling, interpreted(self.spark, guess):
            ingested = ingest(rows, destination)
            return ingested, spans_of(self.spark, self.lake, ingested)

    def _row_after(
        self,
        base: Mapping[str, Any],
        ingested: Ingested,
        outcome: TaskResult,
        versions: dict[str, int],
        reached: ReplayProgress,
    ) -> dict[str, Any]:
        """Return the row of ``runs``: what the batches so far and this one add up to."""
        pending = base["rows_pending"] + ingested.rows_used
        rows_rejected = ingested.rows_in - ingested.rows_used + outcome.rows_rejected
        rows_rejected += base["rows_rejected"]
        rows_in = base["rows_in"] + ingested.rows_in
        first, last = (extent(outcome)[f"{end}_snapshot"] for end in ("first", "last"))
        return self._row(
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
                    **reached.as_data(),
                    "query": self.query,
                    "batch": self.number,
                    "window_us": self.window // _US,
                }
            ),
            snapshots=base["snapshots"] + outcome.snapshots,
            groups=base["groups"] + outcome.groups,
            first_snapshot=base["first_snapshot"] or first,
            last_snapshot=last or base["last_snapshot"],
            judged_by=base["judged_by"],
        )

    def _base(self, base: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the run before this batch; zeros if there is none."""
        if base is None:
            counts = ("rows_in", "rows_rejected", "rows_pending", "snapshots", "groups")
            nothing = dict.fromkeys(("quality", "first_snapshot", "last_snapshot"))
            own = {"judged_by": self.judge_by.value, "reached": ReplayProgress()}
            return {**dict.fromkeys(counts, 0), **nothing, **own, "versions": {}}
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
        reached = reached_in(base["progress"])
        if reached.replayed.furthest > self._limit(_WRONG):
            reached = reached.capped(self._limit(timedelta(0)))
        return {**base, "reached": reached}

    def _arrived(self, files: int, spans: Spans, seen: Spans) -> Arrived:
        """Return what a batch brought after what the batches before it had."""
        lateness = self.lateness // _US
        is_wide = any(last - first > lateness for first, last in spans.values())
        goes_back = any(
            first < seen[cluster].last - lateness
            for cluster, (first, _) in spans.items()
            if cluster in seen
        )
        return Arrived(files, is_wide, goes_back)

    def _watermarks(self, seen: Spans) -> dict[str, int]:
        """Return the watermark of each cluster's latest snapshot, none of them past the clock."""
        now, lateness = self._limit(timedelta(0)), self.lateness // _US
        return {cluster: min(span.last, now) - lateness for cluster, span in seen.items()}

    def _replayed_until(
        self, versions: dict[str, int], since: Horizons, until: Horizons
    ) -> TaskResult:
        """Replay the snapshots before the watermarks; add the new versions to the others."""
        if all(until.of(cluster) <= since.of(cluster) for cluster in until.clusters):
            return TaskResult()
        outcome = self._replayed(versions, since, until, recommends=False)
        with self.progress.stage("writing"):
            for name in (*FIGURES, "rejected", "checkpoint"):
                files = outcome.files[name]
                versions[name] = self.lake.commit(name, files, after=versions[name])
            self._drop_rejected(versions, outcome)
            version = versions["checkpoint"]
            versions["checkpoint"] = merged_states(self.spark, self.lake, version, until)
            has_none = not self.lake.actions("recommendation", versions["recommendation"]).num_rows
            last = until.furthest
            if has_none or last // _HOUR_US > since.furthest // _HOUR_US:
                first = last - self.window // _US
                summary = (self.lake, versions["group_summary"])
                unranked = unranked_since(self.spark, *summary, self.strategies, first)
                versions["recommendation"] = self._ranked(unranked)
        return outcome


def _since(replayed: Horizons, seen: Spans) -> Horizons:
    """Return what lies before all rows still to be replayed; of a new cluster, its first one."""
    new = {cluster: span.first - 1 for cluster, span in seen.items() if not replayed.of(cluster)}
    return replayed.moved(new)
