"""The rates of partitions as assignors read them: a file of lines for each cluster."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pyarrow as pa
from deltalake import QueryBuilder

from pipeline.errors import PipelineError
from pipeline.lake import Lake

_TABLE: Final = "partition_lag"
_MEDIANS: Final = f"""
    SELECT cluster, topic, partition, median(produce_rate) AS rate
    FROM {_TABLE}
    WHERE produce_rate IS NOT NULL
      AND snapshot_at > (SELECT max(snapshot_at) FROM {_TABLE}) - INTERVAL '7 days'
    GROUP BY cluster, topic, partition
    ORDER BY cluster, topic, partition
"""  # noqa: S608 -- our own names


def median_rates(lake: Lake, version: int) -> pa.Table:
    """Return cluster, topic, partition and rate: records/s, the median of the newest week."""
    query = QueryBuilder().register(_TABLE, lake.table(_TABLE, version))
    return pa.table(query.execute(_MEDIANS).read_all())


def write_weights(lake: Lake, version: int, folder: Path) -> list[Path]:
    """Write ``CLUSTER.rates`` for each cluster: ``topic partition records-per-second`` lines.

    A file that is there is replaced as a whole, as assignors may be reading it. A partition whose
    rate is unknown has no line. Raises PipelineError if the folder cannot be written.
    """
    lines: dict[str, list[str]] = {}
    for row in median_rates(lake, version).to_pylist():
        lines.setdefault(row["cluster"], []).append(_line(row))
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for cluster, of_cluster in lines.items():
            file = folder / f"{quote(cluster, safe=' ')}.rates"
            beside = file.with_suffix(".tmp")
            beside.write_text("".join(of_cluster), encoding="utf-8")
            beside.replace(file)
            written.append(file)
    except OSError as error:
        message = f"the rates of partitions could not be written to {folder}: {error.strerror}"
        raise PipelineError(message) from error
    return written


def _line(row: dict[str, Any]) -> str:
    return f"{row['topic']} {row['partition']} {row['rate']:.3f}\n"
