"""JSON Lines of group JSON: one group a line, read as the lines come."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sources.errors import SourceError
from sources.group_json import GroupFile, decode


class Line(NamedTuple):
    """One line that is not blank: the group it holds, or why it could not be read."""

    number: int
    """From 1, blank lines counted."""
    found: GroupFile | SourceError


def read_lines(lines: Iterable[str | bytes]) -> Iterator[Line]:
    """Yield each line's group or error, in order, keeping nothing of the lines before.

    One line that cannot be read does not stop the others.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield Line(number, _decoded(line))


def _decoded(line: str | bytes) -> GroupFile | SourceError:
    try:
        return decode(line)
    except SourceError as error:
        return error
