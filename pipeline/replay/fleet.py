"""The replay of a fleet on Spark: its groups dealt to tasks, their files committed together."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import pyarrow as pa
from deltalake.transaction import AddAction
from pyspark.sql import SparkSession

from pipeline.lake import BUCKETS, Lake
from pipeline.recommendation import ranked
from pipeline.replay.task import Job, Share, work
from schemas.arrow import arrow_schema
from schemas.tables import RECOMMENDATION

ROWS_PER_TASK: Final = 250_000
"""Enough that what a task costs does not count, few enough that several fit in memory."""
_TASKS: Final = 16
"""So many also where there are fewer rows, for several cores to share."""
_FEW_ROWS: Final = 20_000
"""But not for as few as these."""
_ANSWER: Final = "name STRING, content BINARY"
_MOST_FAILURES: Final = 20


@dataclass(frozen=True)
class Outcome:
    """What all tasks of a replay leave."""

    files: dict[str, list[AddAction]]
    """By table; uncommitted."""
    recommendation: pa.Table
    """Of all groups, ranked, over the snapshots of this replay alone."""
    rows_used: int = 0
    rows_rejected: int = 0
    offsets_backwards: int = 0
    answers_missing: int = 0
    snapshots: int = 0
    groups: int = 0
    """Those in the checkpoint given too."""
    first: int | None = None
    """Microseconds since 1970."""
    last: int | None = None
    failures: list[Mapping[str, str]] = field(default_factory=list)

    @classmethod
    def nothing(cls) -> "Outcome":
        """Return what no task leaves."""
        return cls({}, arrow_schema(RECOMMENDATION).empty_table())


def tasks_for(rows: int) -> int:
    """Return into how many tasks so many rows are cut."""
    for_size, for_cores = -(-rows // ROWS_PER_TASK), min(_TASKS, rows // _FEW_ROWS)
    return min(max(for_size, for_cores, 1), BUCKETS)


def shares(
    lake: Lake, versions: Mapping[str, int], tasks: int, since: int | None = None
) -> list[Share]:
    """Return what each task reads of the versions of ``telemetry`` and, if given, ``checkpoint``.

    Files without a snapshot after ``since`` are left out.
    """
    telemetry = list(_files(lake, "telemetry", versions["telemetry"], since))
    known = "checkpoint" in versions
    checkpoint = list(_files(lake, "checkpoint", versions["checkpoint"], None)) if known else []
    # Ingest deals bucket b to task b * tasks // BUCKETS: these are the first of each.
    ends = [-(-bucket * BUCKETS // tasks) for bucket in range(tasks + 1)]
    return [
        Share(
            first,
            beyond,
            tuple(path for path, low, high in telemetry if low < beyond and high >= first),
            tuple(path for path, low, high in checkpoint if low < beyond and high >= first),
        )
        for first, beyond in pairwise(ends)
    ]


def _files(
    lake: Lake, table: str, version: int, since: int | None
) -> Iterator[tuple[str, int, int]]:
    """Yield the files of a table's version and the buckets in them, the first and the last."""
    actions = pa.table(lake.table(table, version).get_add_actions(flatten=True))
    if not actions.num_rows:
        return
    names = ["path", "min.bucket", "max.bucket", "max.snapshot_at"]
    for row in (
        actions.select(names)
        .set_column(
            3, "last", actions["max.snapshot_at"].cast(pa.timestamp("us", "UTC")).cast(pa.int64())
        )
        .to_pylist()
    ):
        if since is None or row["last"] is None or row["last"] + 1_000 > since:
            low, high = row["min.bucket"], row["max.bucket"]
            yield row["path"], 0 if low is None else low, BUCKETS if high is None else high


def replayed(spark: SparkSession, job: Job, dealt: Sequence[Share]) -> Outcome:
    """Replay every share on Spark."""
    parts = [share for share in dealt if share.telemetry or share.checkpoint]
    found: dict[str, list[pa.Table]] = {}
    if parts:
        for row in _answers(spark, job, parts).to_pylist():
            content = pa.ipc.open_stream(row["content"]).read_all()
            found.setdefault(row["name"], []).append(content)
    files: dict[str, list[AddAction]] = {}
    for table in found.get("files", []):
        for row in table.to_pylist():
            files.setdefault(row["table"], []).append(_action(row))
    advice = [arrow_schema(RECOMMENDATION).empty_table(), *found.get("recommendation", [])]
    outcome = [json.loads(t["outcome"][0].as_py()) for t in found.get("outcome", [])]
    return Outcome(files=files, recommendation=ranked(pa.concat_tables(advice)), **_summed(outcome))


def _answers(spark: SparkSession, job: Job, parts: Sequence[Share]) -> pa.Table:
    def answers(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch["number"].to_pylist():
                for name, content in work(job, parts[number]).items():
                    yield pa.record_batch({"name": [name], "content": [_message(content)]})

    numbers = spark.range(len(parts)).selectExpr("CAST(id AS INT) AS number")
    dealt = numbers.repartitionById(len(parts), numbers["number"])
    return dealt.mapInArrow(answers, _ANSWER).toArrow()


def _message(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def _action(row: Mapping[str, Any]) -> AddAction:
    day = {"day": row["day"]} if row["day"] else {}
    return AddAction(
        row["path"], row["size"], day, row["written"], data_change=True, stats=row["stats"]
    )


def _summed(outcome: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what tasks report as one."""
    if not outcome:
        return {}
    ends = [each["first"] for each in outcome if each["first"] is not None]
    lasts = [each["last"] for each in outcome if each["last"] is not None]
    names = ("rows_used", "rows_rejected", "offsets_backwards", "answers_missing")
    return {
        **{name: sum(each[name] for each in outcome) for name in (*names, "snapshots", "groups")},
        "first": min(ends, default=None),
        "last": max(lasts, default=None),
        "failures": [failure for each in outcome for failure in each["failures"]][:_MOST_FAILURES],
    }
