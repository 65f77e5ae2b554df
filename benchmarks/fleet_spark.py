"""What a good data engineer would write in PySpark: read, groupBy, applyInArrow, write Parquet.

``python -m benchmarks.fleet_spark INPUT OUTPUT`` calls the same core as the pipeline, a group at
a time, and writes no more than the summaries.
"""

import sys
from typing import Final

import numpy as np
import pyarrow as pa

from assignors.registry import STRATEGIES
from benchmarks.fleet_polars import STRATEGIES as TWO
from pipeline.replay.encoding import decoded
from pipeline.replay.replay import replay
from pipeline.session import open_session
from schemas.tables import GROUP_SUMMARY

_MASTER: Final = "local[2]"


def summary(rows: pa.Table) -> pa.Table:
    """Return the summaries of one group."""
    rows = rows.append_column("file", pa.array([""] * rows.num_rows))
    rows = rows.append_column("bucket", pa.array(np.zeros(rows.num_rows, np.int32)))
    return decoded(replay(rows, [STRATEGIES[name] for name in TWO]).tables["group_summary"])


def main(source: str, target: str) -> None:
    """Let Spark go through the groups."""
    spark = open_session(_MASTER)
    found = spark.read.parquet(source).groupBy("cluster", "group_id")
    found.applyInArrow(summary, GROUP_SUMMARY).write.mode("overwrite").parquet(target)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
