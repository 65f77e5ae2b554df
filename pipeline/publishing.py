"""Publishing: all tables of a run appear at one instant, or none does.

A run writes a version of its own, ``DIR/_versions/<version>/<table>``, and links the days it
did not cover from the version before. Then one rename turns ``DIR/_current`` to it.
``DIR/<table>`` and ``DIR/run_report.json`` are constant links through ``_current``: one who
reads a table through them while a run publishes may find a file gone; one who follows
``_current`` first sees one whole version, which stays until the next run but one starts.
"""

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from pipeline.commits import Commits
from pipeline.errors import PipelineError
from schemas.arrow import arrow_schema
from schemas.tables import TABLES

CURRENT: Final = "_current"
VERSIONS: Final = "_versions"
REPORT: Final = "run_report.json"
_LOCK: Final = "_lock"
_TURNED: Final = "_current.new"
_LINKS: Final = (*TABLES, REPORT)
_OURS: Final = frozenset({CURRENT, VERSIONS, _LOCK, _TURNED, *_LINKS})
_URI: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_SHOWN: Final = 3


class Staging(Protocol):
    """Where a run writes until all of it is there."""

    @property
    def disk(self) -> Path | None:
        """The folder of the tables, if workers can write to it without Spark."""
        ...

    @property
    def shelves(self) -> Path | None:
        """A folder for what lasts as long as the run, if workers can write to it without Spark."""
        ...

    def place(self, table: str) -> str:
        """Return where Spark writes a table, each only once."""
        ...

    def write(self, spark: SparkSession, table: str, content: pa.Table) -> None:
        """Write a table that is small enough to be in memory."""
        ...

    def rows(self, spark: SparkSession) -> dict[str, int]:
        """Return how many rows there are in each table."""
        ...

    def publish(self, spark: SparkSession, report: Mapping[str, Any]) -> None:
        """Make what was written, and the report, the tables that readers see."""
        ...


@contextmanager
def staged(output: str) -> Iterator[Staging]:
    """Yield a new version to write; on leaving, what was not published is removed.

    ``output`` is a folder, or the address of one where Spark alone can write (s3a://, hdfs://).
    Raises PipelineError if the folder holds anything else, or another run is writing to it.
    """
    if _URI.match(output):
        yield Commits(output.rstrip("/"))
        return
    folder = Path(output).absolute()
    _check(folder)
    with _locked(folder):
        _sweep(folder)
        version = Version(folder, folder / VERSIONS / _next_name(folder))
        version.path.mkdir(parents=True)
        try:
            yield version
        finally:
            shutil.rmtree(version.shelves, ignore_errors=True)
            if _current(folder) != version.path:
                shutil.rmtree(version.path, ignore_errors=True)


@dataclass(frozen=True)
class Version:
    """A version of the tables on a disk."""

    folder: Path
    path: Path

    @property
    def disk(self) -> Path:
        """The folder of the tables."""
        return self.path

    @property
    def shelves(self) -> Path:
        """A folder beside them."""
        return self.path.with_suffix(".shelves")

    def place(self, table: str) -> str:
        """Return where Spark writes a table, as an address that no cluster takes for HDFS."""
        return f"file://{self.path / table}"

    def write(self, spark: SparkSession, table: str, content: pa.Table) -> None:
        """Write a table that is small enough to be in memory."""
        del spark
        (self.path / table).mkdir(exist_ok=True)
        path = self.path / table / "part.parquet"
        pq.write_table(content, path, compression="zstd", store_schema=False)

    def rows(self, spark: SparkSession) -> dict[str, int]:
        """Return how many rows there are in each table, as the files' footers tell."""
        del spark
        return {
            table: sum(pq.read_metadata(file).num_rows for file in self._files(table))
            for table in TABLES
        }

    @property
    def present(self) -> Path | None:
        """The version that readers see; null: there is none yet."""
        return _current(self.folder)

    def publish(self, spark: SparkSession, report: Mapping[str, Any]) -> None:
        """Carry over the days of other runs, then show this version."""
        del spark
        self._check_all_written()
        if self.present:
            _carry_over(self.present, self.path)
        self.show(report)

    def show(self, report: Mapping[str, Any]) -> None:
        """Turn ``_current`` to this version as it is."""
        for table in TABLES:
            _fill_if_empty(self.path / table, table)
        (self.path / REPORT).write_text(json.dumps(report, indent=2) + "\n")
        _turn(self.folder, self.path)

    def _files(self, table: str) -> Iterator[Path]:
        return (self.path / table).rglob("*.parquet")

    def _check_all_written(self) -> None:
        missing = [table for table in TABLES if not (self.path / table).is_dir()]
        if missing:
            message = (
                f"Spark wrote {', '.join(missing)} to {self.path}, but on another machine's disk: "
                "give a folder as --output that the cluster shares, or an address (s3a://, hdfs://)"
            )
            raise PipelineError(message)


def _check(folder: Path) -> None:
    """Refuse a folder that is not empty and not ours."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        entries = sorted(entry.name for entry in os.scandir(folder) if _is_foreign(entry))
    except FileExistsError as error:
        message = f"{folder} is a file; give a folder as --output"
        raise PipelineError(message) from error
    except OSError as error:
        message = f"{folder} cannot be used as --output: {error.strerror}"
        raise PipelineError(message) from error
    if entries:
        shown = ", ".join(entries[:_SHOWN]) + (", ..." if len(entries) > _SHOWN else "")
        message = (
            f"{folder} holds other things ({shown}) than the tables of this pipeline; "
            "give a new or empty folder as --output"
        )
        raise PipelineError(message)


def _is_foreign(entry: "os.DirEntry[str]") -> bool:
    """Whether an entry is neither ours nor hidden; a table of ours is always a link."""
    if entry.name in _LINKS:
        return not entry.is_symlink()
    return entry.name not in _OURS and not entry.name.startswith(".")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which ends with this process however that ends."""
    try:
        file = (folder / _LOCK).open("a+")
    except OSError as error:
        message = f"{folder} cannot be written to: {error.strerror}"
        raise PipelineError(message) from error
    with file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except OSError as error:
            file.seek(0)
            message = (
                f"another run (process {file.read().strip()}) is writing to {folder}; "
                "wait for its end, or give another --output"
            )
            raise PipelineError(message) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _current(folder: Path) -> Path | None:
    link = folder / CURRENT
    return folder / link.readlink() if link.is_symlink() else None


def _next_name(folder: Path) -> str:
    """Return a name that no run had: a killed one's workers may still be writing to theirs."""
    present = _current(folder)
    number = int(present.name.split("-")[0]) + 1 if present else 1
    return f"{number:06d}-{secrets.token_hex(4)}"


def _sweep(folder: Path) -> None:
    """Remove every version but the current one."""
    present = _current(folder)
    versions = folder / VERSIONS
    for version in versions.iterdir() if versions.is_dir() else ():
        if version != present:
            shutil.rmtree(version, ignore_errors=True)


def _carry_over(present: Path, version: Path) -> None:
    """Link the days that no table of the new version has: a run replaces days whole."""
    covered = {day.name for table in TABLES for day in _days(version / table)}
    for table in TABLES:
        for day in _days(present / table):
            if day.name not in covered:
                shutil.copytree(day, version / table / day.name, copy_function=link)


def _days(table: Path) -> list[Path]:
    return sorted(table.glob("day=*"))


def link(source: str, target: str) -> None:
    """Link a file, or copy it where the file system has no links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _fill_if_empty(path: Path, table: str) -> None:
    """Leave a table without rows as a file without rows, which tells its columns."""
    if not any(path.rglob("*.parquet")):
        pq.write_table(arrow_schema(TABLES[table]).empty_table(), path / "empty.parquet")


def _turn(folder: Path, version: Path) -> None:
    """Turn ``_current`` to a version, by one rename."""
    for name in _LINKS:
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(Path(CURRENT, name))
    turned = folder / _TURNED
    turned.unlink(missing_ok=True)
    turned.symlink_to(version.relative_to(folder))
    turned.replace(folder / CURRENT)
