"""Small tables of the driver as frames of Spark, without starting Python for them."""

from collections.abc import Iterable, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from schemas.arrow import arrow_schema
from schemas.tables import columns


def frame_of(spark: SparkSession, ddl: str, rows: Iterable[Sequence[object]]) -> DataFrame:
    """Return rows of a DDL, each with a value for every column."""
    return framed(spark, ddl, arrow_table(ddl, rows))


def arrow_table(ddl: str, rows: Iterable[Sequence[object]]) -> pa.Table:
    """Return rows of a DDL, each with a value for every column."""
    schema = arrow_schema(ddl)
    named = [dict(zip(schema.names, row, strict=True)) for row in rows]
    return pa.Table.from_pylist(named, schema)


def framed(spark: SparkSession, ddl: str, content: pa.Table) -> DataFrame:
    """Return an Arrow table of a DDL; Spark Connect takes none without rows."""
    if content.num_rows:
        return spark.createDataFrame(content)
    nothing = (f"CAST(NULL AS {kind}) AS `{name}`" for name, kind in columns(ddl).items())
    return spark.range(0).selectExpr(*nothing)
