"""Replay a fleet on Spark: groups are spread over tasks, and their files committed together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from pyspark.sql import SparkSession

from pipeline.actions import TICK
from pipeline.horizons import EVERYTHING, NOTHING, Horizons, moment
from pipeline.lake import BUCKETS, Lake
from pipeline.replay.parts import Share, most_rows
from pipeline.replay.states import merge, to_merge
from pipeline.replay.task import TaskResult, TaskSettings, merged, without, work
from pipeline.tasks import in_tasks

_STATISTICS: Final = (
    *("max.snapshot_at", "min.bucket", "max.bucket"),
    *("min.cluster", "max.cluster"),
)
_TASKS: Final = 8
"""The fewest tasks, so that several cores share the work."""
_FEW_ROWS: Final = 20_000
"""Below this many rows one task is enough."""


_FEW_FILES: Final = 8
"""A task reads one after another, which takes long from an object store."""


class _File(NamedTuple):
    """A file of a table, with its first and last bucket."""

    path: str
    low: int
    high: int
    rows: int


def tasks_for(rows: int, strategies: int) -> int:
    """Return the number of tasks for this many rows."""
    for_size, for_cores = -(-rows // most_rows(strategies)), min(_TASKS, rows // _FEW_ROWS)
    return min(max(for_size, for_cores, 1), BUCKETS)


def is_small(rows: int, files: int) -> bool:
    """Tell whether a task reads these files sooner than several; 0 means an unknown number."""
    return 0 < rows < _FEW_ROWS and 0 < files <= _FEW_FILES


def shares(
    lake: Lake,
    versions: Mapping[str, int],
    strategies: int,
    since: Horizons = NOTHING,
    until: Horizons = EVERYTHING,
) -> list[Share]:
    """Return each task's share of these versions of ``telemetry`` and, if given, ``checkpoint``.

    Files whose snapshots have all been replayed are skipped.
    """
    telemetry = list(_files(lake, "telemetry", versions["telemetry"], since, until))
    known = "checkpoint" in versions
    checkpoint = list(_files(lake, "checkpoint", versions["checkpoint"])) if known else []
    found = []
    for first, beyond in pairwise(_ends(telemetry, strategies)):
        own = [file for file in telemetry if file.low < beyond and file.high >= first]
        paths = tuple(file.path for file in own)
        states = tuple(file.path for file in checkpoint if file.low < beyond and file.high >= first)
        rows, buckets = sum(file.rows for file in own), range(first, beyond)
        found.append(Share(buckets, paths, states, rows, since, until))
    return [share for share in found if share.telemetry]


def _ends(files: Sequence[_File], strategies: int) -> list[int]:
    """Return the buckets at which shares of about equal size begin and end.

    A share rather ends where files do, so that each is read once; a large group is a share alone.
    """
    weight, is_within = np.zeros(BUCKETS), np.zeros(BUCKETS + 1, np.bool_)
    for file in files:
        weight[file.low : file.high + 1] += file.rows / (file.high - file.low + 1)
        is_within[file.low + 1 : file.high + 1] = True
    total = int(weight.sum())
    enough = total / tasks_for(total, strategies)
    ends, filled = [0], 0.0
    for bucket in range(BUCKETS - 1):
        filled += weight[bucket]
        is_full = filled + weight[bucket + 1] / 2 > enough
        if filled and (is_full if is_within[bucket + 1] else filled > enough / 2):
            ends.append(bucket + 1)
            filled = 0.0
    return [*ends, BUCKETS]


def _files(
    lake: Lake,
    table: str,
    version: int,
    since: Horizons = NOTHING,
    until: Horizons = EVERYTHING,
) -> Iterator[_File]:
    """Yield the files that may have rows after ``since`` of a cluster that moves to ``until``."""
    named = {cluster: since.of(cluster) for cluster in {*since.clusters, *until.clusters}}
    moving = {cluster: each for cluster, each in named.items() if each < until.of(cluster)}
    rest = [since.others] if since.others < until.others else []
    for file in lake.actions(table, version).to_pylist():
        last, low, high, *ends = (file[end] for end in _STATISTICS)
        within = (
            each for name, each in moving.items() if None in ends or ends[0] <= name <= ends[1]
        )
        own = min([*within, *rest], default=None)
        if own is not None and (last is None or last > moment(own) - TICK):
            low, high = 0 if low is None else low, BUCKETS - 1 if high is None else high
            yield _File(file["path"], low, high, file["num_records"])


def replayed(spark: SparkSession, job: TaskSettings, all_shares: Sequence[Share]) -> TaskResult:
    """Replay every share on Spark."""
    return merged(in_tasks(spark, lambda share: work(job, share), all_shares))


def merged_states(spark: SparkSession, lake: Lake, version: int, until: Horizons) -> int:
    """Merge the files of ``checkpoint`` if there are many; return the version."""
    rows = {file.path: file.rows for file in _files(lake, "checkpoint", version)}
    paths = to_merge(rows)
    if not paths:
        return version
    ends = _ends([_File("", 0, BUCKETS - 1, sum(rows[path] for path in paths))], 0)
    ranges = [range(first, beyond) for first, beyond in pairwise(ends)]
    files = in_tasks(spark, lambda buckets: merge(lake, paths, buckets, until), ranges)
    return lake.replace("checkpoint", paths, [file for file in files if file], after=version)


def without_rejected(spark: SparkSession, lake: Lake, outcome: TaskResult, version: int) -> int:
    """Drop the rows from ``telemetry`` that the replay rejected; return the version."""
    dropped = list(outcome.dropped.items())
    files = in_tasks(spark, lambda each: without(lake, each[0], np.concatenate(each[1])), dropped)
    kept = [file for file in files if file]
    return lake.replace("telemetry", list(outcome.dropped), kept, after=version)
