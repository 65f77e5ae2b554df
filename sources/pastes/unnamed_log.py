"""Logs of a consumer that say what it was assigned, and not who it is."""

import re
from collections.abc import Iterator
from typing import Final

from evaluation.wording import listed
from live.model import NamedPartition
from sources.cells import listed_in
from sources.pastes.page import Page

_LONGEST: Final = 4_000
"""The most characters of a line to match."""
_MOST_NAMED: Final = 12
_CHANGE: Final = re.compile(
    r"(?i)(?P<drop>\b(?:incremental[- ]?)?(?:unassign|revok|lost)\w*|\brevoking\b)"
    r"|(?P<add>(?<!=)\b(?:re)?assign(?:ed|ment|ing|)\b)"
)
_IS_STEP: Final = re.compile(r"(?i)cooperative|incremental|newly|\bnew partition")
"""Of an assignment that adds to what the consumer has."""
_COUNTED: Final = re.compile(r"(?i)\brebalance: \d+ (?:new )?partition\(s\) ")


def said_of_unnamed(page: Page) -> str:
    """Return what a log without names tells, and the way out; "" for other texts."""
    owned: dict[NamedPartition, None] = {}
    first = 0
    for number, kind, named, is_step in _changes(page):
        first = first or number
        if kind == "add":
            owned = {**(owned if is_step else {}), **dict.fromkeys(named)}
        else:
            owned = {partition: None for partition in owned if partition not in named}
    if not first:
        return ""
    names = [f"{topic}-{number}" for topic, number in sorted(owned)]
    sums = f"; taken as one consumer's, it ends with {listed(names, _MOST_NAMED)}" if names else ""
    return (
        f"line {first}: this log does not name the consumers that own partitions{sums}; others may "
        "be in the group: paste what kafka-consumer-groups --describe prints"
    )


def _changes(page: Page) -> Iterator[tuple[int, str, tuple[NamedPartition, ...], bool]]:
    for number, whole in enumerate(page.lines, 1):
        line = whole[:_LONGEST]
        found = _CHANGE.search(line)
        if found is None:
            continue
        named = listed_in(line[found.end() :])
        if named or _COUNTED.search(line):
            yield number, found.lastgroup or "", named, bool(_IS_STEP.search(line))
