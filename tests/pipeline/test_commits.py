import json
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline.commits import committed, last_commit
from pipeline.publishing import staged
from tests.pipeline.written import write_all


def _marks(spark: SparkSession, address: str, table: str) -> dict[str, str]:
    rows = committed(spark, address, table).select(F.col("day").cast("STRING"), "cluster")
    return {row["day"]: row["cluster"] for row in rows.collect()}


def test_each_run_replaces_its_days_and_keeps_the_others(
    spark: SparkSession, tmp_path: Path
) -> None:
    address = f"file://{tmp_path}/out"

    for days, but in (({1: "a", 2: "a"}, ()), ({2: "b", 3: "b"}, ("member_load",))):
        with staged(address) as staging:
            write_all(staging, days, but)
            staging.publish(spark, {"days": list(days)})

    assert _marks(spark, address, "group_summary") == {
        "2026-03-01": "a",
        "2026-03-02": "b",
        "2026-03-03": "b",
    }
    assert _marks(spark, address, "member_load") == {"2026-03-01": "a"}
    assert [row["cluster"] for row in committed(spark, address, "recommendation").collect()] == [
        "b"
    ]
    last = last_commit(spark, address)
    assert last is not None
    assert (last.number, json.loads(last.report)) == (2, {"days": [2, 3]})


def test_an_address_may_come_in_capitals_and_with_a_slash_at_its_end() -> None:
    with staged("S3A://bucket/out/") as staging:
        assert staging.place("rejected").startswith("S3A://bucket/out/_versions/")


def test_what_no_commit_names_is_not_there(spark: SparkSession, tmp_path: Path) -> None:
    address = f"file://{tmp_path}/out"

    with staged(address) as staging:
        write_all(staging, {1: "a"})

    assert last_commit(spark, address) is None
    assert committed(spark, address, "group_summary").count() == 0
