"""The Delta tables of one published run of the pipeline, each at the run's version."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError
from pyarrow.fs import LocalFileSystem, S3FileSystem, SubTreeFileSystem

from assignors.model import UNKNOWN, LongArray
from evaluation.judging import LAG, Measure
from schemas.arrow import arrow_schema
from schemas.earlier import FORMER, needed, with_loads
from schemas.tables import TABLES
from sources.errors import SourceError, guarded
from sources.fleet.location import DELTA_LOG, S3, refuse_outside, refuse_special

AGAIN: Final = "make the tables anew: python -m pipeline run --input TELEMETRY --output NEW_FOLDER"
_REPEATED: Final = frozenset(
    {
        *("cluster", "group_id", "strategy", "tested_strategy"),
        *("topic", "member_id", "file", "reason"),
    }
)
"""Columns whose values repeat, read as dictionaries."""
_NAME: Final = pa.dictionary(pa.int32(), pa.string())
# Spark may write INT96, which Arrow would read as nanoseconds.
_OPTIONS: Final = ds.ParquetReadOptions(coerce_int96_timestamp_unit="us")
_WITH_DICTIONARIES: Final = ds.ParquetFileFormat(
    read_options=ds.ParquetReadOptions(
        coerce_int96_timestamp_unit="us", dictionary_columns=_REPEATED
    )
)
_WHOLE: Final = {pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}
_LATER: Final = frozenset({"judged_by", "kind", "ownership"})
"""Columns that tables of earlier releases lack, beside those of ``schemas.earlier``."""
_CREDENTIALS: Final = ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE")
_MAPPING: Final = "delta.columnMapping.mode"
"""Under it files name columns otherwise than the table does; deltalake ignores that."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_S3_MESSAGE: Final = re.compile(r"<Message>([^<\n]+)</Message>")


@dataclass(frozen=True)
class Edition:
    """The state of a folder, which changes with every finished run."""

    folder: str
    """An absolute path or an s3:// address."""
    table_id: str
    """The id of the table ``runs``: changes when a folder is recreated."""
    version: int
    """The version of the table ``runs``."""
    root: str | None = None
    """The folder that must contain all files of the tables, if any."""


@dataclass(frozen=True)
class Fleet:
    """The tables of one run, each opened on first use; those of one edition are equal."""

    edition: Edition
    run: Mapping[str, Any] = field(compare=False)
    """Its row of ``runs`` with parsed JSON."""
    measure: Measure = field(default=LAG, compare=False)
    """What a partition weighs, which columns of load add up."""
    _datasets: dict[str, ds.Dataset] = field(default_factory=dict, compare=False)

    def __reduce__(self) -> tuple[Callable[..., "Fleet"], tuple[object, ...]]:
        """Send it to another process, which opens the tables itself."""
        return _sent, (self.edition, dict(self.run), self.measure)

    def read(
        self, table: str, columns: Sequence[str], where: ds.Expression | None = None
    ) -> pa.Table:
        """Return these columns of the matching rows, with names as dictionaries.

        Columns and filter are pushed down: other days and files are not read. Raises SourceError.
        """
        with readable(f"table {table}", self.edition.folder):
            return self._told(_with_dictionaries(self._rows(table)), table, columns, where)

    def look_up(self, table: str, columns: Sequence[str], where: ds.Expression) -> pa.Table:
        """Return the columns of a few rows.

        Row groups are skipped by their minima and maxima as well, which Arrow cannot do for
        dictionaries. Raises SourceError.
        """
        with readable(f"table {table}", self.edition.folder):
            return self._told(self._rows(table), table, columns, where)

    def _told(
        self, rows: ds.Dataset, table: str, columns: Sequence[str], where: ds.Expression | None
    ) -> pa.Table:
        names = needed(table, columns, rows.schema.names)
        found = _whole(rows.to_table(columns=names, filter=where))
        return with_loads(found, table, columns, is_by_lag=self.measure == LAG)

    def has(self, table: str, column: str) -> bool:
        """Return whether a table has a column, which one of an earlier release may lack."""
        with readable(f"table {table}", self.edition.folder):
            return column in self._rows(table).schema.names

    def head(self, table: str, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first ``most`` rows; later files are not read."""
        with readable(f"table {table}", self.edition.folder):
            return _whole(self._rows(table).head(most, columns=list(columns)))

    def count(self, table: str) -> int:
        """Return the number of rows of a table, from the files' footers."""
        with readable(f"table {table}", self.edition.folder):
            return int(self._rows(table).count_rows())

    def _rows(self, table: str) -> ds.Dataset:
        if table not in self._datasets:
            folder, version = self.edition.folder, self.run["versions"].get(table)
            if version is None:
                message = f"the last run in {folder} wrote no table {table}; {AGAIN}"
                raise SourceError(message)
            opened = open_table(folder, table, self.edition.root, version)
            self._datasets[table] = checked_rows(opened, table, self.edition)
        return self._datasets[table]


def _sent(edition: Edition, run: dict[str, Any], measure: Measure) -> Fleet:
    return Fleet(edition, MappingProxyType(run), measure)


@contextmanager
def readable(what: str, folder: str) -> Iterator[None]:
    """Turn exceptions of deltalake and Arrow into a SourceError that names what cannot be read."""
    named = what if what == folder else f"{what} in {folder}"
    with guarded(named):
        try:
            yield
        except SourceError:
            raise
        except (DeltaError, pa.ArrowException, OSError, ValueError) as error:
            message = f"{named} cannot be read: {cause(error)}{_missing_credentials(folder)}"
            raise SourceError(message) from error


def _missing_credentials(folder: str) -> str:
    """Return how to set credentials for a bucket if the environment has none."""
    if not folder.startswith(S3) or any(os.environ.get(name) for name in _CREDENTIALS):
        return ""
    return (
        "; start this server with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION set "
        "(and AWS_ENDPOINT_URL for a store of your own, with AWS_ALLOW_HTTP=true if it has no TLS)"
    )


def files_below(folder: str) -> SubTreeFileSystem:
    """Return a file system rooted at a folder: Arrow's, which reads without Python.

    With deltalake's, Arrow's threads hold Python objects, and the interpreter aborts if it exits
    before they release them.
    """
    if not folder.startswith(S3):
        return SubTreeFileSystem(folder, LocalFileSystem())
    store = urlsplit(os.environ.get("AWS_ENDPOINT_URL", ""))
    files = S3FileSystem(
        region=os.environ.get("AWS_REGION"),
        scheme=store.scheme or "https",
        endpoint_override=store.netloc or None,
    )
    return SubTreeFileSystem(folder.removeprefix(S3), files)


def open_table(folder: str, table: str, root: str | None, version: int | None = None) -> DeltaTable:
    """Return a table whose log is below the root, and whose columns are named as in its files.

    Raises SourceError.
    """
    address = f"{folder}/{table}"
    if not address.startswith(S3):
        log = Path(address, DELTA_LOG)
        logged = list(log.rglob("*"))
        refuse_outside(root, [log, *(path for path in logged if path.is_symlink())])
        refuse_special(logged)
    opened = DeltaTable(address, version=version)
    mode = opened.metadata().configuration.get(_MAPPING, "none")
    if mode != "none":
        message = (
            f"table {table} in {folder} maps columns ({_MAPPING}={mode}), which cannot be read "
            f"here; {AGAIN}"
        )
        raise SourceError(message)
    return opened


def checked_rows(opened: DeltaTable, table: str, edition: Edition) -> ds.Dataset:
    """Return a table's dataset; raise SourceError unless it has the columns of ``schemas``.

    Further columns are allowed. Every file must be below the edition's root.
    """
    folder = edition.folder
    dataset = opened.to_pyarrow_dataset(
        filesystem=files_below(f"{folder}/{table}"), parquet_read_options=_OPTIONS
    )
    if not folder.startswith(S3):
        paths = [Path(folder, table, fragment.path) for fragment in dataset.get_fragments()]
        refuse_outside(edition.root, paths)
        refuse_special(paths)
    there = set(dataset.schema.names)
    loads = FORMER.get(table, {}).keys()
    later = _LATER if loads & there else _LATER | loads
    for expected in arrow_schema(TABLES[table]):
        if expected.name in later and expected.name not in there:
            continue
        if expected.name not in dataset.schema.names:
            message = f"table {table} in {folder} has no column {expected.name!r}; {AGAIN}"
            raise SourceError(message)
        actual = dataset.schema.field(expected.name).type
        if actual.id != expected.type.id:
            message = (
                f"column {expected.name!r} of table {table} in {folder} is {actual} where "
                f"{expected.type} is expected; {AGAIN}"
            )
            raise SourceError(message)
    return dataset


def _whole(rows: pa.Table) -> pa.Table:
    """Return the rows after checking that texts are UTF-8, which Parquet does not.

    Infinities, which the pipeline never writes, become null: unknown.
    """
    rows.validate(full=True)
    for place, column in enumerate(rows.schema):
        if pa.types.is_floating(column.type):
            values = rows.column(place)
            finite = pc.if_else(pc.is_finite(values), values, pa.scalar(None, column.type))
            rows = rows.set_column(place, column, finite)
        elif pa.types.is_dictionary(column.type):
            values = rows.column(place)
            if any(chunk.dictionary.null_count for chunk in values.chunks):  # Arrow unifies none
                whole = values.cast(pa.string()).dictionary_encode()
                rows = rows.set_column(place, column.name, whole)
    return rows.unify_dictionaries()


def _with_dictionaries(dataset: ds.Dataset) -> ds.Dataset:
    """Return the dataset with names as dictionaries, which reads a million rows twice as fast."""
    schema = pa.schema(
        [each.with_type(_NAME) if each.name in _REPEATED else each for each in dataset.schema]
    )
    fragments = [
        _WITH_DICTIONARIES.make_fragment(
            each.path, filesystem=each.filesystem, partition_expression=each.partition_expression
        )
        for each in dataset.get_fragments()
    ]
    return ds.FileSystemDataset(fragments, schema, _WITH_DICTIONARIES, dataset.filesystem)


def to_frame(table: pa.Table) -> pd.DataFrame:
    """Return a table as a frame with nullable integers and names as objects."""
    frame: pd.DataFrame = table.to_pandas(types_mapper=_WHOLE.get)
    return frame.astype({name: "object" for name in frame.columns if name in _REPEATED})


def codes(values: pa.ChunkedArray) -> LongArray:
    """Return a number for each value, the same for equal ones; -1 for null."""
    coded = pa.chunked_array(values.chunks, values.type).combine_chunks()
    numbers: LongArray = coded.indices.fill_null(-1).to_numpy().astype(np.int64)
    return numbers


def numbered(
    values: pa.ChunkedArray, first: list[str] | None = None
) -> tuple[LongArray, npt.NDArray[np.object_]]:
    """Return each value's index into the distinct values, and the distinct values.

    Values in ``first`` come first, even if unused; the others follow alphabetically.
    """
    coded = pa.chunked_array(values.chunks, values.type).combine_chunks()
    different = coded.dictionary.to_pylist()
    names = [*(first or ()), *sorted(set(different) - set(first or ()))]
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([place[name] for name in different], np.int64)
    return numbers[coded.indices.to_numpy()], np.array(names, dtype=object)


def integers(values: pa.ChunkedArray) -> Any:  # noqa: ANN401 -- pyarrow is untyped
    """Return integers, ``UNKNOWN`` where null."""
    return pc.fill_null(values.cast(pa.int64()), UNKNOWN).to_numpy()


def cause(error: BaseException) -> str:
    r"""Return the root cause in a message, which deltalake puts last and Arrow first.

    >>> cause(OSError("Generic error\n   \x1b[31m↳\x1b[0m no such bucket\n\n"))
    'no such bucket'
    >>> cause(OSError("Generic error\n  ↳ <Error><Message>No such bucket.</Message></Error>"))
    'No such bucket'
    >>> cause(OSError("a file is damaged. See x.cc:12\nmore"))
    'a file is damaged. See x.cc:12'
    """
    text = _COLOURS.sub("", str(error))
    if message := _S3_MESSAGE.search(text):
        return message[1].rstrip(".")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [line.removeprefix("↳").strip() for line in lines if line.startswith("↳")]
    return ([*lines[:1], *causes] or [type(error).__name__])[-1].rstrip(".")
