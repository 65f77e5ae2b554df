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
    r"|\b(?:added subscription|subscribed) to\b|\b(?:re)?setting offset for partition\b)"
)
_SUBSCRIBED: Final = re.compile(
    r"subscription to ([\w.-]{1,249})/(\d{1,6})\b"
    r"|(?i:subscribed to |setting offset for partition )([\w.-]{1,249})(?::|-(?=\d+ to ))(\d{1,6}) "
)
"""As clients log each partition that they begin or end to read."""
_IS_STEP: Final = re.compile(
    r"(?i)cooperative|incremental|newly|\bnew partition|\badded\b|\bsubscribed to \S+:\d"
    r"|setting offset for|\]: {2,9}[\w.-]{1,249} \[\d{1,6}\](?: offset \S{1,20})?$"
)
"""Of an assignment that adds to what the consumer has, or lists a partition in each line."""
_LIST_FOLLOWS: Final = re.compile(
    r"(?i)[^,;.:=(\[{`]{0,80}[:=(\[{`]|\s(?:partitions? )?[\w.-]+-\d+\b"
)
"""Between the word and the partitions: no other clause of a sentence."""
_GENERATION: Final = re.compile(r"(?i)\bgeneration[ _-]?(?:id)?[\"']?\s?[:=]?\s?(\d{1,9})\b")
_REBALANCE: Final = re.compile(
    r"(?i)\bre-?balanc(?:ed|ing|e)\b|\b(?:re-?)?join(?:ed|ing)\b.{0,60}\bgroup\b|\bgeneration(?:_?id)?\b"
    r"|\b(?:un|re)?assign(?:ed|ments?|ing)\b|\bconsumergroup/session/|\|(?:ASSIGN|JOIN|SYNC)"
    r"|\bclaiming \d+ of \d+ partitions\b"
)
_COUNTED: Final = re.compile(r"(?i)\brebalance: \d+ (?:new )?partition\(s\) ")


def said_of_unnamed(page: Page) -> str:
    """Return what a log without names tells, and the way out; "" for other texts."""
    owned: dict[NamedPartition, None] = {}
    first = 0
    changes = list(_changes(page))
    # Where a log tells what was taken away, what is assigned comes to what is left.
    tells_losses = any(kind == "drop" for _, kind, _, _ in changes)
    lists = {
        frozenset(named) for _, kind, named, is_step in changes if kind == "add" and not is_step
    }
    are_apart = len(lists) > 1 and sum(map(len, lists)) == len(frozenset().union(*lists))
    for number, kind, named, is_step in changes:
        first = first or number
        if kind == "add":
            is_more = is_step or tells_losses
            owned = {**(owned if is_more else {}), **dict.fromkeys(named)}
        else:
            owned = {partition: None for partition in owned if partition not in named}
    if not first:
        return ""
    if are_apart and not tells_losses:
        owned = dict.fromkeys(partition for _, _, named, _ in changes for partition in named)
    names = listed([f"{t}-{p}" for t, p in sorted(owned)], _MOST_NAMED) if owned else "none"
    sums = f"; taken as one consumer's, it ends with {names}" if owned or tells_losses else ""
    if are_apart and not tells_losses:
        sums = f"; its lines assign {names}, to one consumer or to several"
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
        topic, number = (each for each in subscribed.groups() if each is not None)
        return ((topic, int(number)),)
    return assigned_in(line[start:]) if _LIST_FOLLOWS.match(line, start) else ()


def _changes(page: Page) -> Iterator[tuple[int, str, tuple[NamedPartition, ...], bool]]:
    for number, whole in enumerate(page.lines, 1):
        line = whole[:_LONGEST]
        found = _CHANGE.search(line)
        if found is None:
            continue
        named = _named(line, found.end())
        if named or _COUNTED.search(line):
            yield number, found.lastgroup or "", named, bool(_IS_STEP.search(line))
