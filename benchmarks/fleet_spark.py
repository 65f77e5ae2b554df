"""The alternative that a data engineer would write in PySpark: groupBy and applyInArrow.

``python -m benchmarks.fleet_spark INPUT OUTPUT`` calls the same core as the pipeline, one group at
a time, and writes the same tables as Parquet. Each group is replayed once: rows of all tables are
returned in one schema, persisted, and separated by a column when written.
"""

import sys
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import StorageLevel

from assignors.registry import STRATEGIES
from benchmarks.fleet_polars import STRATEGIES as TWO
from pipeline.recommendation import NEEDED, ranked, recommended
from pipeline.replay.encoding import decoded
from pipeline.replay.replay import replay
from pipeline.session import open_session
from schemas.arrow import arrow_schema
from schemas.tables import TABLES, columns

_FIGURES: Final = ("partition_lag", "group_member", "member_load", "group_summary")
_ALL: Final = {
    "table": "STRING",
    **{name: kind for table in _FIGURES for name, kind in columns(TABLES[table]).items()},
}
_DDL: Final = ", ".join(f"{name} {kind}" for name, kind in _ALL.items())
_USABLE: Final = """
    cluster IS NOT NULL AND group_id IS NOT NULL AND snapshot_at IS NOT NULL
    AND (topic IS NULL) = (partition IS NULL) AND (topic IS NOT NULL OR member_id IS NOT NULL)
    AND coalesce(partition, 0) >= 0 AND coalesce(committed_offset, 0) >= 0
    AND coalesce(log_end_offset >= log_start_offset, true)
"""


def tables(rows: pa.Table) -> pa.Table:
    """Return one group's rows of all tables."""
    rows = rows.append_column("file", pa.array([""] * rows.num_rows))
    rows = rows.append_column("bucket", pa.array(np.zeros(rows.num_rows, np.int32)))
    replayed = replay(rows, [STRATEGIES[name] for name in TWO]).tables
    schema = arrow_schema(_DDL)
    return pa.concat_tables(
        [
            decoded(replayed[name])
            .append_column("table", pa.array([name] * replayed[name].num_rows))
            .cast(pa.schema([*arrow_schema(TABLES[name]), schema.field("table")]))
            for name in _FIGURES
        ],
        promote_options="default",
    ).select(schema.names)


def main(source: str, target: str) -> None:
    """Run the baseline on Spark."""
    spark = open_session()
    telemetry = spark.read.parquet(source)
    usable = telemetry.where(_USABLE)
    usable.write.mode("overwrite").parquet(f"{target}/telemetry")
    telemetry.where(f"NOT ({_USABLE})").write.mode("overwrite").parquet(f"{target}/rejected")
    replayed = usable.groupBy("cluster", "group_id").applyInArrow(tables, _DDL)
    replayed = replayed.persist(StorageLevel.MEMORY_AND_DISK)
    for name in _FIGURES:
        of_table = replayed.where(replayed["table"] == name).select(*columns(TABLES[name]))
        of_table.write.mode("overwrite").partitionBy("day").parquet(f"{target}/{name}")
    summary = spark.read.parquet(f"{target}/group_summary").select(*NEEDED).toArrow()
    pq.write_table(ranked(recommended(summary, TWO)), f"{target}/recommendation.parquet")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
