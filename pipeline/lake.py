"""The Delta tables at an output: which versions belong together, and how new ones appear.

Spark and its tasks write Parquet files; the driver commits them through ``deltalake``, one
transaction per table. Of two concurrent writers one wins, on S3 too (conditional put). A table's
newest version may belong to a run that is still going or was killed. Readers use the versions named
by the newest row of ``runs``; committing that row publishes them. A writer starts from the newest
row, and its own row is refused if another one came in between: what that one published would be
lost. The next run first restores every table to its published version.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import (
    CommitProperties,
    DeltaTable,
    QueryBuilder,
    Schema,
    Transaction,
    WriterProperties,
    write_deltalake,
)
from deltalake.exceptions import CommitFailedError, TableNotFoundError
from deltalake.fs import DeltaStorageHandler
from deltalake.transaction import AddAction, RemoveAction
from pyarrow.fs import FileSelector, FileSystem, PyFileSystem

from pipeline.actions import DAY, STATISTICS, TICK, addition, removal
from pipeline.conflicts import ConflictError
from pipeline.encoding import completed
from pipeline.errors import PipelineError
from pipeline.sweeping import sweep
from schemas.arrow import arrow_schema
from schemas.tables import RUNS, TABLES, columns

BUCKETS: Final = 1024
"""A group's bucket is a hash of its cluster and name modulo this."""
_RUNS: Final = "runs"
_OF_OLD: Final = ("run_report.json", "_current", "_versions", "_commits")
"""Files of the output format before Delta tables."""
_LOG: Final = {
    "delta.checkpointInterval": "10",  # readers read as many commits one by one
    "delta.logRetentionDuration": "interval 7 days",
}
_FEED: Final = {"delta.enableChangeDataFeed": "true"}
_FED: Final = ("partition_lag", "group_member", "member_load", "group_summary", "recommendation")
"""Tables whose changes others follow."""
_NEXT_OR_NONE: Final = CommitProperties(max_commit_retries=0)
"""Commit the next version or none: a later one would build on another writer's rows."""
_LONGEST_RUN: Final = timedelta(days=1)
AHEAD: Final = timedelta(minutes=2)
"""How far another clock may be ahead of this one's. A snapshot beyond that would be the last of its
group, and make everything late that a stream reads afterwards."""
_SMALL_FILE: Final = 64_000_000
"""Bytes."""
_ORDERS: Final = (("bucket",), ("group_id", "snapshot_at"))
"""How rows lie in a file: by the first of these that a table has."""
ROW_GROUP_SIZE: Final = 100_000
"""Small enough that readers of one group, or of a range of buckets, skip most of a file."""
_SMALL_GROUPS: Final = WriterProperties(compression="ZSTD", max_row_group_size=ROW_GROUP_SIZE)


def opened(files: FileSystem, path: str) -> pa.BufferReader:
    """Return the content of a file.

    Arrow's threads must not hold Python's files: the interpreter aborts if it exits first.
    """
    with files.open_input_stream(path) as file:
        return pa.BufferReader(file.read())


def partitioned_by(table: str) -> list[str]:
    """Return the partition columns of a table."""
    return [DAY] if DAY in columns(TABLES[table]) else []


@dataclass(frozen=True)
class Lake:
    """The tables at one output."""

    output: str
    """A local path, or an address such as ``s3a://bucket/fleet`` or ``hdfs://name/fleet``."""
    storage: Mapping[str, str] = field(default_factory=dict)
    """Storage options of ``deltalake``; see ``session.storage_options``."""

    @property
    def root(self) -> str:
        """The address as ``deltalake`` writes it."""
        scheme = urlsplit(self.output).scheme
        if scheme == "s3a":
            return f"s3{self.output.removeprefix('s3a').rstrip('/')}"
        if scheme in ("", "file"):
            return str(Path(self.output.removeprefix("file://")).absolute())
        return self.output.rstrip("/")

    def address(self, table: str) -> str:
        """Return the address of a table, for Spark."""
        is_local = urlsplit(self.output).scheme in ("", "file")
        root = f"file://{self.root}" if is_local else self.output.rstrip("/")
        return f"{root}/{table}"

    def actions(self, table: str, version: int | None = None) -> pa.Table:
        """Return the files of a version, with path, statistics and day."""
        return pa.table(self.table(table, version).get_add_actions(flatten=True))

    def of_days(self, table: str, version: int, first: date, last: date | None = None) -> pa.Table:
        """Return the files of a version that are of these days, by default of all later ones."""
        files = self.actions(table, version)
        if not files.num_rows:
            return files
        day = files[f"partition.{DAY}"]
        is_in = pc.greater_equal(day, first)
        return files.filter(is_in if last is None else pc.and_(is_in, pc.less_equal(day, last)))

    def table(self, name: str, version: int | None = None) -> DeltaTable:
        """Return a table; raises TableNotFoundError if it does not exist."""
        return DeltaTable(f"{self.root}/{name}", version, dict(self.storage))

    def files(self) -> FileSystem:
        """Return the file system whose root is the output."""
        return PyFileSystem(DeltaStorageHandler(self.root, dict(self.storage)))

    def rows(self, name: str, version: int | None = None) -> pa.Table:
        """Return all rows of a table; columns that its release lacked are null."""
        return completed(self.selected(name, version, "*"), arrow_schema(TABLES[name]))

    def selected(self, name: str, version: int | None, what: str, rest: str = "") -> pa.Table:
        """Return what SQL selects from a version of a table; ``rest`` follows the table's name."""
        query = QueryBuilder().register(name, self.table(name, version))
        return pa.table(query.execute(f"SELECT {what} FROM {name} {rest}").read_all())  # noqa: S608 -- our names

    def prepare(self) -> None:
        """Create missing tables and columns; refuse a folder of an old format."""
        local = Path(self.root)
        summary = local / "group_summary"
        is_old = summary.is_dir() and not (summary / "_delta_log").is_dir()
        if is_old or any((local / name).exists() for name in _OF_OLD):
            message = (
                f"{self.output} holds tables of an earlier version of this program, which are not "
                "Delta tables; remove the folder, or give another --output, and run again"
            )
            raise PipelineError(message)
        if not urlsplit(self.output).scheme:
            local.mkdir(parents=True, exist_ok=True)
        for name, ddl in TABLES.items():
            known = [column for column in STATISTICS if column in columns(ddl)]
            skipping = {"delta.dataSkippingStatsColumns": ",".join(known)} if known else {}
            DeltaTable.create(
                f"{self.root}/{name}",
                arrow_schema(ddl),
                mode="ignore",
                partition_by=partitioned_by(name),
                name=name,
                configuration=_LOG | skipping | (_FEED if name in _FED else {}),
                storage_options=dict(self.storage),
            )
            self._with_all_columns(name)

    def _with_all_columns(self, name: str, version: int | None = None) -> int:
        """Add the columns that a version of an earlier release lacks; return the version then."""
        table = self.table(name, version)
        there = {column.name for column in table.schema().fields}
        wanted = Schema.from_arrow(arrow_schema(TABLES[name])).fields
        missing = [column for column in wanted if column.name not in there]
        if not missing:
            return table.version()
        then = table.version() + 1
        with self._alone(name):
            table.alter.add_columns(missing, commit_properties=_NEXT_OR_NONE)
        return then

    def latest(self) -> dict[str, Any] | None:
        """Return the newest row of ``runs``; None if no run has finished."""
        try:
            return self._newest(self.table(_RUNS))
        except TableNotFoundError:
            return None

    def _newest(self, runs: DeltaTable) -> dict[str, Any] | None:
        """Read only the file with the newest row, because a stream adds a file with every batch."""
        files = pa.table(runs.get_add_actions(flatten=True))
        if not files.num_rows:
            return None
        newest = files.sort_by([("max.finished_at", "descending")])["path"][0].as_py()
        file = opened(self.files(), f"{_RUNS}/{newest}")
        rows = pq.read_table(file, schema=arrow_schema(RUNS), use_threads=False)
        row = max(rows.to_pylist(), key=lambda row: row["finished_at"])
        return {**row, "versions": dict(row["versions"])}

    def published(self, query: str) -> int:
        """Return the last published batch of a stream, or -1."""
        version = self.table(_RUNS).transaction_version(query)
        return -1 if version is None else version

    def roll_back(self, versions: Mapping[str, int]) -> dict[str, int]:
        """Restore every table to its version, by default 0; return the versions that hold it.

        What another writer commits meanwhile is not in them, as it is not published. Raises
        ConflictError if that makes restoring impossible.
        """
        restored = {}
        for name in TABLES:
            if name != _RUNS:
                table, wanted = self.table(name), versions.get(name, 0)
                version = table.version()
                if version != wanted:
                    with self._alone(name):
                        table.restore(wanted)
                    version += 1
                restored[name] = self._with_all_columns(name, version)
        return restored

    def written_by_spark(self, table: str, folder: str) -> list[tuple[str, int]]:
        """Return path and size of the uncommitted files that Spark wrote to a folder of a table."""
        selector = FileSelector(f"{table}/{folder}", recursive=True)
        return [
            (info.path[info.path.index(f"{folder}/") :], info.size)
            for info in self.files().get_file_info(selector)
            if info.path.endswith(".parquet")
        ]

    def added(self, table: str, written: Sequence[tuple[str, int]]) -> list[AddAction]:
        """Return the actions that add files of these paths and sizes; reads their footers."""
        files, actions = self.files(), []
        for path, size in written:
            with files.open_input_file(f"{table}/{path}") as file:
                actions.append(addition(path, size, pq.ParquetFile(file).metadata))
        return actions

    def commit(
        self, table: str, files: Sequence[AddAction | RemoveAction], *, after: int | None = None
    ) -> int:
        """Add files to version ``after`` of a table, or replace all; return the new version.

        Adding no files keeps the version. Raises ConflictError if another writer was first.
        """
        if after is not None and not files:
            return after
        delta, days = self.table(table), partitioned_by(table) or None
        if after not in (None, delta.version()):
            raise self._conflict(table)
        mode: Literal["append", "overwrite"] = "overwrite" if after is None else "append"
        schema, version = arrow_schema(TABLES[table]), delta.version() + 1
        with self._alone(table):
            delta.create_write_transaction(
                list(files), mode, schema, days, commit_properties=_NEXT_OR_NONE
            )
        return version

    def replace(
        self, table: str, paths: Sequence[str], files: Sequence[AddAction], *, after: int
    ) -> int:
        """Put files in the place of those at these paths; return the new version.

        Raises ConflictError if another writer committed after the version ``after``.
        """
        known = self.actions(table, after).to_pylist()
        sizes = {file["path"]: file["size_bytes"] for file in known}
        removed = [removal(path, sizes[path]) for path in paths]
        return self.commit(table, [*removed, *files], after=after)

    @contextmanager
    def unless_overtaken(self, failures: tuple[type[Exception], ...]) -> Iterator[None]:
        """Raise a failure as a ConflictError if another run was published meanwhile.

        Maintenance may then have removed files that were still to be read.
        """
        base = self.latest()
        try:
            yield
        except failures as error:
            if self.latest() == base:
                raise
            raise self._conflict(_RUNS) from error

    @contextmanager
    def _alone(self, table: str) -> Iterator[None]:
        try:
            yield
        except CommitFailedError as error:
            raise self._conflict(table) from error

    def _conflict(self, table: str) -> ConflictError:
        return ConflictError(
            f"something else wrote to the table {table} in {self.output} at the same time, so "
            "nothing of this run is published; let one run at a time write there, then run it again"
        )

    def publish(
        self,
        run: Mapping[str, Any],
        base: Mapping[str, Any] | None,
        stream: tuple[str, int] | None = None,
    ) -> None:
        """Add a row to ``runs``; for a ``stream`` record its query and batch in the same commit.

        ``base`` is the newest row that the run started from; raises ConflictError if there is a
        newer one. The time of a row is later than that of the row before, whatever the writers'
        clocks say, so that the newest row is the last one committed.
        """
        transactions = [Transaction(*stream)] if stream else None
        properties = CommitProperties(max_commit_retries=0, app_transactions=transactions)
        started_from = None if base is None else base["finished_at"]
        while True:
            runs = self.table(_RUNS)
            newest = self._newest(runs)
            before = None if newest is None else newest["finished_at"]
            if before != started_from:
                raise self._conflict(_RUNS)
            finished = run["finished_at"]
            if before is not None:
                finished = max(finished, before + TICK)
            row = {**run, "finished_at": finished, "versions": list(run["versions"].items())}
            rows = pa.Table.from_pylist([row], arrow_schema(RUNS))
            with suppress(CommitFailedError):  # another run's row, or only a vacuum's
                write_deltalake(runs, rows, mode="append", commit_properties=properties)
                return

    def compact(self, table: str, oldest: datetime | None, *, after: int) -> int:
        """Drop the days before this time, merge and order small files; return the version.

        Only days with several small files are written again, so the cost is that of what was added.
        Raises ConflictError if another writer committed after the version ``after``: its rows are
        not published, and may never be.
        """
        delta, known = self.table(table), columns(TABLES[table])
        if delta.version() != after:
            raise self._conflict(table)
        with self._alone(table):
            if oldest is not None and DAY in known:
                delta.delete(f"{DAY} < '{oldest:%Y-%m-%d}'", commit_properties=_NEXT_OR_NONE)
            elif oldest is not None and "snapshot_at" in known:
                before = f"snapshot_at < '{oldest:%Y-%m-%d}T00:00:00Z'"
                delta.delete(before, commit_properties=_NEXT_OR_NONE)
            fragmented = _fragmented_days(delta, has_days=DAY in known)
            if fragmented:
                filters = [(DAY, "in", [f"{day}" for day in fragmented])] if DAY in known else None
                order = next((list(names) for names in _ORDERS if {*names} <= {*known}), None)
                how: dict[str, Any] = {
                    "partition_filters": filters,
                    "writer_properties": _SMALL_GROUPS,
                    "commit_properties": _NEXT_OR_NONE,
                }
                then = delta.version() + 1
                if order:
                    delta.optimize.z_order(order, **how)
                else:
                    delta.optimize.compact(**how)
                if delta.version() > then:  # it commits after another writer's rows, unasked
                    raise self._conflict(table)
        return int(delta.version())

    def vacuum(self, table: str, keep: timedelta, versions: Sequence[int]) -> None:
        """Remove what only versions older than ``keep`` use: files, log entries, empty folders.

        Files that no version names are left by killed runs and repeated tasks, or of a run that is
        still going: they are removed once they are as old, and at least ``_LONGEST_RUN``.
        """
        delta = self.table(table)
        for full, age in ((False, keep), (True, max(keep, _LONGEST_RUN))):
            delta.vacuum(
                int(age / timedelta(hours=1)),
                dry_run=False,
                enforce_retention_duration=False,
                full=full,
                keep_versions=list(versions),
            )
        delta.create_checkpoint()
        delta.cleanup_metadata()
        if not urlsplit(self.root).scheme:
            sweep(Path(self.root, table), _LONGEST_RUN)


def _fragmented_days(table: DeltaTable, *, has_days: bool) -> list[date | None]:
    """Return the days that have several small files, in order; [None] for a table without days."""
    files = pa.table(table.get_add_actions(flatten=True))
    small = files.filter(pc.less(files["size_bytes"], _SMALL_FILE))
    days = small[f"partition.{DAY}"].to_pylist() if has_days else [None] * len(small)
    return sorted(day for day, count in Counter(days).items() if count > 1)
