"""The queries of docs/pipeline.md give rows, the same in DuckDB, Polars and Spark."""

import re
import sys
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from pipeline.__main__ import main
from pipeline.encoding import completed
from pipeline.jobs.sql import views
from pipeline.lake import Lake
from pipeline.sample import SAMPLE
from schemas.arrow import arrow_schema
from schemas.tables import REJECTED, TABLES, columns
from tests.pipeline.lakes import added
from tests.pipeline.processes import PATIENCE_S, REPOSITORY, finished

Rows = list[tuple[Any, ...]]
_TEXT: Final = (REPOSITORY / "docs" / "pipeline.md").read_text()
_PYTHON, *_OTHERS = re.findall(r"```python\n(.*?)```", _TEXT, re.DOTALL)
_QUERIES: Final = re.findall(r"^SELECT .*?(?=;$)", _TEXT, re.MULTILINE)


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    """Return the tables as the document opens them, of the sample fleet."""
    known: dict[str, Any] = {}
    exec(_PYTHON.replace("tables/", f"{SAMPLE}/tables/"), known)  # noqa: S102 -- our document
    assert len(known["of_day"]) > 0
    found: dict[str, Any] = known["tables"]
    return found


def in_duckdb(tables: dict[str, Any], _spark: SparkSession | None) -> Callable[[str], Rows]:
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.register(name, table)
    return lambda query: connection.sql(query).fetchall()


def in_polars(tables: dict[str, Any], _spark: SparkSession) -> Callable[[str], Rows]:
    context = pl.SQLContext({name: pl.scan_pyarrow_dataset(t) for name, t in tables.items()})
    return lambda query: context.execute(query, eager=True).rows()


def in_spark(tables: dict[str, Any], spark: SparkSession) -> Callable[[str], Rows]:
    spark.conf.set("spark.sql.ansi.doubleQuotedIdentifiers", "true")
    for name, table in tables.items():
        rows = completed(table.to_table(), arrow_schema(TABLES[name]))  # an earlier release's
        # Spark cannot read an Arrow table without rows.
        frame = spark.createDataFrame(rows if rows.num_rows else [], TABLES[name])
        frame.createOrReplaceTempView(name)
    return lambda query: [tuple(row) for row in spark.sql(query).collect()]


def test_every_query_gives_rows_and_the_same_in_every_engine(
    spark: SparkSession, tables: dict[str, Any]
) -> None:
    engines = [engine(tables, spark) for engine in (in_duckdb, in_polars, in_spark)]

    answers = [[_rounded(engine(query)) for engine in engines] for query in _QUERIES]

    assert len(_QUERIES) == 7
    for query, (first, *others) in zip(_QUERIES, answers, strict=True):
        assert all(other == first for other in others), query
        assert first, query


def test_views_in_duckdb_hold_the_rows_of_the_published_versions(
    tables: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sql", f"{SAMPLE}/tables"]) == 0
    by_view, by_arrow = duckdb.connect(), in_duckdb(tables, None)

    by_view.execute("SET TimeZone = 'UTC'")
    by_view.execute(capsys.readouterr().out)

    for query in [*_QUERIES, *(f"FROM {name} SELECT count(*)" for name in tables)]:
        found = _rounded(by_view.sql(query).fetchall())
        assert found == _rounded(by_arrow(query)), query
    for name in tables:
        assert by_view.table(name).columns[: len(columns(TABLES[name]))] == [*columns(TABLES[name])]


def test_views_name_the_published_version_after_others_have_written(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "o'clock"))
    lake.prepare()
    first, after = (
        pa.Table.from_pylist(
            [{"file": "a", "reason": reason, "raw": "", "rows": 1}], arrow_schema(REJECTED)
        )
        for reason in ("published", "not published")
    )
    versions = {"rejected": added(lake, "rejected", first), "telemetry": 0}
    added(lake, "rejected", after, after=versions["rejected"])
    database = duckdb.connect()

    for view in views(lake, {"versions": versions}, "duckdb"):
        database.execute(view)
    spark = [*views(lake, {"versions": versions}, "spark")]

    (query,) = re.findall(r"`(SELECT [^`]* FROM rejected [^`]*)`", _TEXT)
    assert database.sql(query).fetchall() == [("published", 1)]
    assert database.sql("SELECT count(*) FROM telemetry").fetchall() == [(0,)]
    assert spark[0].endswith(f"VERSION AS OF {versions['rejected']}")


_DELTA: Final = """
import sys
from pipeline.jobs.sql import views
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.session import open_session
lake = Lake(sys.argv[1])
delta = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
delta |= {"spark.databricks.delta.snapshotPartitions": "1", "spark.sql.shuffle.partitions": "2"}
spark = open_session("local[2]", packages=["io.delta:delta-spark_2.13:4.4.0"], settings=delta)
row = latest_of(lake)
for view in views(lake, row, "spark"):
    spark.sql(view)
print({name: spark.table(name).count() for name in ("recommendation", "group_summary")})
"""


@pytest.mark.proof  # with Delta's own Spark, from Maven Central
def test_views_in_spark_hold_the_rows_of_the_published_versions(tables: dict[str, Any]) -> None:
    words = [sys.executable, "-c", _DELTA, f"{SAMPLE}/tables"]
    ended = finished(words, patience_s=2 * PATIENCE_S)

    assert ended.returncode == 0, ended.stderr
    counted = literal_eval(ended.stdout.splitlines()[-1])
    assert counted == {name: tables[name].count_rows() for name in counted}
    assert min(counted.values()) > 0


def _rounded(rows: Rows) -> list[str]:
    shown = [[f"{v:.6g}" if isinstance(v, float) else v for v in row] for row in rows]
    return sorted(map(repr, shown))


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_the_document_s_code_runs(
    tables: dict[str, Any], engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = (code for code in _OTHERS if f"import {engine}" in code)

    exec(code, {"tables": tables})  # noqa: S102 -- our document

    assert "reason" in capsys.readouterr().out
