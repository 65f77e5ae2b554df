"""Print views of the tables as the last run published them, for engines without Python."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from pipeline.actions import DAY
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from schemas.tables import TABLES, columns

_IN_DUCKDB: Final = {
    "STRING": "VARCHAR",
    "BINARY": "BLOB",
    "INT": "INTEGER",
    "TIMESTAMP": "TIMESTAMPTZ",
    "ARRAY<STRING>": "VARCHAR[]",
    "MAP<STRING,BIGINT>": "MAP(VARCHAR, BIGINT)",
}
"""Types whose names differ from Spark's."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("output", metavar="DIR", help="the folder of the tables, or its address")
    what = "whose SQL (default: duckdb, without its Delta extension)"
    parser.add_argument("--engine", choices=tuple(_ENGINES), default="duckdb", help=what)


def main(options: Namespace) -> None:
    """Print a view for each table; they stay as they are when another run is published."""
    lake = Lake(options.output)
    row = latest_of(lake)
    sys.stdout.write(
        f"-- run {row['run_id']}, published {row['finished_at']:%Y-%m-%d %H:%M:%S} UTC\n"
    )
    sys.stdout.writelines(f"{view};\n" for view in views(lake, row, options.engine))


def views(lake: Lake, row: Mapping[str, Any], engine: str) -> Iterator[str]:
    """Yield the statement that creates each table's view at the version of a row of ``runs``."""
    for name, version in row["versions"].items():
        yield _ENGINES[engine](lake, name, version)


def _in_spark(lake: Lake, table: str, version: int) -> str:
    address = lake.address(table).replace("`", "``")
    rows = f"SELECT * FROM delta.`{address}` VERSION AS OF {version}"  # noqa: S608 -- printed
    return f"CREATE OR REPLACE TEMPORARY VIEW {table} AS {rows}"


def _in_duckdb(lake: Lake, table: str, version: int) -> str:
    """Return a view of the version's files; columns that they lack are null."""
    known = columns(TABLES[table])
    typed = (
        f'CAST(NULL AS {_IN_DUCKDB.get(kind, kind)}) AS "{name}"' for name, kind in known.items()
    )
    view = f"CREATE OR REPLACE VIEW {table} AS\nSELECT {', '.join(typed)} WHERE false"
    files = lake.table(table, version).file_uris()
    if not files:
        return view
    listed = ",\n  ".join("'" + file.replace("'", "''") + "'" for file in sorted(files))
    how = ["union_by_name = true"]
    how += ["hive_partitioning = true", f"hive_types = {{'{DAY}': DATE}}"] if DAY in known else []
    rows = f"SELECT * FROM read_parquet([\n  {listed}\n], {', '.join(how)})"  # noqa: S608 -- printed
    return f"{view}\nUNION ALL BY NAME {rows}"


_ENGINES: Final[Mapping[str, Callable[[Lake, str, int], str]]] = MappingProxyType(
    {"duckdb": _in_duckdb, "spark": _in_spark}
)
