"""Which snapshots of which clusters a micro-batch has brought."""

from collections.abc import Sequence
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from pipeline.horizons import SeenSpan, joined
from pipeline.ingest.tables import Ingested
from pipeline.lake import Lake, opened
from pipeline.tasks import in_tasks

_FEW_ROWS: Final = 100_000
"""Up to this many are read sooner than a task is started."""
_FILES: Final = 20
"""How many files a task reads."""


def spans_of(spark: SparkSession, lake: Lake, ingested: Ingested) -> dict[str, SeenSpan]:
    """Return the first and the latest snapshot of each cluster in the rows just added."""
    paths = ingested.files
    if ingested.rows_used <= _FEW_ROWS:
        return _spans(lake, paths)
    some = [paths[first : first + _FILES] for first in range(0, len(paths), _FILES)]
    return joined(*in_tasks(spark, lambda own: _spans(lake, own), some))


def _spans(lake: Lake, paths: Sequence[str]) -> dict[str, SeenSpan]:
    return joined(*(_spans_in(lake, path) for path in paths))


def _spans_in(lake: Lake, path: str) -> dict[str, SeenSpan]:
    content = opened(lake.files(), f"telemetry/{path}")
    how = {"columns": ["cluster", "snapshot_at"], "read_dictionary": ["cluster"]}
    rows = pq.read_table(content, **how, partitioning=None, use_threads=False)
    times = rows["snapshot_at"].cast(pa.timestamp("us", "UTC")).cast(pa.int64())
    by_cluster = pa.table({"cluster": rows["cluster"].cast(pa.string()), "at": times})
    ends = by_cluster.group_by("cluster", use_threads=False)
    found = ends.aggregate([("at", "min"), ("at", "max")]).to_pylist()
    return {row["cluster"]: SeenSpan(row["at_min"], row["at_max"]) for row in found}
