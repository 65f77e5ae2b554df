"""Tables at an output: creation, rollback, refusal."""

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from errno import EFBIG
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake

from pipeline.conflicts import ConflictError, started_over
from pipeline.errors import PipelineError
from pipeline.jobs.maintain import compacted
from pipeline.lake import Lake
from schemas.arrow import arrow_schema
from schemas.tables import GROUP_SUMMARY, REJECTED, RUNS, TABLES, columns
from tests.pipeline.lakes import added
from tests.pipeline.processes import finished, pipeline


def lake_in(folder: Path) -> Lake:
    lake = Lake(str(folder))
    lake.prepare()
    return lake


def rejected(raw: str) -> pa.Table:
    row = {"file": "a.json", "reason": "bad", "raw": raw, "rows": 1}
    return pa.Table.from_pylist([row], arrow_schema(REJECTED))


def raws(lake: Lake, version: int | None = None) -> list[str]:
    found: list[str] = lake.rows("rejected", version)["raw"].to_pylist()
    return found


def test_every_table_is_there_with_its_columns_and_partitions(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)

    for name, ddl in TABLES.items():
        table = lake.table(name)
        assert lake.rows(name).schema == arrow_schema(ddl)
        assert table.metadata().partition_columns == (["day"] if "day" in ddl else [])
    assert lake.latest() is None


def test_what_was_not_published_is_rolled_back(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    kept = added(lake, "rejected", rejected("kept"), after=0)
    added(lake, "rejected", rejected("lost"), after=kept)

    versions = lake.roll_back({"rejected": kept})

    assert raws(lake) == raws(lake, versions["rejected"]) == ["kept"]


def published(lake: Lake, run_id: str, at: datetime, **versions: int) -> dict[str, Any]:
    lake.publish({"run_id": run_id, "finished_at": at, "versions": versions}, lake.latest())
    found = lake.latest()
    assert found is not None
    return found


def test_a_full_disk_is_told_in_a_sentence_and_what_is_published_stays(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    version = 0
    for raw in ("a", "b"):
        version = added(lake, "rejected", rejected(raw), after=version)
    before = published(lake, "base", datetime(2026, 3, 1, tzinfo=UTC), rejected=version)
    words = pipeline("maintain", "--output", tmp_path)

    ended = finished(["sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$@"', "sh", *words])

    assert ended.returncode == 1
    said = f"pipeline: maintain failed, and what is published stays: {os.strerror(EFBIG)}"
    assert ended.stderr == f"{said} (os error {EFBIG})\n"
    assert lake.latest() == before
    assert sorted(raws(lake, version)) == ["a", "b"]


def test_the_run_that_was_published_last_counts_whatever_the_clocks_say(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)

    for day in (2, 3, 1):
        found = published(lake, f"{day}", datetime(2026, 3, day, tzinfo=UTC), rejected=day)
        assert (found["run_id"], found["versions"]) == (f"{day}", {"rejected": day})

    assert found["finished_at"] == datetime(2026, 3, 3, 0, 0, 0, 1_000, tzinfo=UTC)


def test_a_run_of_an_earlier_release_has_null_where_columns_came_later(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    names = [name for name in arrow_schema(RUNS).names if name != "judged_by"]
    row = {"run_id": "old", "finished_at": datetime(2026, 3, 1, tzinfo=UTC), "versions": {}}
    schema = pa.schema([arrow_schema(RUNS).field(name) for name in names])
    write_deltalake(f"{tmp_path}/runs", pa.Table.from_pylist([row], schema))

    lake.prepare()
    newest = lake.latest()

    assert newest is not None
    assert (newest["run_id"], newest["judged_by"]) == ("old", None)


def test_a_run_is_refused_when_another_was_published_since_its_base(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    base = published(lake, "base", noon)
    published(lake, "batch", noon)

    for stale in (base, None):
        with pytest.raises(ConflictError, match="something else wrote to the table runs"):
            lake.publish({"run_id": "late", "finished_at": noon, "versions": {}}, stale)

    newest = lake.latest()
    assert newest is not None
    assert newest["run_id"] == "batch"


@dataclass(frozen=True)
class InterruptedLake(Lake):
    """Something happens, once, after the version of a table was read."""

    events: list[Callable[[], object]] = field(default_factory=list)
    read: str = "runs"

    def table(self, name: str, version: int | None = None) -> DeltaTable:
        table = super().table(name, version)
        if self.events and name == self.read:
            self.events.pop()()
        return table


def test_a_commit_without_a_row_beside_it_refuses_no_run(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    base = published(lake, "base", datetime(2026, 3, 1, tzinfo=UTC))
    before = lake.table("runs").version()
    touch = partial(lake.table("runs").alter.set_table_properties, {"delta.appendOnly": "false"})

    run = {"run_id": "next", "finished_at": datetime(2026, 3, 2, tzinfo=UTC), "versions": {}}
    InterruptedLake(lake.output, events=[touch]).publish(run, base)

    newest = lake.latest()
    assert newest is not None
    assert (newest["run_id"], lake.table("runs").version()) == ("next", before + 2)


def test_a_run_is_refused_when_another_is_published_at_the_same_moment(tmp_path: Path) -> None:
    lake, noon = lake_in(tmp_path), datetime(2026, 3, 1, 12, tzinfo=UTC)
    base = published(lake, "base", noon)
    beside = InterruptedLake(lake.output, events=[partial(published, lake, "batch", noon)])

    with pytest.raises(ConflictError, match="something else wrote to the table runs"):
        beside.publish({"run_id": "late", "finished_at": noon, "versions": {}}, base)

    assert sorted(lake.rows("runs")["run_id"].to_pylist()) == ["base", "batch"]


class BesideStream(Lake):
    """A micro-batch is published while the first attempt compacts."""

    def compact(self, table: str, oldest: datetime | None, *, after: int) -> int:
        version = super().compact(table, oldest, after=after)
        newest = self.latest()
        if newest is not None and newest["run_id"] == "base":
            stream = Lake(self.output, self.storage)
            after = newest["versions"]["rejected"]
            version_of_batch = added(stream, "rejected", rejected("batch"), after=after)
            at = datetime(2026, 3, 1, tzinfo=UTC)
            published(stream, "batch", at, rejected=version_of_batch)
        return version


def test_maintenance_beside_a_stream_keeps_the_batch_that_came_between(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    first = added(lake, "rejected", rejected("base"), after=0)
    published(lake, "base", datetime(2026, 3, 1, tzinfo=UTC), rejected=first)

    versions = started_over(lambda: compacted(BesideStream(lake.output), None))

    newest = lake.latest()
    assert newest is not None
    assert (newest["run_id"], newest["versions"]) == ("batch", versions)
    assert sorted(raws(lake, versions["rejected"])) == ["base", "batch"]


@dataclass(frozen=True)
class AmidBatch(Lake):
    """Once, a batch commits rows that it has not published, after what others left is undone."""

    arriving: list[str] = field(default_factory=lambda: ["unpublished"])

    def roll_back(self, versions: Mapping[str, int]) -> dict[str, int]:
        restored = super().roll_back(versions)
        if self.arriving:
            rows, after = rejected(self.arriving.pop()), restored["rejected"]
            added(Lake(self.output), "rejected", rows, after=after)
        return restored


def test_maintenance_publishes_no_row_that_a_batch_has_not_published(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    first = added(lake, "rejected", rejected("base"), after=0)
    published(lake, "base", datetime(2026, 3, 1, tzinfo=UTC), rejected=first)
    beside = AmidBatch(lake.output)

    versions = started_over(lambda: compacted(beside, None))

    assert not beside.arriving
    assert raws(lake, versions["rejected"]) == ["base"]


@pytest.mark.parametrize("is_left_over", [False, True])
def test_nothing_that_comes_while_others_rows_are_rolled_back_is_published(
    tmp_path: Path, is_left_over: bool
) -> None:
    lake = lake_in(tmp_path)
    first = added(lake, "rejected", rejected("base"), after=0)
    published(lake, "base", datetime(2026, 3, 1, tzinfo=UTC), rejected=first)
    if is_left_over:
        added(lake, "rejected", rejected("of a killed run"), after=first)
    arriving = partial(added, lake, "rejected", rejected("unpublished"), after=first + is_left_over)
    beside = InterruptedLake(lake.output, events=[arriving], read="rejected")

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        compacted(beside, None)
    versions = compacted(beside, None)

    assert not beside.events
    assert raws(lake, versions["rejected"]) == ["base"]


def test_nothing_that_comes_while_files_are_merged_is_published(tmp_path: Path) -> None:
    lake, version = lake_in(tmp_path), 0
    for raw in ("one file", "another"):
        version = added(lake, "rejected", rejected(raw), after=version)
    published(lake, "base", datetime(2026, 3, 1, tzinfo=UTC), rejected=version)
    arriving = partial(added, lake, "rejected", rejected("unpublished"), after=version)
    beside = InterruptedLake(lake.output, events=[arriving], read="rejected")

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        beside.compact("rejected", None, after=version)
    versions = compacted(beside, None)

    assert not beside.events
    assert sorted(raws(lake, versions["rejected"])) == ["another", "one file"]


def test_only_days_with_several_small_files_are_written_again(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    for day, group in ((1, "b"), (2, "b"), (2, "a")):
        row = dict.fromkeys(columns(GROUP_SUMMARY)) | {"group_id": group, "cluster": "eu"}
        row |= {"snapshot_at": datetime(2026, 3, day, tzinfo=UTC), "day": date(2026, 3, day)}
        rows = pa.Table.from_pylist([row], arrow_schema(GROUP_SUMMARY))
        added(lake, "group_summary", rows, after=lake.table("group_summary").version())
    written = lake.actions("group_summary")["path"].to_pylist()
    (alone,) = [path for path in written if "2026-03-01" in path]

    first = lake.compact("group_summary", None, after=lake.table("group_summary").version())

    paths = lake.actions("group_summary")["path"].to_pylist()
    assert len(paths) == 2
    assert alone in paths
    (merged,) = [path for path in paths if path != alone]
    assert pq.read_table(tmp_path / "group_summary" / merged)["group_id"].to_pylist() == ["a", "b"]
    assert lake.compact("group_summary", None, after=first) == first


def test_a_batch_of_a_stream_is_noted_in_the_commit_that_publishes_it(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)

    lake.publish({"finished_at": datetime.now(UTC), "versions": {}}, None, ("query", 7))

    assert (lake.published("query"), lake.published("other")) == (7, -1)


def test_adding_to_another_version_than_the_newest_is_refused(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    added(lake, "rejected", rejected("a"), after=0)

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        added(lake, "rejected", rejected("b"), after=0)
    assert raws(lake) == ["a"]


class RacedLake(Lake):
    """Another writer commits between reading a table's version and committing."""

    def table(self, name: str, version: int | None = None) -> DeltaTable:
        table = super().table(name, version)
        added(Lake(self.output, self.storage), name, rejected("theirs"))
        return table


@pytest.mark.parametrize("after", [0, None])
def test_of_two_concurrent_commits_one_is_refused(tmp_path: Path, after: int | None) -> None:
    lake = lake_in(tmp_path)

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        added(RacedLake(lake.output), "rejected", rejected("ours"), after=after)

    assert raws(lake) == ["theirs"]


def test_what_spark_left_goes_only_where_no_run_can_be_writing(tmp_path: Path) -> None:
    lake, day_s = lake_in(tmp_path), 86_400
    for age, name in ((2, "ended"), (0.9, "going-on")):
        for folder in (tmp_path / "telemetry" / name / "_temporary", tmp_path / "telemetry" / name):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".part-0.parquet.crc").touch()
            os.utime(folder, (time.time() - age * day_s,) * 2)

    lake.vacuum("telemetry", timedelta(0), [0])

    left = {f"{place.relative_to(tmp_path)}" for place in (tmp_path / "telemetry").glob("[!_]*/*")}
    names = ("_temporary", ".part-0.parquet.crc")
    assert left == {f"telemetry/going-on/{name}" for name in names}
    assert not (tmp_path / "telemetry" / "ended").exists()


@pytest.mark.parametrize(
    "left", ["run_report.json", "_current/x", "group_summary/day=2026-03-01/part-0.parquet"]
)
def test_a_folder_of_the_earlier_format_is_refused_in_a_sentence(tmp_path: Path, left: str) -> None:
    (tmp_path / left).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / left).write_text("{}")

    with pytest.raises(PipelineError, match=r"earlier version of this program.*run again"):
        Lake(str(tmp_path)).prepare()


@pytest.mark.parametrize("table", ["partition_lag", "group_summary", "recommendation"])
def test_the_change_feed_has_what_a_published_version_added(tmp_path: Path, table: str) -> None:
    lake = lake_in(tmp_path)
    first = added(lake, table, _of_group(table, "before"), after=0)
    second = added(lake, table, _of_group(table, "new"), after=first)
    lake.compact(table, None, after=second)

    feed = lake.table(table).load_cdf(starting_version=first + 1)

    rows = pa.table(feed.read_all()).select(["group_id", "_change_type", "_commit_version"])
    assert rows.to_pylist() == [
        {"group_id": "new", "_change_type": "insert", "_commit_version": second}
    ]


@pytest.mark.parametrize("table", ["member_load", "group_summary", "recommendation"])
def test_in_the_change_feed_what_a_failed_run_left_is_taken_back(
    tmp_path: Path, table: str
) -> None:
    lake = lake_in(tmp_path)
    first = added(lake, table, _of_group(table, "before"), after=0)
    added(lake, table, _of_group(table, "left over"), after=first)
    versions = lake.roll_back({table: first})
    last = added(lake, table, _of_group(table, "new"), after=versions[table])

    feed = lake.table(table).load_cdf(starting_version=first + 1, ending_version=last)

    changes = Counter[str]()
    for row in pa.table(feed.read_all()).to_pylist():
        changes[row["group_id"]] += {"insert": 1, "delete": -1}[row["_change_type"]]
    assert +changes == {"new": 1}
    assert min(changes.values()) == 0
    groups = lake.rows(table, last)["group_id"].to_pylist()
    assert sorted(groups) == ["before", "new"]


def _of_group(table: str, group: str) -> pa.Table:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    known = {"cluster": "eu", "group_id": group, "snapshot_at": at, "day": at.date()}
    return pa.Table.from_pylist([known], arrow_schema(TABLES[table]))
