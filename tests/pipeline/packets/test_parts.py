from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.errors import PipelineError
from pipeline.replay.coding import NAME
from pipeline.packets.parts import Part, keep_only, written


def _content(*days: int) -> pa.Table:
    return pa.table(
        {
            "cluster": pa.array([f"c{day}" for day in days]).cast(NAME),
            "snapshot_at": pa.array(list(days), pa.timestamp("us", "UTC")),
            "day": pa.array([date(2026, 3, day) for day in days], pa.date32()),
        }
    )


def test_each_day_has_a_file_of_its_own_with_plain_names(tmp_path: Path) -> None:
    parts = list(written(tmp_path, "lag", _content(1, 2, 1)))

    assert [(Path(part.path).parent.name, part.rows) for part in parts] == [
        ("day=2026-03-01", 2),
        ("day=2026-03-02", 1),
    ]
    schema = pq.read_schema(parts[0].path)
    assert (schema.names, schema.field("cluster").type) == (["cluster", "snapshot_at"], pa.string())
    assert pq.read_table(parts[0].path)["cluster"].to_pylist() == ["c1", "c1"]


def test_a_group_of_rows_has_no_names_but_its_own(tmp_path: Path) -> None:
    names = [None, *(f"member-{number:06}" for number in range(150_000))]
    days = pa.array([date(2026, 3, 1)] * len(names), pa.date32())
    rows = pa.table({"member_id": pa.array(names).dictionary_encode(), "day": days})

    (part,) = written(tmp_path, "load", rows)

    file = pq.ParquetFile(part.path)
    sizes = [file.metadata.row_group(group).column(0) for group in range(3)]
    assert [file.metadata.row_group(group).num_rows for group in range(3)] == [
        65_536,
        65_536,
        18_929,
    ]
    assert file.read()["member_id"].to_pylist() == names
    assert sizes[2].total_uncompressed_size < sizes[1].total_uncompressed_size / 3


def test_no_rows_no_file(tmp_path: Path) -> None:
    assert list(written(tmp_path, "lag", _content())) == []


def test_a_task_that_ran_twice_leaves_the_files_that_were_told(tmp_path: Path) -> None:
    told = list(written(tmp_path, "lag", _content(1)))
    again = list(written(tmp_path, "lag", _content(1)))

    keep_only(told, tmp_path, ["lag", "load"])

    assert Path(told[0].path).exists()
    assert not Path(again[0].path).exists()
    assert (tmp_path / "load").is_dir()


def test_a_file_that_is_not_there_is_told_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="give a folder as --output that the cluster shares"):
        keep_only([Part("lag", str(tmp_path / "x.parquet"), 1)], tmp_path, ["lag"])
