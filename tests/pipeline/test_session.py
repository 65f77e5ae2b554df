import datetime as dt

from pyspark.sql import SparkSession


def test_times_are_utc_on_both_sides(spark: SparkSession) -> None:
    row = spark.sql("SELECT TIMESTAMP '2026-03-01 12:00:00 UTC' AS at, current_timezone() AS zone")

    found = row.toArrow().to_pylist()

    assert found == [{"at": dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC), "zone": "UTC"}]
