"""Write tables of telemetry to files: each is written aside and renamed when complete."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.csv
from pyarrow.parquet import ParquetWriter

from pipeline.generating.rows import SCHEMA, Table

FORMATS: Final = ("parquet", "jsonl", "csv")
SpoiledRow: TypeAlias = dict[str, Any]
"""A row whose values do not fit their columns; only text formats can hold it."""
Sink: TypeAlias = Callable[[Table, list[SpoiledRow]], None]
"""Writes a table, and then the spoiled rows."""


@contextmanager
def whole_file(folder: Path, stem: str, kind: str) -> Iterator[Sink]:
    """Open a telemetry file that appears in the folder only when it is complete.

    One table at a time is in memory. Timestamps in text are ISO 8601 in UTC; in CSV a list
    of topics is a JSON array.
    """
    name = f"{stem}.{kind}"
    aside = folder / f".{name}.tmp"
    try:
        with aside.open("wb") as file:
            if kind == "parquet":
                # Without the Arrow schema in the footer, every reader sees plain Parquet types.
                with ParquetWriter(file, SCHEMA, compression="zstd", store_schema=False) as writer:
                    yield partial(_write_parquet, writer)
            elif kind == "csv":
                file.write((",".join(SCHEMA.names) + "\n").encode())
                yield partial(_write_csv, file)
            else:
                yield partial(_write_json_lines, file)
        aside.replace(folder / name)
    finally:
        aside.unlink(missing_ok=True)


def _write_parquet(writer: ParquetWriter, table: Table, spoiled: list[SpoiledRow]) -> None:
    if spoiled:
        message = "Parquet cannot hold values of a wrong type; choose jsonl or csv for them"
        raise ValueError(message)
    writer.write_table(table, row_group_size=250_000)


def _write_json_lines(file: BinaryIO, table: Table, spoiled: list[SpoiledRow]) -> None:
    encoder = msgspec.json.Encoder()
    file.writelines(
        encoder.encode_lines(batch.to_pylist()) for batch in table.to_batches(max_chunksize=20_000)
    )
    file.write(encoder.encode_lines(spoiled))


def _write_csv(file: BinaryIO, table: Table, spoiled: list[SpoiledRow]) -> None:
    pa.csv.write_csv(_as_text(table), file, pa.csv.WriteOptions(include_header=False))
    file.writelines(
        (",".join(_cell(row[name]) for name in SCHEMA.names) + "\n").encode() for row in spoiled
    )


def _as_text(table: Table) -> Table:
    """Return the table with lists as JSON and times as ISO 8601 with a Z."""
    lists = table["subscribed_topics"]
    text = [None if topics is None else json.dumps(topics) for topics in lists.to_pylist()]
    times = pa.compute.strftime(
        table["snapshot_at"].cast(pa.timestamp("s", tz="UTC"), safe=False), "%Y-%m-%dT%H:%M:%SZ"
    )
    for name, column in (
        ("snapshot_at", times),
        ("subscribed_topics", pa.array(text, pa.string())),
    ):
        table = table.set_column(SCHEMA.get_field_index(name), name, column)
    return table


def _cell(value: Any) -> str:  # noqa: ANN401 -- whatever was spoiled
    if value is None:
        return ""
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return '"' + text.replace('"', '""') + '"'
