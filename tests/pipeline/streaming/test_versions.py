from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.streaming.versions import add_provisional, carry_over, merge_small

TABLES = ("group_summary", "rejected")


def write(folder: Path, name: str, *values: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"n": pa.array(values, pa.int64())}), folder / f"{name}.parquet")
    return folder / f"{name}.parquet"


def numbers(version: Path, table: str) -> list[int]:
    files = sorted((version / table).rglob("*.parquet"))
    return sorted(
        n for file in files for n in pq.read_table(file, partitioning=None)["n"].to_pylist()
    )


def test_settled_files_are_the_same_files_in_the_next_version(tmp_path: Path) -> None:
    file = write(tmp_path / "old" / "group_summary" / "day=2026-03-01", "part-0", 1, 2)

    carry_over(tmp_path / "old", tmp_path / "new", TABLES)

    linked = tmp_path / "new" / "group_summary" / "day=2026-03-01" / "part-0.parquet"
    assert linked.samefile(file)


def test_provisional_rows_are_left_to_their_version(tmp_path: Path) -> None:
    day = tmp_path / "old" / "group_summary" / "day=2026-03-01"
    write(day, "part-0", 1)
    write(day, "provisional-part-0", 2)

    carry_over(tmp_path / "old", tmp_path / "new", TABLES)

    assert numbers(tmp_path / "new", "group_summary") == [1]


def test_files_without_rows_are_not_carried_along_for_ever(tmp_path: Path) -> None:
    write(tmp_path / "old" / "rejected", "empty")

    carry_over(tmp_path / "old", tmp_path / "new", TABLES)

    assert list((tmp_path / "new" / "rejected").iterdir()) == []


def test_a_first_version_has_nothing_to_carry_over(tmp_path: Path) -> None:
    carry_over(None, tmp_path / "new", TABLES)

    assert sorted(folder.name for folder in (tmp_path / "new").iterdir()) == sorted(TABLES)


def test_rows_written_aside_join_the_version_as_provisional_ones(tmp_path: Path) -> None:
    write(tmp_path / "aside" / "group_summary" / "day=2026-03-01", "part-0", 3)
    write(tmp_path / "new" / "group_summary" / "day=2026-03-01", "part-0", 1)

    add_provisional(tmp_path / "aside", tmp_path / "new")

    assert numbers(tmp_path / "new", "group_summary") == [1, 3]
    assert not (tmp_path / "aside").exists()
    carry_over(tmp_path / "new", tmp_path / "newer", TABLES)
    assert numbers(tmp_path / "newer", "group_summary") == [1]


def test_many_small_files_become_one_and_keep_their_rows(tmp_path: Path) -> None:
    day = tmp_path / "new" / "group_summary" / "day=2026-03-01"
    for n in range(20):
        write(day, f"part-{n:02d}", n)
    write(day, "provisional-part", 99)

    merge_small(tmp_path / "new", TABLES)

    assert len(list(day.iterdir())) == 2
    assert numbers(tmp_path / "new", "group_summary") == [*range(20), 99]


def test_a_file_of_any_length_is_merged_whole(tmp_path: Path) -> None:
    day = tmp_path / "new" / "group_summary" / "day=2026-03-01"
    write(day, "long", *range(100_000))
    for n in range(15):
        write(day, f"part-{n:02d}", n)

    merge_small(tmp_path / "new", TABLES)

    assert len(list(day.iterdir())) == 1
    assert len(numbers(tmp_path / "new", "group_summary")) == 100_015


def test_a_few_files_stay_as_they_are(tmp_path: Path) -> None:
    day = tmp_path / "new" / "group_summary" / "day=2026-03-01"
    for n in range(15):
        write(day, f"part-{n:02d}", n)

    merge_small(tmp_path / "new", TABLES)

    assert len(list(day.iterdir())) == 15


def test_merged_files_wait_until_there_are_as_many_of_their_size(tmp_path: Path) -> None:
    day = tmp_path / "new" / "group_summary" / "day=2026-03-01"
    for n in range(16 * 16):
        write(day, f"part-{n:03d}", n)
        merge_small(tmp_path / "new", TABLES)

    (file,) = day.iterdir()
    assert file.name.startswith("merged-2-")
    assert numbers(tmp_path / "new", "group_summary") == list(range(256))


def test_merging_leaves_the_version_before_as_it_was(tmp_path: Path) -> None:
    day = tmp_path / "old" / "group_summary" / "day=2026-03-01"
    for n in range(20):
        write(day, f"part-{n:02d}", n)
    carry_over(tmp_path / "old", tmp_path / "new", TABLES)

    merge_small(tmp_path / "new", TABLES)

    assert len(list(day.iterdir())) == 20
    assert numbers(tmp_path / "old", "group_summary") == list(range(20))
