"""Replay a fleet on Spark: groups are spread over tasks, and their files committed together."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import pyarrow as pa
from deltalake.transaction import AddAction
from pyspark.sql import SparkSession

from pipeline.lake import BUCKETS, Lake
from pipeline.recommendation import ranked
from pipeline.replay.task import MOST_FAILURES, Job, Share, TaskResult, without, work

_T = TypeVar("_T")
_U = TypeVar("_U")

ROWS_PER_TASK: Final = 250_000
"""Enough to outweigh the overhead of a task, few enough that several tasks fit in memory."""
_TASKS: Final = 8
"""The fewest tasks, so that several cores share the work."""
_COUNTS: Final = (*("rows_used", "offsets_backwards", "answers_missing", "snapshots", "groups"),)
_ENDS: Final = ("max.snapshot_at", "min.bucket", "max.bucket")
_FEW_ROWS: Final = 20_000
"""Below this many rows one task is enough."""


def tasks_for(rows: int) -> int:
    """Return the number of tasks for this many rows."""
    for_size, for_cores = -(-rows // ROWS_PER_TASK), min(_TASKS, rows // _FEW_ROWS)
    return min(max(for_size, for_cores, 1), BUCKETS)


def shares(
    lake: Lake, versions: Mapping[str, int], tasks: int, since_us: int | None = None
) -> list[Share]:
    """Return each task's share of these versions of ``telemetry`` and, if given, ``checkpoint``.

    Files without a snapshot after ``since_us`` are skipped.
    """
    telemetry = list(_files(lake, "telemetry", versions["telemetry"], since_us))
    known = "checkpoint" in versions
    checkpoint = list(_files(lake, "checkpoint", versions["checkpoint"], None)) if known else []
    # Ingest gives bucket b to task b * tasks // BUCKETS: these are the first of each.
    ends = [-(-bucket * BUCKETS // tasks) for bucket in range(tasks + 1)]
    return [
        Share(
            range(first, beyond),
            tuple(path for path, low, high in telemetry if low < beyond and high >= first),
            tuple(path for path, low, high in checkpoint if low < beyond and high >= first),
        )
        for first, beyond in pairwise(ends)
    ]


def _files(
    lake: Lake, table: str, version: int, since_us: int | None
) -> Iterator[tuple[str, int, int]]:
    """Yield the files of a table's version with their first and last bucket."""
    # Delta's statistics keep milliseconds.
    since = None if since_us is None else datetime.fromtimestamp((since_us - 1_000) / 1e6, UTC)
    for file in lake.actions(table, version).to_pylist():
        last, low, high = (file[end] for end in _ENDS)
        if since is None or last is None or last > since:
            yield file["path"], 0 if low is None else low, BUCKETS if high is None else high


def replayed(spark: SparkSession, job: Job, all_shares: Sequence[Share]) -> TaskResult:
    """Replay every share on Spark; the recommendation is ranked over all of them."""
    parts = [share for share in all_shares if share.telemetry or share.checkpoint]
    outcomes = in_tasks(spark, lambda share: work(job, share), parts)
    return _merged(outcomes) if outcomes else TaskResult()


def without_rejected(
    spark: SparkSession, lake: Lake, outcome: TaskResult
) -> dict[str, AddAction | None]:
    """Write the files of ``telemetry`` with rejected rows again; return path -> new file."""
    paths = list(outcome.dropped)
    files = in_tasks(
        spark,
        lambda each: without(lake, each[0], np.concatenate(each[1])),
        list(outcome.dropped.items()),
    )
    return dict(zip(paths, files, strict=True))


def in_tasks(spark: SparkSession, do: Callable[[_T], _U], parts: Sequence[_T]) -> list[_U]:
    """Return the results of a function for every part, each in a task of Spark."""

    def results(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch["number"].to_pylist():
                result = pickle.dumps((number, do(parts[number])))
                yield pa.record_batch({"result": [result]})

    if not parts:
        return []
    numbers = spark.range(len(parts)).selectExpr("CAST(id AS INT) AS number")
    spread = numbers.repartitionById(len(parts), numbers["number"])
    table = spread.mapInArrow(results, "result BINARY").toArrow()
    known = dict(pickle.loads(each) for each in table["result"].to_pylist())  # noqa: S301 -- ours
    return [known[number] for number in range(len(parts))]


def _merged(outcomes: Sequence[TaskResult]) -> TaskResult:
    """Combine the results of all tasks."""
    files = {
        table: [file for each in outcomes for file in each.files.get(table, [])]
        for table in {table for each in outcomes for table in each.files}
    }
    dropped = {
        path: [places for each in outcomes for places in each.dropped.get(path, [])]
        for path in {path for each in outcomes for path in each.dropped}
    }
    return TaskResult(
        files=files,
        dropped=dropped,
        reasons=sum((each.reasons for each in outcomes), Counter()),
        recommendation=ranked(pa.concat_tables([each.recommendation for each in outcomes])),
        **{name: sum(getattr(each, name) for each in outcomes) for name in _COUNTS},
        first_us=min((o.first_us for o in outcomes if o.first_us is not None), default=None),
        last_us=max((o.last_us for o in outcomes if o.last_us is not None), default=None),
        failures=[failure for each in outcomes for failure in each.failures][:MOST_FAILURES],
    )
