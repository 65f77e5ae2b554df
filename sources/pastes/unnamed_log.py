"""Logs of a consumer that say what it was assigned, and not who it is."""

import re
from collections.abc import Iterator
from typing import Final

from evaluation.wording import listed
from live.model import NamedPartition
from sources.cells import assigned_in
from sources.pastes.page import Page

_LONGEST: Final = 4_000
"""The most characters of a line to match."""
_MOST_NAMED: Final = 12
_CHANGE: Final = re.compile(
    r"(?i)(?P<drop>\b(?:incremental[- ]?)?(?:unassign|revok|lost)\w*"
    r"|\b(?:abandoned|closed dead) subscription\b)"
    r"|(?P<add>(?<!=)\b(?:re)?assign(?:ed|ments?|ing|)\b|\bclaims?\b"
    r"|\b(?:added subscription|subscribed) to\b)"
)
_SUBSCRIBED: Final = re.compile(r"subscription to ([\w.-]{1,249})/(\d{1,6})\b")
"""As Sarama logs each partition that it begins or ends to read."""
_IS_STEP: Final = re.compile(r"(?i)cooperative|incremental|newly|\bnew partition|\badded\b")
"""Of an assignment that adds to what the consumer has."""
_GENERATION: Final = re.compile(r"(?i)\bgeneration[ _-]?(?:id)?[\"']?\s?[:=]?\s?(\d{1,9})\b")
_REBALANCE: Final = re.compile(
    r"(?i)\bre-?balanc(?:ed|ing|e)\b|\b(?:re-?)?join(?:ed|ing)\b.{0,60}\bgroup\b|\bgeneration(?:_?id)?\b"
    r"|\b(?:un|re)?assign(?:ed|ments?|ing)\b|\bconsumergroup/session/|\|(?:ASSIGN|JOIN|SYNC)"
)
_COUNTED: Final = re.compile(r"(?i)\brebalance: \d+ (?:new )?partition\(s\) ")


def said_of_unnamed(page: Page) -> str:
    """Return what a log without names tells, and the way out; "" for other texts."""
    owned: dict[NamedPartition, None] = {}
    first = 0
    changes = list(_changes(page))
    # Where a log tells what was taken away, what is assigned comes to what is left.
    tells_losses = any(kind == "drop" for _, kind, _, _ in changes)
    for number, kind, named, is_step in changes:
        first = first or number
        if kind == "add":
            is_more = is_step or tells_losses
            owned = {**(owned if is_more else {}), **dict.fromkeys(named)}
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


def said_of_rebalance(page: Page) -> str:
    """Return what a log tells of a rebalance that names no partition; "" for other texts."""
    number = next(
        (n for n, line in enumerate(page.lines, 1) if _REBALANCE.search(line[:_LONGEST])), 0
    )
    if not number:
        return ""
    generations = _GENERATION.findall(page.text[: _LONGEST * _LONGEST])
    of = f" into generation {generations[-1]}" if generations else ""
    return (
        f"line {number}: this text tells of a rebalance{of}, but not who owns which partitions; "
        "paste what kafka-consumer-groups --describe prints"
    )


def _named(line: str, start: int) -> tuple[NamedPartition, ...]:
    subscribed = _SUBSCRIBED.search(line)
    if subscribed:
        return ((subscribed[1], int(subscribed[2])),)
    return assigned_in(line[start:])


def _changes(page: Page) -> Iterator[tuple[int, str, tuple[NamedPartition, ...], bool]]:
    for number, whole in enumerate(page.lines, 1):
        line = whole[:_LONGEST]
        found = _CHANGE.search(line)
        if found is None:
            continue
        named = _named(line, found.end())
        if named or _COUNTED.search(line):
            yield number, found.lastgroup or "", named, bool(_IS_STEP.search(line))
