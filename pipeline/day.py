"""A run that replaces one day of telemetry, and what follows from it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import Any

from pipeline.horizons import EVERYTHING, Horizons, ReplayProgress, SeenSpan, reached_in
from pipeline.ingest.spans import spans_of
from pipeline.ingest.tables import Ingested
from pipeline.replay.replay import FIGURES
from pipeline.replay.task import TaskResult
from pipeline.runs import Run, extent, quality


@dataclass
class DayRun(Run):
    """One replaced day.

    The telemetry of other days stays. All of it is replayed, because every assignment follows from
    the one before, but only the figures of this day and of later ones are written.
    """

    _: KW_ONLY
    day: date
    base: Mapping[str, Any]
    """The newest row of ``runs``."""

    def publish(self, paths: Sequence[str]) -> dict[str, Any]:
        """Replace the day by the rows of these files; return the row of ``runs``.

        Raises ConflictError if another run was published meanwhile.
        """
        base, versions = self.base, self.lake.roll_back(self.base["versions"])
        replaced = self.lake.of_days("telemetry", versions["telemetry"], self.day, self.day)
        ingested = self._ingested(paths, dict(versions), self.day)
        old, version = replaced["path"].to_pylist(), ingested.telemetry
        versions["telemetry"] = self.lake.replace("telemetry", old, [], after=version)
        versions["rejected"] = ingested.rejected
        telemetry = {"telemetry": versions["telemetry"]}
        is_stream = base["kind"] == "stream"
        reached = self._reached(ingested) if is_stream else ReplayProgress(EVERYTHING)
        outcome = self._replayed(telemetry, until=reached.replayed, first=self.day)
        if not is_stream:
            reached = ReplayProgress(Horizons(outcome.last_us))
        self._write(versions, outcome)
        gone = sum(replaced["num_records"].to_pylist())
        rows_used = base["rows_used"] - gone + ingested.rows_used - outcome.rows_rejected
        rows_in = base["rows_in"] - gone + ingested.rows_in
        reasons = {each["reason"]: each["rows"] for each in json.loads(base["quality"])["rejected"]}
        row = self._row(
            versions=versions,
            rows_in=rows_in,
            rows_used=rows_used,
            rows_rejected=rows_in - rows_used,
            rows_pending=rows_used - outcome.rows_used,
            quality=quality(
                Counter(reasons) + Counter(ingested.reasons), outcome, self.progress.seconds
            ),
            progress=json.dumps(json.loads(base["progress"]) | reached.as_data()),
            judged_by=base["judged_by"],
            **extent(outcome),
        )
        self._publish({**base, **row}, base)
        return {**base, **row}

    def _reached(self, ingested: Ingested) -> ReplayProgress:
        """Return how far a stream has come; of clusters that are new to it, all is replayed."""
        before, spans = reached_in(self.base["progress"]), spans_of(self.spark, self.lake, ingested)
        known = {
            cluster: SeenSpan(min(first, spans.get(cluster, (first, last))[0]), last)
            for cluster, (first, last) in before.seen.items()
        }
        new = {
            cluster: span
            for cluster, span in spans.items()
            if cluster not in known and not before.replayed.of(cluster)
        }
        ends = {cluster: span.last for cluster, span in new.items()}
        return ReplayProgress(before.replayed.moved(ends), known | new)

    def _write(self, versions: dict[str, int], outcome: TaskResult) -> None:
        """Replace the figures from the day on, and what has no days; update the versions."""
        with self.progress.stage("writing"):
            lake, files = self.lake, outcome.files
            for name in FIGURES:
                old = lake.of_days(name, versions[name], self.day)["path"].to_pylist()
                versions[name] = lake.replace(name, old, files[name], after=versions[name])
            after = versions["rejected"]
            versions["rejected"] = lake.commit("rejected", files["rejected"], after=after)
            versions["checkpoint"] = lake.commit("checkpoint", files["checkpoint"])
            versions["recommendation"] = self._ranked(files["recommendation"])
            self._drop_rejected(versions, outcome)
