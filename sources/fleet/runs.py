"""The published run of the pipeline in a folder, or why there is none.

``runs`` has a row per finished run, which names the version of every other table. Readers pin those
versions, so they never see half a run while the next one writes.
"""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError
from pyarrow.fs import FileSelector, FileSystem, FileType

from evaluation.judging import LAG, JudgeBy, Measure
from evaluation.wording import listed
from schemas.tables import TABLES
from sources.errors import SourceError
from sources.fleet.location import DELTA_LOG, RUNS, S3
from sources.fleet.tables import (
    AGAIN,
    Edition,
    Fleet,
    checked_rows,
    files_below,
    open_table,
    readable,
)

_JSON: Final = ("quality", "progress")
"""Columns of ``runs`` with JSON."""
_FORMER: Final = frozenset({"_current", "_commits", "_versions"})
"""Files of the output format before Delta tables."""
_CHOOSE: Final = "choose the folder given to the pipeline as --output"
_WAIT: Final = "holds no finished run yet; wait for the pipeline to finish one"
_MOST_NAMED: Final = 4


def edition_of(folder: str, root: str | None = None) -> Edition:
    """Return the state of a folder; only the log of ``runs`` is read.

    Raises SourceError for a folder that is missing, empty, from an earlier version, or not the
    pipeline's, and for files outside the root.
    """
    with readable(folder, folder):
        is_there = folder.startswith(S3) or Path(folder).is_dir()
        try:
            # Unlike is_deltatable, this lets other threads run while it waits for a store.
            opened = open_table(folder, RUNS, root) if is_there else None
        except TableNotFoundError:
            opened = None
        if opened is None:
            raise _no_runs(folder)
        return Edition(folder, str(opened.metadata().id), opened.version(), root)


def open_fleet(edition: Edition) -> Fleet:
    """Return the tables of the newest published run; raises SourceError."""
    with readable(f"table {RUNS}", edition.folder):
        runs = open_table(edition.folder, RUNS, edition.root, edition.version)
        rows = _newest(checked_rows(runs, RUNS, edition), runs)
    if not rows:
        message = f"{edition.folder} {_WAIT}"
        raise SourceError(message)
    run = max(rows, key=lambda row: (row["finished_at"], row["run_id"]))
    run |= {name: _parsed(run[name]) for name in _JSON}
    run["versions"] = dict(run["versions"] or {})
    run.setdefault("judged_by", None)
    return Fleet(edition, MappingProxyType(run), _measure(run, edition.folder))


def _measure(run: Mapping[str, Any], folder: str) -> Measure:
    """Return what the run judged by; earlier releases knew lag alone."""
    judged_by = run["judged_by"] or LAG.by.value
    if judged_by not in {by.value for by in JudgeBy}:
        message = f"{folder} is judged by {judged_by!r}, which this version does not know; {AGAIN}"
        raise SourceError(message)
    return Measure(by=JudgeBy(judged_by))


def _newest(rows: ds.Dataset, runs: DeltaTable) -> list[dict[str, Any]]:
    """Return the rows of the newest file, because a stream adds one per micro-batch."""
    where = ds.field("finished_at").is_valid()
    ends = pa.table(runs.get_add_actions(flatten=True))
    if "max.finished_at" in ends.column_names:
        latest = pc.max(ends["max.finished_at"], skip_nulls=False).as_py()
        if latest is not None:
            # The log may keep only milliseconds, rounded either way.
            where = ds.field("finished_at") >= latest - timedelta(milliseconds=1)
    newest: list[dict[str, Any]] = rows.to_table(filter=where).to_pylist()
    return newest


def _parsed(text: str | None) -> Any:  # noqa: ANN401 -- whatever JSON holds
    """Return decoded JSON; invalid JSON stays text, because it is only displayed."""
    try:
        return msgspec.json.decode(text) if text else {}
    except (msgspec.DecodeError, RecursionError):
        return text


def _no_runs(folder: str) -> SourceError:
    """Return why a folder without a table ``runs`` cannot be opened, and the way out."""
    if not folder.startswith(S3) and not Path(folder).is_dir():
        what = "is a file, not a folder" if Path(folder).exists() else "does not exist"
        return SourceError(f"{folder} {what}; {_CHOOSE}")
    files = files_below(folder)
    names = {
        entry.base_name for entry in files.get_file_info(FileSelector("", allow_not_found=True))
    }
    if not names:
        return SourceError(f"{folder} is empty; {_CHOOSE}")
    if DELTA_LOG in names:
        return SourceError(f"{folder} is a single Delta table; choose the folder that holds it")
    tables = sorted(names & set(TABLES))
    if names & _FORMER or any(not _is_delta(files, table) for table in tables):
        return SourceError(f"{folder} was written by an earlier version; {AGAIN}")
    if tables:
        return SourceError(f"{folder} {_WAIT}")
    some = listed(sorted(names), _MOST_NAMED)
    return SourceError(f"{folder} holds no tables of the pipeline, but {some}; {_CHOOSE}")


def _is_delta(files: FileSystem, table: str) -> bool:
    return bool(files.get_file_info(f"{table}/{DELTA_LOG}").type == FileType.Directory)
