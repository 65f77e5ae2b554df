"""Opening and reading the folder of tables that the pipeline wrote."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.tables import TABLES
from sources.errors import SourceError
from sources.fleet import REPORT, Fleet, open_fleet
from sources.fleet_place import CURRENT, place_of
from sources.fleet_schema import DAY, table_schema
from tests.fleets import TIMES, publish, small, write


def opened(folder: Path) -> Fleet:
    return open_fleet(place_of(folder))


def first_file(folder: Path, table: str) -> Path:
    return min((folder / table).rglob("*.parquet"))


@pytest.mark.parametrize("make", [write, publish], ids=["plain", "published"])
def test_every_table_is_read_from_a_plain_folder_and_a_published_one(
    tmp_path: Path, make: Callable[..., Path]
) -> None:
    tables = small()

    fleet = opened(make(tmp_path / "fleet", tables))

    for table, rows in tables.items():
        found = fleet.read(table, table_schema(table).names)
        assert found.num_rows == len(rows)
        assert found.schema.names == table_schema(table).names


def test_the_day_comes_from_the_folder(tmp_path: Path) -> None:
    fleet = opened(write(tmp_path / "fleet", small()))

    days = fleet.read("group_summary", [DAY])[DAY].unique().to_pylist()

    assert days == [date(2026, 3, 2), date(2026, 3, 3)]


def test_rows_are_counted_without_reading_them(tmp_path: Path) -> None:
    tables = small()

    fleet = opened(write(tmp_path / "fleet", tables))

    assert {table: fleet.count(table) for table in tables} == {
        table: len(rows) for table, rows in tables.items()
    }


def test_one_version_is_seen_while_the_next_is_published(tmp_path: Path) -> None:
    folder = publish(tmp_path / "fleet", small(), "1")
    before = opened(folder)

    publish(folder, {}, "2")

    assert before.read("recommendation", ["rank"]).num_rows == 3
    assert opened(folder).read("recommendation", ["rank"]).num_rows == 0


def test_the_stamp_differs_once_a_file_has_changed_and_only_then(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    stamp = place_of(folder).stamp

    again = place_of(folder).stamp
    (folder / "rejected" / "part-0.parquet").rename(folder / "rejected" / "part-1.parquet")

    assert again == stamp
    assert place_of(folder).stamp != stamp


def test_the_stamp_differs_once_a_file_was_written_anew(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    stamp = place_of(folder).stamp

    pq.write_table(table_schema("rejected").empty_table(), first_file(folder, "rejected"))

    assert place_of(folder).stamp != stamp


def test_days_may_be_links_to_other_disks(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    day = folder / "group_summary" / f"{DAY}=2026-03-02"
    day.rename(tmp_path / "elsewhere")
    day.symlink_to(tmp_path / "elsewhere")

    assert opened(folder).count("group_summary") == len(small()["group_summary"])


@pytest.mark.parametrize(
    "name",
    ["part-00000-5b1e.c000.zstd.parquet", "17.parquet", "a b=c.parquet", "task-3/0.parquet"],
)
def test_files_below_a_day_may_be_called_anything(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / "fleet", small())
    for path in [*folder.rglob("*.parquet")]:
        (path.parent / name).parent.mkdir(exist_ok=True)
        path.rename(path.parent / name)

    fleet = opened(folder)

    assert {table: fleet.count(table) for table in TABLES} == {
        table: len(rows) for table, rows in small().items()
    }
    assert fleet.read("group_summary", [DAY])[DAY].unique().to_pylist() == [
        date(2026, 3, 2),
        date(2026, 3, 3),
    ]


def test_files_that_are_no_tables_or_not_finished_are_left_alone(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    for name in ("_SUCCESS", ".part-0.parquet.crc", "_part.parquet", ".next.parquet", "notes.txt"):
        (folder / "group_summary" / f"{DAY}=2026-03-02" / name).write_bytes(b"no table")
    (folder / "group_summary" / "_temporary" / "0").mkdir(parents=True)
    (folder / "group_summary" / "_temporary" / "0" / "x.parquet").write_bytes(b"no table")

    assert opened(folder).count("group_summary") == len(small()["group_summary"])


@pytest.mark.parametrize("kind", ["INT96", "naive", "large strings"])
def test_other_ways_to_write_the_same_types_are_read(tmp_path: Path, kind: str) -> None:
    folder = write(tmp_path / "fleet", small())
    path = first_file(folder, "group_summary")
    rows = pq.read_table(path, partitioning=None)
    if kind == "naive":
        at = rows.schema.get_field_index("snapshot_at")
        rows = rows.set_column(at, "snapshot_at", rows["snapshot_at"].cast(pa.timestamp("ns")))
    if kind == "large strings":
        rows = rows.set_column(0, "cluster", rows["cluster"].cast(pa.large_string()))
    pq.write_table(rows, path, use_deprecated_int96_timestamps=kind == "INT96")

    found = opened(folder).read("group_summary", ["cluster", "snapshot_at"])

    assert set(found["snapshot_at"].to_pylist()) == set(TIMES)
    assert set(found["cluster"].to_pylist()) == {"prod", "test"}


def test_a_table_without_files_or_with_one_empty_file_is_empty(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", {})
    pq.write_table(
        table_schema("group_summary").empty_table(), folder / "group_summary" / "empty.parquet"
    )

    fleet = opened(folder)

    assert all(fleet.read(table, table_schema(table).names).num_rows == 0 for table in TABLES)


def test_the_report_is_read_and_may_be_missing(tmp_path: Path) -> None:
    folder = publish(tmp_path / "fleet", small())
    without = opened(folder).report()

    (folder / CURRENT / REPORT).write_text(json.dumps({"rows_in": 7}))

    assert without == {}
    assert opened(folder).report() == {"rows_in": 7}


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_a_broken_report_is_one_sentence(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path / "fleet", small())
    (folder / REPORT).write_text(text)

    with pytest.raises(SourceError, match=REPORT):
        opened(folder).report()


def remove_table(folder: Path) -> None:
    (folder / "rejected" / "part-0.parquet").unlink()
    (folder / "rejected").rmdir()


def remove_column(folder: Path) -> None:
    path = first_file(folder, "group_summary")
    pq.write_table(pq.read_table(path, partitioning=None).drop_columns(["max_lag"]), path)


def change_type(folder: Path) -> None:
    path = first_file(folder, "member_load")
    rows = pq.read_table(path, partitioning=None)
    at = rows.schema.get_field_index("lag")
    pq.write_table(rows.set_column(at, "lag", rows["lag"].cast(pa.float64())), path)


def damage(folder: Path) -> None:
    first_file(folder, "recommendation").write_bytes(b"PAR1 no more")


def leave_the_days(folder: Path) -> None:
    path = first_file(folder, "partition_lag")
    path.rename(folder / "partition_lag" / "part-9.parquet")


def turn_into_nothing(folder: Path) -> None:
    (folder / CURRENT).symlink_to("_versions/9")


def lead_out(folder: Path) -> None:
    (folder / CURRENT).symlink_to(folder.parent)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (remove_table, "lacks the table 'rejected'"),
        (remove_column, "part-0.parquet has no column 'max_lag'"),
        (change_type, "column 'lag' is double where BIGINT is expected"),
        (damage, "recommendation/part-0.parquet is no readable Parquet file|cannot be read"),
        (leave_the_days, "part-9.parquet has no column 'day'"),
        (turn_into_nothing, "points at nothing"),
        (lead_out, "leads out of"),
    ],
)
def test_what_is_wrong_with_tables_is_one_sentence(
    tmp_path: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    folder = write(tmp_path / "fleet", small())
    spoil(folder)

    with pytest.raises(SourceError, match=sentence) as error:
        opened(folder)

    assert "\n" not in str(error.value)


def test_a_missing_folder_a_file_an_empty_and_a_foreign_folder_are_told_apart(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "empty").mkdir()

    for folder, sentence in {
        tmp_path / "none": "does not exist",
        tmp_path / "a.txt": "is a file, not a folder",
        tmp_path / "empty": "it is empty",
        tmp_path: r"holds no tables of the pipeline \(a.txt, empty\)",
    }.items():
        with pytest.raises(SourceError, match=sentence):
            place_of(folder)


def test_a_folder_whose_first_run_has_not_ended_says_so(tmp_path: Path) -> None:
    (tmp_path / "_versions" / "1").mkdir(parents=True)

    with pytest.raises(SourceError, match="no finished run yet"):
        place_of(tmp_path)


def test_tables_that_vanish_while_they_are_read_are_one_sentence(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    fleet = opened(folder)
    for path in (folder / "group_summary").rglob("*.parquet"):
        path.unlink()

    with pytest.raises(SourceError, match=r"table group_summary in .* cannot be read"):
        fleet.read("group_summary", ["cluster"])
