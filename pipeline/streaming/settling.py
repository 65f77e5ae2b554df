"""Which rows are settled: those that no snapshot within the lateness allowed can come before."""

from datetime import timedelta
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

IS_SETTLED: Final = "is_settled"
_GROUP: Final = ("cluster", "group_id")


def with_settled(rows: DataFrame, lateness: timedelta) -> DataFrame:
    """Add ``is_settled``: the group has snapshots later than this one by the lateness or more.

    Each group is measured by its own snapshots, so that a cluster whose clock is ahead, or a
    group that is told of seldom, decides nothing for the others. Without any lateness
    every row is settled at once.
    """
    latest = rows.groupBy(*_GROUP).agg(F.max("snapshot_at").alias("latest"))
    is_settled = F.col("snapshot_at") <= F.col("latest") - F.lit(lateness)
    return (
        rows.join(F.broadcast(latest), on=list(_GROUP), how="inner")
        .withColumn(IS_SETTLED, is_settled)
        .drop("latest")
    )
