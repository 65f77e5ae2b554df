"""What was told of groups, in a small file, so that a restart repeats no alert.

The file is one object of JSON, written whole beside itself and then renamed: after a crash it is
the file of the poll before.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from watching.alerts import Judged

_FORMAT: Final = 1
_MOST_BYTES: Final = 50_000_000


class StateError(ValueError):
    """A file of told alerts that cannot be used."""


def read_told(path: Path) -> dict[str, Judged]:
    """Return the alerts that stand, by group; {} without a file. Raises StateError."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise StateError(message) from error
    if len(data) > _MOST_BYTES:
        message = f"{path} is larger than the state of watch can be; name another --state"
        raise StateError(message)
    try:
        return _told_in(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"{path} is no state that watch has written; name another --state, or remove it"
        raise StateError(message) from error


def _told_in(tree: dict[str, Any]) -> dict[str, Judged]:
    if tree["format"] != _FORMAT:
        message = "another format"
        raise ValueError(message)
    return {
        str(group): Judged(VerdictKind(each["kind"]), Severity[each["severity"].upper()])
        for group, each in tree["told"].items()
    }


def write_told(path: Path, told: Mapping[str, Judged]) -> None:
    """Replace the file. Raises StateError."""
    tree = {
        "format": _FORMAT,
        "told": {
            group: {"kind": each.kind.value, "severity": each.severity.name.lower()}
            for group, each in sorted(told.items())
        },
    }
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_text(json.dumps(tree, indent=1), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}"
        raise StateError(message) from error
