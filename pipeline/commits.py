"""Publishing where there are no links, on s3a:// and hdfs://: one line appended at the end.

Every run writes ``DIR/_versions/<version>/<table>``. When all tables stand, one line is
appended to the JSON Lines data set ``DIR/_commits``: which version has which day of which
table, and the run's report. Nothing counts that no line names; the line with the highest
number is the present one. Two runs at once are not kept apart here: the last line wins.
Old versions stay, for Spark has no way to remove them: let the store's own rules expire them.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline.frames import framed
from schemas.tables import TABLES, columns

_COMMIT: Final = """
    number  BIGINT COMMENT 'one more than the commit before',
    version STRING COMMENT 'the folder that this run wrote',
    places  MAP<STRING, MAP<STRING, STRING>> COMMENT 'table -> folder of a day -> version',
    report  STRING COMMENT 'run_report.json'
"""
_ALL: Final = ""
"""Stands for the day of a table that has none: it lies in one folder."""


class Commit(NamedTuple):
    """One line of ``_commits``."""

    number: int
    version: str
    places: Mapping[str, Mapping[str, str]]
    report: str


@dataclass(frozen=True)
class Commits:
    """A version of the tables wherever Spark can write."""

    address: str
    version: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def disk(self) -> None:
        """None: workers reach these tables through Spark alone."""
        return None

    @property
    def shelves(self) -> None:
        """None, likewise."""
        return None

    def place(self, table: str) -> str:
        """Return where Spark writes a table."""
        return _place(self.address, self.version, table)

    def write(self, spark: SparkSession, table: str, content: pa.Table) -> None:
        """Write a table that is small enough to be in memory."""
        framed(spark, TABLES[table], content).write.parquet(self.place(table))

    def rows(self, spark: SparkSession) -> dict[str, int]:
        """Return how many rows there are in each table."""
        return {
            table: spark.read.schema(ddl).parquet(self.place(table)).count()
            for table, ddl in TABLES.items()
        }

    def publish(self, spark: SparkSession, report: Mapping[str, Any]) -> None:
        """Append the line that makes this version the present one."""
        before = last_commit(spark, self.address)
        number = before.number + 1 if before else 1
        places = self._places(spark, before.places if before else {})
        line = Commit(number, self.version, places, json.dumps(report))
        commits = spark.createDataFrame([line], _COMMIT).coalesce(1)
        commits.write.mode("append").json(f"{self.address}/_commits")

    def _places(
        self, spark: SparkSession, before: Mapping[str, Mapping[str, str]]
    ) -> dict[str, dict[str, str]]:
        """Return where each day of each table is: a run replaces days whole."""
        written = {table: self._days(spark, table) for table in TABLES}
        covered = {day for days in written.values() for day in days}
        return {
            table: {day: at for day, at in before.get(table, {}).items() if day not in covered}
            | dict.fromkeys(days, self.version)
            for table, days in written.items()
        }

    def _days(self, spark: SparkSession, table: str) -> list[str]:
        """Return the folders that a table has been written to."""
        if "day" not in columns(TABLES[table]):
            return [_ALL]
        rows = spark.read.schema(TABLES[table]).parquet(self.place(table))
        days = rows.select(F.col("day").cast("STRING")).distinct().collect()
        return sorted(f"day={row['day']}" for row in days)


def last_commit(spark: SparkSession, address: str) -> Commit | None:
    """Return the present commit; None where no run has published yet."""
    try:
        lines = spark.read.schema(_COMMIT).json(f"{address}/_commits")
        found = lines.orderBy(F.desc("number"), F.desc("version")).limit(1).collect()
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return None
    return Commit(*found[0]) if found else None


def committed(spark: SparkSession, address: str, table: str) -> DataFrame:
    """Return a table as the present commit has it; empty where there is none."""
    commit = last_commit(spark, address)
    places = commit.places[table] if commit else {}
    parts = [_read(spark, address, table, version, places) for version in _versions(places)]
    return reduce(DataFrame.unionByName, parts, spark.createDataFrame([], TABLES[table]))


def _read(
    spark: SparkSession, address: str, table: str, version: str, places: Mapping[str, str]
) -> DataFrame:
    place = _place(address, version, table)
    folders = [f"{place}/{day}".rstrip("/") for day, at in places.items() if at == version]
    return spark.read.schema(TABLES[table]).option("basePath", place).parquet(*folders)


def _versions(places: Mapping[str, str]) -> Iterator[str]:
    yield from dict.fromkeys(places.values())


def _place(address: str, version: str, table: str) -> str:
    return f"{address}/_versions/{version}/{table}"
