"""Which folders of tables a visitor may open: a page must not show all of a server's disk."""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sources.errors import SourceError
from sources.fleet_place import CURRENT

SAMPLE: Final = Path(__file__).parent.parent / "sample_data" / "fleet" / "tables"
"""The tables of a small fleet, so that the page is full at once."""
ROOT: Final = "FLEET_ROOT"
"""The environment variable, or Streamlit secret, that names the folder to choose below."""
_DEEPEST: Final = 2
_MOST_LISTED: Final = 200


@dataclass(frozen=True)
class Doors:
    """What may be opened beside the sample and the visitor's own runs."""

    root: Path | None
    """Everything below it; nothing else if it is given."""
    is_local: bool
    """Whether the server serves its own machine alone: then, without a root, any folder."""

    @property
    def are_shut(self) -> bool:
        """Whether no folder can be named at all."""
        return self.root is None and not self.is_local


def is_loopback(address: str | None) -> bool:
    """Whether a server that listens there is reached from its own machine alone.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback(None)
    (True, True, False, False)
    """
    if not address:
        return False
    if address.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def permitted(name: str, doors: Doors) -> Path:
    """Return the folder that a visitor names; below a root, names are relative to it.

    Raises SourceError for a folder outside; whether it exists is not told.
    """
    if not name.strip():
        message = "no folder is named; give the one that was given to the pipeline as --output"
        raise SourceError(message)
    if doors.are_shut:
        message = (
            "this server is reached from other machines and opens the sample alone; to open "
            f"more, start it with {ROOT} set to a folder, and everything below that can be chosen"
        )
        raise SourceError(message)
    folder = Path(name.strip()).expanduser()
    if doors.root is None:
        return folder.absolute()
    root = doors.root.resolve()
    folder = (root / folder).resolve()
    if not folder.is_relative_to(root):
        message = f"{name.strip()} is not below the folder that {ROOT} names; choose one that is"
        raise SourceError(message)
    return folder


def listed(root: Path) -> list[str]:
    """Return the folders of tables below the root, relative to it, the first 200."""
    found = []
    for folder in _folders(root.resolve(), _DEEPEST):
        if (folder / CURRENT).exists() or (folder / "group_summary").is_dir():
            found.append(str(folder.relative_to(root.resolve())))
        if len(found) == _MOST_LISTED:
            break
    return found


def _folders(folder: Path, deeper: int) -> Iterator[Path]:
    yield folder
    if deeper:
        try:
            inside = sorted(path for path in folder.iterdir() if path.is_dir())
        except OSError:  # not ours to read: nothing to choose there
            return
        for path in inside:
            if path.name[:1] not in "._":
                yield from _folders(path, deeper - 1)
