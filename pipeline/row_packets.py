"""Rows of Spark to packets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from pipeline.carried import Batches, Packets
from pipeline.packets.coding import FILE, PLAIN, coded, decoded
from pipeline.packets.dealing import packets
from pipeline.packets.packet import EARLY, PACKETS, ROWS, UNUSABLE, Packet
from pipeline.packets.shelves import Keep, keeper, taken
from pipeline.packets.workers import spare_imports
from schemas.arrow import arrow_schema
from schemas.replay import UNUSED
from schemas.telemetry import TELEMETRY

_DEALT_ROWS: Final = 500_000
_NUMBERED: Final = f"{TELEMETRY}, file INT"
EARLY_ROWS: Final = "early BIGINT"
"""What a packet of the kind ``EARLY`` holds."""


def as_packets(
    rows: DataFrame, buckets: int, kind: str = ROWS, shelves: Path | None = None
) -> DataFrame:
    """Return telemetry, or what else goes by cluster and group, as packets of a kind."""

    def dealt(batches: Batches) -> Iterator[pa.RecordBatch]:
        spare_imports()
        keep = keeper(shelves)
        for some in _together(batches):
            yield from _dealt(some, buckets, kind, keep)

    return rows.mapInArrow(dealt, PACKETS)


def judged_packets(checked: DataFrame, buckets: int, shelves: Path | None) -> DataFrame:
    """Return rows that were judged, as ``Telemetry.checked`` has them, by one look at them.

    The usable ones as ``ROWS``, those before the first day wanted counted as ``EARLY``, and
    as ``UNUSABLE`` the others with the reason.
    """

    def sorted_out(batches: Batches) -> Iterator[pa.RecordBatch]:
        spare_imports()
        keep = keeper(shelves)
        for some in _together(batches):
            is_usable = pc.is_null(some["fault"])
            is_early = pc.fill_null(pc.and_(is_usable, some["is_early"]), fill_value=False)
            if early := int(np.count_nonzero(is_early)):
                content = pa.record_batch([[early]], arrow_schema(EARLY_ROWS))
                yield Packet(EARLY, None, None, keep(content)).row()
            wanted = some.filter(pc.and_not(is_usable, is_early)).select(PLAIN.names)
            yield from _dealt(wanted, buckets, ROWS, keep)
            yield from _unusable(some.filter(pc.invert(is_usable)), keep)

    return checked.mapInArrow(sorted_out, PACKETS)


def as_rows(packets: Packets, tasks: int) -> DataFrame:
    """Return the telemetry that packets of it hold, with the number of its ``file``."""

    def plain(batches: Batches) -> Iterator[pa.RecordBatch]:
        spare_imports()
        for batch in batches:
            for _, content in taken(batch):
                rows = decoded(coded(pa.Table.from_batches([content])))
                yield from rows.combine_chunks().to_batches()

    return packets.dealt(tasks, plain, _NUMBERED)


def _dealt(rows: pa.Table, buckets: int, kind: str, keep: Keep) -> Iterator[pa.RecordBatch]:
    if rows.num_rows:
        for bucket, content in packets(coded(rows) if kind == ROWS else rows, buckets):
            yield Packet(kind, 0, bucket, keep(content)).row()


def _unusable(rows: pa.Table, keep: Keep) -> Iterator[pa.RecordBatch]:
    ones = pa.array(np.ones(rows.num_rows, np.int64))
    columns = [rows[FILE.name], rows["fault"], rows["raw"], ones]
    for batch in pa.table(columns, schema=arrow_schema(UNUSED)).combine_chunks().to_batches():
        yield Packet(UNUSABLE, None, None, keep(batch)).row()


def _together(batches: Batches) -> Iterator[pa.Table]:
    """Yield the rows of many batches at once."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= _DEALT_ROWS:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)
