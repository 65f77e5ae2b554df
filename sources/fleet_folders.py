"""Which folders of tables a visitor may open: a page must not show all of a server's disk."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sources.errors import SourceError
from sources.fleet_commits import COMMITS
from sources.fleet_place import CURRENT

SAMPLE: Final = Path(__file__).parent.parent / "sample_data" / "fleet" / "tables"
"""The tables of a small fleet, so that the page is full at once."""
ROOT: Final = "FLEET_ROOT"
"""The environment variable, or Streamlit secret, that names the folder to choose below."""
_MARKS: Final = (CURRENT, COMMITS, "group_summary")
"""What a folder of tables holds, one of them at least."""
_ADDRESS: Final = re.compile(r"(?P<kind>[a-z][a-z0-9+.-]+):/+(?P<path>.*)", re.IGNORECASE)
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
    folder = Path(_on_disk(name.strip())).expanduser()
    if doors.root is None:
        return folder.absolute()
    root = doors.root.resolve()
    folder = (root / folder).resolve()
    if not folder.is_relative_to(root):
        message = f"{name.strip()} is not below the folder that {ROOT} names; choose one that is"
        raise SourceError(message)
    return folder


def _on_disk(name: str) -> str:
    """Return the path that an address of this machine's disk names; any other name as it is.

    Raises SourceError for a store elsewhere.

    >>> _on_disk("file:///data/fleet"), _on_disk("file:/data/fleet"), _on_disk("data/fleet")
    ('/data/fleet', '/data/fleet', 'data/fleet')
    """
    address = _ADDRESS.fullmatch(name)
    if address is None:
        return name
    if address["kind"].lower() == "file":
        return f"/{address['path']}"
    message = (
        f"the address {name} is one that the pipeline writes to and this page does not read; copy "
        "it whole to a disk of this server, or mount it there, and name that folder"
    )
    raise SourceError(message)


def listed(root: Path) -> list[str]:
    """Return the folders of tables below the root, relative to it, the first 200."""
    found = []
    for folder in _folders(root.resolve(), _DEEPEST):
        if any((folder / name).exists() for name in _MARKS):
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
