"""What the pipeline commits at an address, as the Fleet page reads it from a disk."""

from pathlib import Path

from pyspark.sql import SparkSession

from pipeline.publishing import staged
from schemas.tables import TABLES
from sources.fleet import open_fleet
from sources.fleet_place import place_of
from tests.pipeline.written import write_all


def test_the_page_reads_what_the_pipelines_last_commit_names(
    spark: SparkSession, tmp_path: Path
) -> None:
    for days, but in (({1: "a", 2: "a"}, ()), ({2: "b", 3: "b"}, ("member_load",))):
        with staged(f"file://{tmp_path}/out") as staging:
            write_all(staging, days, but)
            staging.publish(spark, {"days": list(days)})
    with staged(f"file://{tmp_path}/out") as staging:
        write_all(staging, {1: "never committed"})

    fleet = open_fleet(place_of(tmp_path / "out"))

    marks = fleet.read("group_summary", ["day", "cluster"]).to_pylist()
    assert {str(row["day"]): row["cluster"] for row in marks} == {
        "2026-03-01": "a",
        "2026-03-02": "b",
        "2026-03-03": "b",
    }
    assert {table: fleet.count(table) for table in TABLES} == {
        "partition_lag": 3,
        "group_member": 3,
        "member_load": 1,
        "group_summary": 3,
        "recommendation": 1,
        "rejected": 1,
    }
    assert fleet.report() == {"days": [2, 3]}
