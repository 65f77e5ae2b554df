"""Tables that were written to an address: the last commit names the folder of each day.

Where Spark alone can write (s3a://, hdfs://), the pipeline makes no ``DIR/_current``. It appends
a JSON line to the files of ``DIR/_commits``, which says of every table what version each day
is of: ``DIR/_versions/<version>/<table>/<day>``. Copied to a disk whole, or written to a
``file://`` address, such tables are read here.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sources.errors import SourceError

COMMITS: Final = "_commits"
VERSIONS: Final = "_versions"


@dataclass(frozen=True)
class Commit:
    """What one run made of the tables."""

    number: int
    """One more than the commit's before."""
    version: str
    places: Mapping[str, Mapping[str, str]]
    """Table to the folder of each day, to the version that wrote it; "": a table without days."""
    report: str
    """Of the run, as JSON."""


def last_commit(folder: Path) -> Commit | None:
    """Return the commit with the largest number; None where there is none yet.

    Raises SourceError naming the line that is no commit.
    """
    commits = [commit for path in _files(folder / COMMITS) for commit in _commits_in(path)]
    return max(commits, key=lambda commit: (commit.number, commit.version), default=None)


def folders_of(folder: Path, commit: Commit, table: str) -> Iterator[Path]:
    """Yield where a table's rows are, by day.

    Raises SourceError if a folder is gone, or does not lie among the versions.
    """
    versions = (folder / VERSIONS).resolve()
    for day, version in sorted(commit.places.get(table, {}).items()):
        place = (versions / version / table / day).resolve()
        if not place.is_relative_to(versions / version / table):
            message = f"a commit of {folder} leads out of its versions, to {place}"
            raise SourceError(message)
        if not place.is_dir():
            message = (
                f"{folder} lacks {place.relative_to(versions.parent)}, which its last commit "
                "names; copy the folder whole, or let the pipeline write the tables anew"
            )
            raise SourceError(message)
        yield place


def _files(commits: Path) -> Iterator[Path]:
    """Yield the files of lines; Spark hides those that it has not finished."""
    if commits.is_dir():
        yield from sorted(
            path for path in commits.iterdir() if path.is_file() and path.name[:1] not in "._"
        )


def _commits_in(path: Path) -> Iterator[Commit]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            yield _commit(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message = (
                f"line {number} of {path} is no commit of the pipeline; remove the file if it "
                "came from elsewhere"
            )
            raise SourceError(message) from error


def _commit(line: dict[str, Any]) -> Commit:
    places = {
        str(table): {str(day): str(version) for day, version in days.items()}
        for table, days in line["places"].items()
    }
    return Commit(int(line["number"]), str(line["version"]), places, str(line["report"]))
