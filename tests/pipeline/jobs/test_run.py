import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from pipeline.errors import PipelineError
from pipeline.jobs.options import check_apart
from pipeline.report import check_account
from schemas.arrow import arrow_schema
from schemas.tables import TABLES, columns
from schemas.telemetry import TELEMETRY
from tests.pipeline.telemetry import rows_of_day, tables_in, write_json


def test_every_row_is_accounted_for_and_every_table_has_its_schema(
    tmp_path: Path, run: Callable[..., Path], spark: SparkSession
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    write_json(source / "telemetry.jsonl", 1, 2)
    (source / "again.jsonl").write_text(json.dumps(rows_of_day(2)[0], default=str))
    unknown = source / "telemetry.txt"
    unknown.touch()
    pq.write_table(arrow_schema(TELEMETRY).empty_table(), source / "empty.parquet")
    per_day = len(rows_of_day(1))

    output = run(source, tmp_path / "out", "--since", "2026-03-02")

    report = json.loads((output / "run_report.json").read_text())
    account = [report[f"rows_{what}"] for what in ("in", "used", "rejected", "early")]
    assert account == [2 * per_day + 2, per_day, 2, per_day]
    assert [(found["reason"].split(",")[0], found["rows"]) for found in report["rejected"]] == [
        ("expected each row once", 1),
        ("the line is not one JSON object", 1),
        ("the name ends in none of .json", None),
    ]
    assert (report["files"], report["files_unreadable"]) == (4, [str(unknown)])
    assert report["notes"] == [f"{source}/empty.parquet has no rows"]
    assert report["window"] == {
        "start": "2026-03-02T00:00:00.000000Z",
        "end": "2026-03-02T02:00:00.000000Z",
    }
    assert report["strategies"] == ["range", "lag-based"]
    for table, ddl in TABLES.items():
        found = spark.read.parquet(str(output / table))
        assert dict(found.dtypes) == {name: kind.lower() for name, kind in columns(ddl).items()}
        assert found.count() == report["rows"][table]


def test_the_same_input_gives_the_same_rows_again(
    tmp_path: Path, run: Callable[..., Path], undisturbed: dict[str, list[str]]
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for day in (1, 2):
        write_json(source / f"{day}.jsonl", day)

    first = tables_in(run(source, tmp_path / "out"))
    second = tables_in(run(source, tmp_path / "out"))

    assert first == second
    # as of the same rows in Parquet; but those that were rejected tell where they stood
    assert {name: first[name] for name in TABLES if name != "rejected"} == {
        name: undisturbed[name] for name in TABLES if name != "rejected"
    }


@pytest.mark.parametrize("source", ["{}", "file://{}", "{}/out", "{}/*", "{}/day-?/*"])
def test_tables_do_not_lie_among_the_telemetry(tmp_path: Path, source: str) -> None:
    output = tmp_path / "day-1" / "tables" / "out" if "day" in source else tmp_path / "out"

    with pytest.raises(PipelineError, match="lies in --input"):
        check_apart(["elsewhere", source.format(tmp_path)], str(output))


@pytest.mark.parametrize("source", ["{}/in", "{}/*.parquet", "{}/out/below"])
def test_tables_may_lie_beside_the_telemetry(tmp_path: Path, source: str) -> None:
    check_apart([source.format(tmp_path)], str(tmp_path / "out"))


def test_a_row_that_got_lost_stops_the_run() -> None:
    account = {"rows_in": 10, "rows_used": 7, "rows_rejected": 2, "rows_early": 0}

    with pytest.raises(PipelineError, match="10 rows came in, but 7 were used, 2 rejected"):
        check_account(account)


def test_a_table_is_read_by_its_plain_path(tmp_path: Path, run: Callable[..., Path]) -> None:
    output = run(write_json(tmp_path / "telemetry.jsonl", 1), tmp_path / "out")

    found = ds.dataset(output / "group_summary", partitioning="hive").count_rows()

    assert found == 3 * 6 * 3  # snapshots, groups, two strategies and as it was
