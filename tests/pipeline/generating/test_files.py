import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest

from pipeline.generating.fleet import Request, generate
from pipeline.generating.rows import SCHEMA
from pipeline.generating.writing import whole_file
from tests.pipeline.generating.conftest import telemetry_of

REQUEST = Request(groups=80, rows=4000, snapshots=4, interval=timedelta(hours=1), seed=2)


def test_json_lines_hold_the_same_rows_as_parquet(tmp_path: Path) -> None:
    expected = telemetry_of(REQUEST, tmp_path / "parquet")

    generate(replace(REQUEST, format="jsonl"), tmp_path / "jsonl")

    written = _json_rows(tmp_path / "jsonl")
    for row in written:
        row["snapshot_at"] = pd.Timestamp(str(row["snapshot_at"]))
    assert written == _plain(expected)


def test_csv_holds_the_same_rows_with_topics_as_json(tmp_path: Path) -> None:
    expected = _plain(telemetry_of(REQUEST, tmp_path / "parquet"))
    text = pa.schema(
        [(f.name, pa.string() if f.name == "subscribed_topics" else f.type) for f in SCHEMA]
    )
    as_typed = pa.csv.ConvertOptions(column_types=text, strings_can_be_null=True)

    generate(replace(REQUEST, format="csv"), tmp_path / "csv")

    (file,) = (tmp_path / "csv").iterdir()
    written = pa.csv.read_csv(file, convert_options=as_typed).to_pylist()
    assert any(row["subscribed_topics"] for row in written)
    for row in written:
        topics = row["subscribed_topics"]
        row["subscribed_topics"] = None if topics is None else json.loads(topics)
    assert written == expected


def test_faults_in_parquet_are_what_its_types_can_hold(tmp_path: Path) -> None:
    clean = telemetry_of(REQUEST, tmp_path / "clean")

    rows = telemetry_of(replace(REQUEST, faults=0.05), tmp_path / "faulty")

    key = ["cluster", "group_id", "snapshot_at", "topic", "partition"]
    rows = rows[rows["topic"].notna()].drop(columns="subscribed_topics")
    again = rows.duplicated(key, keep=False)
    same = rows.duplicated(keep=False)
    assert same.any()
    assert (again & ~same).any()
    assert (rows["partition"] < 0).any()
    assert rows["group_id"].isna().any()
    assert (rows["log_end_offset"] < rows["log_start_offset"]).any()
    assert not set(rows["snapshot_at"]) <= set(clean["snapshot_at"])


def test_faults_in_text_are_values_of_wrong_types_too(tmp_path: Path) -> None:
    generate(replace(REQUEST, faults=0.05, format="jsonl"), tmp_path)

    rows = _json_rows(tmp_path)

    assert any(row["log_end_offset"] == "n/a" for row in rows)
    assert any(row["snapshot_at"] == "yesterday" for row in rows)


def test_about_the_requested_share_is_spoiled(tmp_path: Path) -> None:
    clean = telemetry_of(REQUEST, tmp_path / "clean").astype(str)
    faulty = telemetry_of(replace(REQUEST, faults=0.02), tmp_path / "faulty").astype(str)

    both = faulty.merge(clean.drop_duplicates(), how="left", indicator=True)
    spoiled = (both["_merge"] == "left_only") | faulty.duplicated()

    assert 0.01 < spoiled.mean() < 0.1


def test_without_requested_faults_there_are_none(tmp_path: Path) -> None:
    rows = telemetry_of(REQUEST, tmp_path).drop(columns="subscribed_topics")

    assert not rows.duplicated().any()
    assert rows["group_id"].notna().all()


def test_a_file_broken_off_leaves_nothing_behind(tmp_path: Path) -> None:
    writing = whole_file(tmp_path, "telemetry", "parquet")
    write = writing.__enter__()
    write(SCHEMA.empty_table(), [])

    writing.__exit__(OSError, OSError("the disk is full"), None)

    assert not list(tmp_path.iterdir())


def test_a_file_has_its_name_only_once_it_is_whole(tmp_path: Path) -> None:
    with whole_file(tmp_path, "telemetry", "csv") as write:
        write(SCHEMA.empty_table(), [])
        meanwhile = [path.name for path in tmp_path.iterdir()]

    assert meanwhile == [".telemetry.csv.tmp"]
    assert [path.name for path in tmp_path.iterdir()] == ["telemetry.csv"]


def test_parquet_refuses_values_of_wrong_types(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="choose jsonl or csv"),
        whole_file(tmp_path, "telemetry", "parquet") as write,
    ):
        write(SCHEMA.empty_table(), [{"partition": "n/a"}])


def _plain(rows: pd.DataFrame) -> list[dict[str, object]]:
    return pa.Table.from_pandas(rows, SCHEMA, preserve_index=False).to_pylist()  # type: ignore[no-any-return]


def _json_rows(folder: Path) -> list[dict[str, object]]:
    (file,) = folder.iterdir()
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
