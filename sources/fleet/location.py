"""Where the pipeline's tables may be: local folders, ``file://`` and ``s3://`` addresses.

A page must not expose all of a server's disk or buckets, so a policy restricts visitors. A bucket
is asked over the network with the server's credentials, so only the operator can name one.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sources.errors import SourceError, guarded

SAMPLE: Final = Path(__file__).parents[2] / "sample_data" / "fleet" / "tables"
"""The tables of a small fleet, which the page opens with."""
ROOT: Final = "FLEET_ROOT"
"""The environment variable, or Streamlit secret, with the root of all accessible tables."""
DELTA_LOG: Final = "_delta_log"
RUNS: Final = "runs"
S3: Final = "s3://"
_ADDRESS: Final = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]+):/+(?P<path>.*)", re.IGNORECASE)
_UNSAFE: Final = re.compile(r"[\[\]\x00-\x1f\ud800-\udfff]|%[0-9a-f]{2}", re.IGNORECASE)
"""What deltalake panics at, or decodes: ``%2e%2e`` would lead upwards."""
_HIDDEN: Final = re.compile(r"(^|/)[._].")
_MOST_LISTED: Final = 200


@dataclass(frozen=True)
class LocationPolicy:
    """What may be opened besides the sample and the visitor's own runs."""

    root: str | None
    """A folder or an s3:// address; only what is below it may be opened."""
    is_local: bool
    """Whether only this machine can open the page; without a root, its folders may be opened."""

    @property
    def resolved_root(self) -> str | None:
        """The root as an absolute path without links, or as an s3:// address."""
        if self.root is None:
            return None
        return _absolute(self.root) or str(Path(self.root).resolve())


def permitted(name: str, policy: LocationPolicy) -> str:
    """Return the absolute path or s3:// address of a folder that a visitor entered.

    Below a root, names are relative to it. Raises SourceError if the policy forbids it, without
    revealing whether it exists.
    """
    with guarded("this folder"):
        return _permitted(name.strip(), policy)


def _permitted(name: str, policy: LocationPolicy) -> str:
    root = policy.resolved_root
    if root is None and not policy.is_local:
        message = (
            f"without {ROOT}, only the sample is opened here; start this server with {ROOT} set "
            "to a folder or s3:// address: everything below it can then be opened"
        )
        raise SourceError(message)
    given = _absolute(name)
    if _UNSAFE.search(name):
        message = (
            f"{name} contains brackets, control characters or percent codes, with which Delta "
            "tables cannot be opened; rename the folder"
        )
        raise SourceError(message)
    if root is None and given and given.startswith(S3):
        message = (
            f"{name} is a bucket's, which this server asks with its own credentials and therefore "
            f"opens only below {ROOT}; start it with {ROOT} set to that address or one above it"
        )
        raise SourceError(message)
    if root is None:
        return given or os.path.abspath(_expanded(name))  # noqa: PTH100 -- keeps links
    inside = (
        _below_bucket(root, given or name) if root.startswith(S3) else _below(root, given or name)
    )
    if inside is None:
        message = f"{name} is not below the folder that {ROOT} names; choose one that is"
        raise SourceError(message)
    return inside


def is_asked_over_the_network(root: str | None) -> bool:
    """Return whether tables below this root are another host's."""
    return root is not None and (_absolute(root) or "").startswith(S3)


def _absolute(name: str) -> str | None:
    """Return the path or s3:// address of an address; None for a plain path.

    >>> _absolute("file:///data/fleet"), _absolute("s3a://bucket/fleet/"), _absolute("data/fleet")
    ('/data/fleet', 's3://bucket/fleet', None)
    """
    address = _ADDRESS.fullmatch(name)
    if address is None:
        return None
    scheme, path = address["scheme"].lower(), address["path"].rstrip("/")
    if scheme == "file":
        return f"/{path}"
    if scheme in {"s3", "s3a"}:
        return f"{S3}{path}"
    message = (
        f"{name} cannot be read here, only local folders, file:// and s3:// (s3a://) addresses; "
        "copy the folder to one of those, or mount it on this server"
    )
    raise SourceError(message)


def _below(root: str, name: str) -> str | None:
    if name.startswith(S3):
        return None
    folder = (Path(root) / _expanded(name)).resolve()
    return str(folder) if folder.is_relative_to(root) else None


def _expanded(name: str) -> Path:
    """Return the path with tildes expanded, except for unknown users."""
    return Path(os.path.expanduser(name))  # noqa: PTH111 -- Path's raises for an unknown user


def refuse_outside(root: str | None, paths: Iterable[Path]) -> None:
    """Raise SourceError for a path that leads out of a local root through links."""
    if root is None or root.startswith(S3):  # buckets have no links
        return
    for path in paths:
        if not path.resolve().is_relative_to(root):
            message = (
                f"{path} leads out of the folder that {ROOT} names, so it is not opened; copy the "
                "tables there instead of linking to them"
            )
            raise SourceError(message)


def refuse_special(paths: Iterable[Path]) -> None:
    """Raise SourceError for a local path that is neither a file nor a folder.

    Opening a named pipe waits for whoever writes to it, for ever.
    """
    for path in paths:
        if path.exists() and not path.is_file() and not path.is_dir():
            message = f"{path} is neither a file nor a folder, so it is not opened; remove it"
            raise SourceError(message)


def _below_bucket(root: str, name: str) -> str | None:
    if name.startswith("/"):
        return None
    inside = name if name.startswith(S3) else f"{root}/{name.rstrip('/')}"
    parts = inside.removeprefix(S3).split("/")
    is_below = f"{inside}/".startswith(f"{root}/") and not {".", ".."} & set(parts)
    return inside.rstrip("/") if is_below else None


def table_folders(root: str) -> list[str]:
    """Return the folders of tables up to two levels below a local root, the first 200.

    Buckets are not searched, because that takes a request per folder.
    """
    if _ADDRESS.fullmatch(root):
        return []
    top = Path(root).resolve()
    logs = (log for depth in ("", "*/", "*/*/") for log in top.glob(f"{depth}{RUNS}/{DELTA_LOG}"))
    names = (str(log.parents[1].relative_to(top)) for log in logs)
    return sorted(name for name in names if not _HIDDEN.search(name))[:_MOST_LISTED]
