"""Where logs ended at earlier snapshots, which tells lags by duration (KIP-1106)."""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.actions import TICK
from pipeline.encoding import completed, one_array
from pipeline.horizons import Horizons
from pipeline.lake import Lake, opened
from pipeline.replay.offsets import durations_us
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT, TELEMETRY

_KEY: Final = ["cluster", "group_id", "snapshot_at", "topic", "partition"]


def ends_before(
    lake: Lake, version: int, rows: pa.Table, until: Horizons, strategies: int
) -> pa.Table:
    """Return, as rows of a checkpoint, the ends of logs that tell lags by duration of some rows.

    Those are in the snapshots, up to the horizon, that are as long before the rows as their policy
    says.
    """
    schema = arrow_schema(CHECKPOINT)
    if not until.furthest:
        return schema.empty_table()
    due, times = _due(rows, until)
    if not len(times):
        return schema.empty_table()
    wanted = (
        pc.field("bucket").isin(pc.unique(due["bucket"]))
        & pc.field("snapshot_at").isin(times)
        & pc.field("group_id").isin(pc.unique(due["group_id"].cast(pa.string())))
        & pc.field("topic").is_valid()
    )
    ends = _recorded(lake, version, times, wanted)
    at_us = ends["snapshot_at"].cast(pa.int64()).to_numpy()
    ends = ends.filter(pa.array(at_us <= until.of_rows(ends["cluster"])))
    lists = pa.array([[None] * strategies] * ends.num_rows, schema.field("owners").type)
    given = {name: ends[name] for name in _KEY} | {"owners": lists}
    given["log_end_offset"] = ends["log_end_offset_first"]
    given["bucket"] = pa.array([0] * ends.num_rows, pa.int32())
    return completed(pa.table(given), schema)


def _due(rows: pa.Table, until: Horizons) -> tuple[pa.Table, pa.Array]:
    """Return the rows whose lag an earlier end tells, and the times of those ends."""
    resets = one_array(rows["auto_offset_reset"])
    durations = np.append(durations_us(resets.dictionary.to_pylist()), -1)  # the last one: null
    duration = durations[resets.indices.fill_null(-1).to_numpy()]
    is_due = (duration > 0) & pc.is_null(rows["committed_offset"]).to_numpy()
    due = rows.filter(pa.array(is_due))
    times_us = due["snapshot_at"].cast(pa.int64()).to_numpy() - duration[is_due]
    recorded = np.unique(times_us[times_us <= until.of_rows(due["cluster"])])
    return due, pa.array(recorded).cast(pa.timestamp("us", "UTC"))


def _recorded(lake: Lake, version: int, times: pa.Array, wanted: pc.Expression) -> pa.Table:
    """Return the wanted rows of telemetry at these times, of repeated ones the first."""
    files, known = lake.files(), lake.actions("telemetry", version)
    first, last, tick = known["min.snapshot_at"], known["max.snapshot_at"], pa.scalar(TICK)
    is_in = pc.and_(
        pc.less_equal(pc.subtract(first, tick), pc.max(times)),
        pc.greater_equal(pc.add(last, tick), pc.min(times)),
    )
    names = [*_KEY, "log_end_offset", "file"]
    stored = pa.schema([arrow_schema(TELEMETRY).field(name) for name in names])
    found = [stored.empty_table()]
    for path in known.filter(is_in)["path"].to_pylist():
        file = opened(files, f"telemetry/{path}")
        found.append(pq.read_table(file, columns=names, filters=wanted).cast(stored))
    ends = pa.concat_tables(found).sort_by([("file", "ascending"), ("log_end_offset", "ascending")])
    return ends.group_by(_KEY, use_threads=False).aggregate([("log_end_offset", "first")])
