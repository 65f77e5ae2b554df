"""Tables at an output: creation, rollback, refusal."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from pipeline.errors import PipelineError
from pipeline.lake import ConflictError, Lake
from schemas.arrow import arrow_schema
from schemas.tables import REJECTED, TABLES


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
    kept = lake.write("rejected", rejected("kept"), after=0)
    lake.write("rejected", rejected("lost"), after=kept)

    versions = lake.roll_back({"rejected": kept})

    assert raws(lake) == raws(lake, versions["rejected"]) == ["kept"]


def test_the_newest_run_counts(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    for day in (2, 3, 1):
        finished = datetime(2026, 3, day, tzinfo=UTC)
        lake.publish({"run_id": f"{day}", "finished_at": finished, "versions": {"rejected": day}})

    found = lake.latest()

    assert found is not None
    assert (found["run_id"], found["versions"]) == ("3", {"rejected": 3})


def test_a_batch_of_a_stream_is_noted_in_the_commit_that_publishes_it(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)

    lake.publish({"finished_at": datetime.now(UTC), "versions": {}}, ("query", 7))

    assert (lake.published("query"), lake.published("other")) == (7, -1)


def test_adding_to_another_version_than_the_newest_is_refused(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    lake.write("rejected", rejected("a"), after=0)

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        lake.write("rejected", rejected("b"), after=0)
    assert raws(lake) == ["a"]


class RacedLake(Lake):
    """Another writer commits between reading a table's version and committing."""

    def table(self, name: str, version: int | None = None) -> DeltaTable:
        table = super().table(name, version)
        Lake(self.output, self.storage).write(name, rejected("theirs"))
        return table


@pytest.mark.parametrize("after", [0, None])
def test_of_two_concurrent_commits_one_is_refused(tmp_path: Path, after: int | None) -> None:
    lake = lake_in(tmp_path)

    with pytest.raises(ConflictError, match="something else wrote to the table rejected"):
        RacedLake(lake.output).write("rejected", rejected("ours"), after=after)

    assert raws(lake) == ["theirs"]


@pytest.mark.parametrize(
    "left", ["run_report.json", "_current/x", "group_summary/day=2026-03-01/part-0.parquet"]
)
def test_a_folder_of_the_earlier_format_is_refused_in_a_sentence(tmp_path: Path, left: str) -> None:
    (tmp_path / left).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / left).write_text("{}")

    with pytest.raises(PipelineError, match=r"earlier version of this program.*run again"):
        Lake(str(tmp_path)).prepare()
