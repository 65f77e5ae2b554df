"""The rows of the files of one kind, and what was lost of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.limits import NEEDED
from pipeline.reading.census import Count, Counter, counts, lines_counter
from pipeline.reading.files import START, InputFile, opened, opened_parquet, without_content
from pipeline.reading.headers import fields, first_lines
from pipeline.reading.parquet_rows import parquet_schemas, rows_counter, with_parquet_telemetry
from pipeline.reading.text_rows import with_csv_telemetry, with_telemetry
from pipeline.reading.typed import COLUMNS


@dataclass(frozen=True)
class Lost:
    """A file, or the rest of one, that could not be read; ``rows`` null: nobody can tell."""

    file: InputFile
    reason: str
    rows: int | None = None


@dataclass(frozen=True)
class Part:
    """Some files: their checked rows, how many there are, and what was lost beside them."""

    frames: tuple[DataFrame, ...] = ()
    rows: int = 0
    lost: tuple[Lost, ...] = ()
    notes: tuple[str, ...] = ()


def json_parts(spark: SparkSession, files: Sequence[InputFile]) -> Iterator[Part]:
    """Yield the rows of JSON Lines."""
    found = list(counts(files, lines_counter(spark)))
    lines = _lines(spark, found)
    frames = tuple(with_telemetry(frame) for frame in lines)
    yield Part(frames, sum(count.rows for count in found), _broken_off(found), _empty(found))


def csv_parts(spark: SparkSession, files: Sequence[InputFile]) -> Iterator[Part]:
    """Yield the rows of CSV files, those with the same header together."""
    first = first_lines(spark, files)
    by_header: dict[str | None, list[Count]] = defaultdict(list)
    for count in counts(files, lines_counter(spark, first)):
        by_header[first.get(count.file.encoded)].append(count)
    for header, found in by_header.items():
        names = () if header is None else fields(header)
        missing = [name for name in NEEDED if name not in names]
        if missing:
            reason = f"the file has no header line that names {', '.join(missing)}"
            yield Part(lost=tuple(Lost(c.file, reason, c.rows) for c in found if c.rows))
            yield Part(lost=_broken_off(found), notes=_empty(found))
            continue
        frames = tuple(
            with_csv_telemetry(lines.where(F.col("value") != header), names)
            for lines in _lines(spark, found)
        )
        rows = sum(count.rows for count in found)
        notes = (*_empty(found), *_extra(names, [count.file for count in found]))
        yield Part(frames, rows, _broken_off(found), notes)


def parquet_parts(spark: SparkSession, files: Sequence[InputFile]) -> Iterator[Part]:
    """Yield the rows of Parquet files, those with the same columns together.

    Decodes them once more, to find damaged pages before they end the computation. Tells the
    session to read nanoseconds as numbers: Spark refuses them otherwise.
    """
    spark.conf.set("spark.sql.legacy.parquet.nanosAsLong", value=True)
    hollow = without_content(spark, files)  # Spark takes them for files without rows, if not alone
    yield _unreadable([file for file in files if file in hollow])
    solid = [file for file in files if file not in hollow]
    for schema, alike in parquet_schemas(spark, solid) if solid else ():
        if schema is None:
            yield _unreadable(alike)
            continue
        counter = rows_counter(spark, schema, is_thorough=True)
        found = list(counts(alike, counter))
        missing = [name for name in NEEDED if name not in schema.names]
        if missing:
            reason = f"the file has no column {', '.join(missing)}"
            yield Part(lost=tuple(Lost(count.file, reason, count.rows) for count in found))
            continue
        frames = tuple(
            with_parquet_telemetry(
                opened_parquet(spark, some, schema, is_lenient=is_lenient), schema
            )
            for some, is_lenient in _by_damage(found)
        )
        rows = sum(count.rows for count in found)
        notes = (*_empty(found), *_extra(schema.names, alike))
        told = rows_counter(spark, schema, is_thorough=False)
        yield Part(frames, rows, _broken_off(found, _told(found, told)), notes)


def _unreadable(files: Sequence[InputFile]) -> Part:
    return Part(lost=tuple(Lost(file, "the file is no readable Parquet") for file in files))


def unknown_parts(files: Sequence[InputFile]) -> Iterator[Part]:
    """Yield the files whose names do not tell what they hold."""
    reason = "the name ends in none of .json, .jsonl, .ndjson, .csv (or these and .gz), .parquet"
    yield Part(lost=tuple(Lost(file, reason) for file in files))


def _by_damage(found: Sequence[Count]) -> Iterator[tuple[list[InputFile], bool]]:
    """Yield the sound files, then the damaged ones, whether to read them leniently."""
    sound = [count.file for count in found if count.damage is None]
    damaged = [count.file for count in found if count.damage is not None]
    if sound:
        yield sound, False
    if damaged:
        yield damaged, True


def _lines(spark: SparkSession, found: Sequence[Count]) -> list[DataFrame]:
    """Return the lines of text files that are not blank."""
    return [
        opened(spark, files, is_lenient=is_lenient).drop(START)
        for files, is_lenient in _by_damage(found)
    ]


def _told(found: Sequence[Count], counter: Counter) -> dict[str, int]:
    """Return how many rows the footers of damaged files tell of, by encoded name."""
    damaged = [count.file for count in found if count.damage is not None]
    return {count.file.encoded: count.rows for count in counts(damaged, counter)}


def _broken_off(
    found: Sequence[Count], told: Mapping[str, int] = MappingProxyType({})
) -> tuple[Lost, ...]:
    """Return the losses of files that could not be read to their end.

    ``told``, where anything tells: how many rows a file should have.
    """
    return tuple(
        Lost(
            count.file,
            f"the file cannot be read beyond its row {count.rows}: {count.damage}",
            told[count.file.encoded] - count.rows if count.file.encoded in told else None,
        )
        for count in found
        if count.damage is not None
    )


def _empty(found: Sequence[Count]) -> tuple[str, ...]:
    """Return a note for each file without a row."""
    return tuple(f"{c.file.name} has no rows" for c in found if not c.rows and not c.damage)


def _extra(names: Sequence[str], files: Sequence[InputFile]) -> tuple[str, ...]:
    """Return a note on columns that are not telemetry's."""
    extra = [name for name in names if name not in COLUMNS]
    return (left_out(extra, files),) if extra else ()


def left_out(extra: Sequence[str], files: Sequence[InputFile]) -> str:
    """Return a sentence on columns that are not telemetry's."""
    return f"columns left out of {len(files)} file(s) as {files[0].name}: {', '.join(extra)}"
