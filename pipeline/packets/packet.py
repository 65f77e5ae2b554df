"""A packet: one row of Spark that holds, or names, many rows of telemetry."""

from typing import Final, NamedTuple

import pyarrow as pa

from pipeline.packets.shelves import Kept
from schemas.arrow import arrow_schema

PACKETS: Final = """
    kind STRING, file INT, bucket INT,
    message BINARY, path STRING, start BIGINT, stop BIGINT
"""
ROWS, LINES, SEEN = "rows", "lines", "seen"
"""Kinds of packets: rows to replay, rows to be judged as JSON, and what was seen of a file."""
UNUSABLE, EARLY = "unused", "early"
"""Of what was judged: rows that cannot be used, as those of a replay, and how many are early."""
_SCHEMA: Final = arrow_schema(PACKETS)


class Packet(NamedTuple):
    """What it is, the file it is from and its bucket, if it has them."""

    kind: str
    file: int | None
    bucket: int | None
    kept: Kept

    def row(self) -> pa.RecordBatch:
        """Return it as a row of ``PACKETS``."""
        values = (self.kind, self.file, self.bucket, *self.kept)
        return pa.record_batch(
            [pa.array([value], kind) for value, kind in zip(values, _SCHEMA.types, strict=True)],
            _SCHEMA,
        )
