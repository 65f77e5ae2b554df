"""Parquet files to telemetry, whatever types their columns have."""

from collections.abc import Iterator, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import (
    ByteType,
    DataType,
    DateType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from pipeline.reading import values
from pipeline.reading.census import Counter
from pipeline.reading.errors import SPARK_ERRORS
from pipeline.reading.files import PATH, InputFile, opened_parquet
from pipeline.reading.typed import COLUMNS, Parsed, checked

_FITTING: Final[dict[str, tuple[type[DataType], ...]]] = {
    "STRING": (StringType,),
    "INT": (ByteType, ShortType, IntegerType),
    "BIGINT": (ByteType, ShortType, IntegerType, LongType),
    "TIMESTAMP": (TimestampType, TimestampNTZType, DateType),
}
"""Types of which every value becomes one of the column's."""


def with_parquet_telemetry(rows: DataFrame, schema: StructType) -> DataFrame:
    """Replace the columns of Parquet files by telemetry, ``raw`` (as JSON) and ``fault``."""
    present = {field.name: field.dataType for field in schema.fields if field.name in COLUMNS}
    typed = {name: _typed(name, type_) for name, type_ in present.items()}
    found = {name: _text(name) for name, type_ in present.items() if not _fits(name, type_)}
    raw = F.to_json(F.struct(*(F.col(f"`{name}`") for name in schema.names)))
    unbroken = F.lit(None).cast("string")
    return checked(rows, [PATH], Parsed(typed, found, raw, unbroken))


def parquet_schemas(
    spark: SparkSession, files: Sequence[InputFile]
) -> Iterator[tuple[StructType | None, Sequence[InputFile]]]:
    """Yield groups of files with a schema that fits each of them; null: no readable footer.

    Spark merges the schemas of all files at once; only where that fails, as types differ or a
    footer is broken, are the files halved, down to the one.
    """
    try:
        reader = spark.read.option("mergeSchema", value=True)
        yield reader.parquet(*(file.pattern for file in files)).schema, files
    except SPARK_ERRORS:
        if len(files) == 1:
            yield None, files
            return
        half = len(files) // 2
        yield from parquet_schemas(spark, files[:half])
        yield from parquet_schemas(spark, files[half:])


def _fits(name: str, type_: DataType) -> bool:
    """Tell whether every value of a type becomes one of the column's."""
    if name == "subscribed_topics":
        return type_.simpleString() == "array<string>"
    return isinstance(type_, _FITTING[COLUMNS[name]])


def _typed(name: str, type_: DataType) -> Column:
    """Return a column in telemetry's type, null where its text must be read."""
    if _fits(name, type_):
        return F.col(name).cast(COLUMNS[name])
    if COLUMNS[name] == "STRING":
        return _text(name)
    if name == "snapshot_at":
        return values.moment(F.trim(_text(name)))
    return F.lit(None).cast(COLUMNS[name])


def _text(name: str) -> Column:
    """Return a column as text."""
    return F.col(name).cast("string")


def rows_counter(spark: SparkSession, schema: StructType, *, is_thorough: bool) -> Counter:
    """Return what counts the rows of Parquet files of a schema, from their footers alone.

    A thorough count decodes every value as well, which finds damaged pages.
    """

    def count(files: Sequence[InputFile], is_lenient: bool) -> DataFrame:
        rows = opened_parquet(spark, files, schema, is_lenient=is_lenient)
        found = rows.groupBy(PATH)
        if not is_thorough:
            return found.agg(F.count("*").alias("rows"))
        values = F.bit_xor(F.xxhash64(*(F.col(f"`{name}`") for name in schema.names)))
        return found.agg(F.count("*").alias("rows"), values.alias("values"))

    return count
