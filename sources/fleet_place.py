"""Where the files of the fleet's tables are: found by their folders, none is opened.

``DIR/_current`` points at the version that is complete; it is followed once, so that all
tables are seen as one run left them even while the next one publishes. Where there are
``DIR/_commits``, the last of them says where each day is. A plain folder of
``<table>/day=.../*.parquet`` is read as it stands. What the files are called does not matter.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from schemas.tables import TABLES
from sources.errors import SourceError
from sources.fleet_commits import COMMITS, VERSIONS, folders_of, last_commit

CURRENT: Final = "_current"
_NAMED: Final = 4


@dataclass(frozen=True)
class Place:
    """One version of the tables on disk, before any file was opened."""

    folder: Path
    """As it was chosen."""
    root: Path
    """Where this version's tables stand."""
    files: Mapping[str, tuple[Path, ...]]
    """Table to its Parquet files."""
    stamp: str
    """Differs when a file was added, removed or written anew, or another run was committed."""
    report: str | None = None
    """The run report of a commit; None: it may stand in a file of the root."""


def place_of(folder: Path) -> Place:
    """Return where the present version's files are; no file is opened.

    Raises SourceError if there is no such folder, it holds none of the tables, or lacks some.
    """
    try:
        _check_folder(folder)
        return _committed(folder) if (folder / COMMITS).is_dir() else _standing(folder)
    except OSError as error:
        message = f"{folder} cannot be read: {said(error)}"
        raise SourceError(message) from error


def _standing(folder: Path) -> Place:
    """Return the version that the folder points at, or the tables that it holds itself."""
    root = _version_of(folder)
    files = {table: tuple(_files_in(root / table)) for table in TABLES}
    return Place(folder, root, MappingProxyType(files), _stamp_of(str(root), files))


def _committed(folder: Path) -> Place:
    """Return the version of the last commit.

    It is later than what ``_current`` may point at: the pipeline publishes in no other way
    where there are commits.
    """
    commit = last_commit(folder)
    if commit is None:
        raise _unfinished(folder)
    files = {
        table: tuple(
            path for place in folders_of(folder, commit, table) for path in _files_in(place)
        )
        for table in TABLES
    }
    stamp = _stamp_of(f"{commit.number} {commit.version}", files)
    root = (folder / VERSIONS).resolve()
    return Place(folder, root, MappingProxyType(files), stamp, commit.report)


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        what = "is a file, not a folder" if folder.exists() else "does not exist"
        message = f"{folder} {what}; choose the folder given to the pipeline as --output"
        raise SourceError(message)


def _version_of(folder: Path) -> Path:
    pointer = folder / CURRENT
    if pointer.is_symlink() or pointer.exists():
        if not pointer.exists():
            message = f"{pointer} points at nothing; run the pipeline into {folder} again"
            raise SourceError(message)
        root = pointer.resolve()
        if not root.is_relative_to(folder.resolve()):
            message = f"{pointer} leads out of {folder}; it must point at a version below it"
            raise SourceError(message)
        return _complete(folder, root)
    if (folder / VERSIONS).is_dir():
        raise _unfinished(folder)
    return _complete(folder, folder.resolve())


def _unfinished(folder: Path) -> SourceError:
    message = f"{folder} holds no finished run yet; wait for the pipeline, or start it again"
    return SourceError(message)


def _complete(folder: Path, root: Path) -> Path:
    """Return the root if it holds every table."""
    missing = [table for table in TABLES if not (root / table).is_dir()]
    if len(missing) == len(TABLES):
        found = sorted(path.name for path in root.iterdir())
        held = ", ".join(found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
        message = (
            f"{folder} holds no tables of the pipeline ({held or 'it is empty'}); choose the "
            "folder given to it as --output"
        )
        raise SourceError(message)
    if missing:
        message = f"{folder} lacks the table {missing[0]!r}; let the pipeline write it anew"
        raise SourceError(message)
    return root


def _files_in(place: Path) -> Iterator[Path]:
    """Yield the Parquet files below a folder in a fixed order; none is an empty table."""
    for parent, folders, names in os.walk(place, followlinks=True):
        folders[:] = sorted(name for name in folders if name[:1] not in "._")
        for name in sorted(names):
            if not name.endswith(".parquet") or name[:1] in "._":
                continue
            yield Path(parent, name)


def _stamp_of(version: str, files: Mapping[str, Sequence[Path]]) -> str:
    found = hashlib.blake2b(version.encode(), digest_size=16)
    for path in (path for paths in files.values() for path in paths):
        about = path.stat()
        found.update(f"{path} {about.st_size} {about.st_mtime_ns} {about.st_ino}\n".encode())
    return found.hexdigest()


def said(error: BaseException) -> str:
    """Return the first sentence of an error: Arrow's go on about its own code."""
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return first.rstrip(".")
