"""JSON Lines of group JSON: one group a line, read as the lines come."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from sources.budget import Budget
from sources.errors import SourceError, guarded
from sources.group_json import GroupFile, decode

KEYS: Final = frozenset({"topics", "members"})
"""What every group has."""


class Line(NamedTuple):
    """One line that is not blank: the group it holds, or why it could not be read."""

    number: int
    """From 1, blank lines counted."""
    text: str | bytes
    group: GroupFile | SourceError


def read_lines(lines: Iterable[str | bytes], budgets: Iterable[Budget]) -> Iterator[Line]:
    """Yield each line's group or error, in order, keeping nothing of the lines before.

    One line that cannot be read does not stop the others. Each line is counted against the
    budget that stands beside it: the same for all of them if all are kept.
    """
    for number, (line, budget) in enumerate(zip(lines, budgets, strict=False), start=1):
        if line.strip():
            yield Line(number, line, _decoded(line, budget))


def is_group(line: str | bytes) -> bool:
    """Tell whether a line alone is a group, be it a wrong one.

    A member of a group printed over many lines may fill a line too; it has a list of topics.

    >>> is_group('{"topics": {}, "members": 3}'), is_group('{"id": "c0", "topics": ["t"]}')
    (True, False)
    """
    data = (line if isinstance(line, bytes) else line.encode(errors="replace")).strip()
    if not (data.startswith(b"{") and data.endswith(b"}")):
        return False
    try:
        keys = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return "members" in keys or not bytes(keys.get("topics", b"[")).startswith(b"[")


def _decoded(line: str | bytes, budget: Budget) -> GroupFile | SourceError:
    try:
        with guarded("this line"):
            return decode(line, budget)
    except SourceError as error:
        return error
