"""Tables in a text, with or without a header."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import product
from operator import attrgetter
from typing import Final, NamedTuple

from sources import cells
from sources.columns import Field
from sources.pastes.headers import Column, Header, TableKind, header_in
from sources.pastes.page import Page, is_decoration

_NAMED_GROUP: Final = re.compile(
    r"(?:--group[= ]|(?:describe (?:consumer-group|cg)|group describe) (?!-))\s*[\"'`]?([^\s\"'`]+)"
    r"|(?:consumer|share|streams) group ['\"]([^'\"]*)['\"] (?:has no active|is rebal)"
    r"|^\W*(?:(?:Kafka )?Consumer(?: Group)?|Group(?: ?ID| Name)?)\s*:\s*(\S+)\s*$",
    re.IGNORECASE,
)
_TOPIC: Final = re.compile(
    r"\W*(?:kafka )?topic(?: name)?\W*[:=]\W*([\w.-]+)\W*(?:[,;|(].{0,99})?", re.IGNORECASE
)
_NAME_ALONE: Final = re.compile(r"([\w.-]*[a-zA-Z][\w.-]*)(?::|\t\d+)?")
"""A heading, or the row of a topic above its partitions."""
_HEADINGS: Final = frozenset(
    {"partitions", "offsets", "consumers", "members", "assignments", "overview", "details", "lag"}
    | {"topic partitions", "topic", "total lag"}
)
_STATISTIC: Final = re.compile(r"(?:[\w%() ]{1,40}[:\t]\s*|[A-Z%][\w%() ]{1,40} |)[\d.,]{1,20} ?%?")
"""What web pages state of a topic between its name and its table."""
_NAMES: Final = re.compile(r"[A-Z #()_.\t-]{1,400}")
"""Only column names, or a part of one."""
_PLAIN: Final = re.compile(r"[^\s\",;|(){}]+")
"""The name of a group or topic, without characters of other formats."""
_MOST_BETWEEN: Final = 6
"""The most lines between the name of a topic and its table."""
_MOST_WRAPS: Final = 3
_NUMBERS: Final = (Field.PARTITION, Field.COMMITTED, Field.END, Field.LAG)
_OWNER: Final = (Field.MEMBER, Field.HOST, Field.CLIENT)
_SHORTEST_ROW: Final = len("t 0 0 0 0")


class GroupMessage(NamedTuple):
    """A line that names a group: a command, a heading, or what the tool says of it."""

    line: int
    group: str
    text: str
    """As far as it names the group and says how it is."""


def messages_in(page: Page) -> list[GroupMessage]:
    """Return every such line, in order."""
    found = []
    for number, line in enumerate(page.lines):
        if ("roup" in line or "onsumer" in line) and (named := _NAMED_GROUP.search(line)):
            group = next(filter(None, named.groups()), "")
            found.append(GroupMessage(number, group, named[0]))
    return found


class TableSection(NamedTuple):
    """The lines under one header; a missing header is inferred from the rows."""

    header: Header
    names: range
    """Line numbers of the header; empty without one."""
    body: range
    """Line numbers up to the next header."""
    hint: str
    """The group named by a command or message above, "" without one."""
    topic: str = ""
    """The topic of all rows, named above; "" if rows name it."""


def sections_in(page: Page, messages: Sequence[GroupMessage]) -> list[TableSection]:
    """Return every table of the text, in order; other lines are prose."""
    sections: list[TableSection] = []
    start = 0
    heads = _headers_in(page)
    borders = [*(names.start for _, names in heads), len(page.lines)]
    sections += _headless(page, range(borders[0]), messages)
    for (header, names), end in zip(heads, borders[1:], strict=True):
        body = range(names.stop, end)
        hint = _group_named(messages, range(names.start))
        line, topic = _topic_named(page, range(start, names.start)[-_MOST_BETWEEN:])
        start = names.stop
        if header.kind == TableKind.ONE_TOPIC and topic:
            both = range(line, names.stop)
            sections.append(TableSection(header, both, body, hint, topic))
        elif header.kind == TableKind.ONE_TOPIC:
            continue  # which topic it is cannot be guessed from its rows
        elif header.kind == TableKind.FOREIGN:
            sections += _headless(page, body, messages)
        else:
            sections.append(TableSection(header, names, body, hint))
    return sections


def _headers_in(page: Page) -> list[tuple[Header, range]]:
    sections: list[tuple[Header, range]] = []
    number = 0
    while number < len(page.lines):
        header = header_in(page.lines[number])
        if header is None:
            number += 1
            continue
        header, stop = _unwrapped(page, header, number)
        sections.append((header, range(number, stop)))
        number = stop
    return sections


def _unwrapped(page: Page, header: Header, number: int) -> tuple[Header, int]:
    """Join a header with the lines it wraps into, broken between or inside names."""
    stop, texts = number + 1, [page.lines[number]]
    if header.delimiter not in ("", "\t"):
        return header, stop
    for below in range(stop, min(stop + _MOST_WRAPS, len(page.lines))):
        following = page.lines[below].strip()
        if not _NAMES.fullmatch(following) or (
            (own := header_in(following)) and own.kind != TableKind.FOREIGN
        ):
            break
        between = "\t" if "\t" in texts[0] or "\t" in following else " "
        texts = [f"{text.rstrip()}{sign}{following}" for text in texts for sign in (between, "")]
        for longer in filter(None, map(header_in, texts)):
            if longer.score > header.score:
                header, stop = longer, below + 1
    return header, stop


def _group_named(messages: Sequence[GroupMessage], lines: range) -> str:
    """Return the group that was named last in these lines, "" without one."""
    at = bisect_left(messages, lines.stop, key=attrgetter("line"))
    return messages[at - 1].group if at and messages[at - 1].line >= lines.start else ""


def _topic_named(page: Page, lines: range) -> tuple[int, str]:
    """Return the last line with only a topic, and the topic; "" without one.

    Without an explicit line, the last one counts if it is a name; figures of the topic and headings
    may follow it.
    """
    for number in reversed(lines):
        if named := _TOPIC.fullmatch(page.lines[number].strip()):
            return number, named.group(1)
    for number in reversed(lines):
        line = page.lines[number].strip()
        named = _NAME_ALONE.fullmatch(line)
        if named and named[1].lower() not in _HEADINGS:
            return number, named[1]
        is_between = is_decoration(line) or line.lower() in _HEADINGS or _STATISTIC.fullmatch(line)
        if not (is_between or named):
            break
    return lines.start, ""


def _headless(page: Page, lines: range, messages: Sequence[GroupMessage]) -> list[TableSection]:
    """Find rows of partitions without a header, if their format is unambiguous."""
    for number in lines:
        header = _header_of_row(page.lines[number])
        if header is not None:
            hint = _group_named(messages, range(lines.start, number))
            return [TableSection(header, range(0), lines, hint)]
    return []


def _header_of_row(line: str) -> Header | None:
    if len(line) < _SHORTEST_ROW:
        return None
    for sign in ("", *(sign for sign in "|,;" if sign in line)):
        words = [word.strip() for word in line.strip(" \t|").split(sign or None)]
        if not len(_NUMBERS) < len(words) <= 2 + len(_NUMBERS) + 1 + len(_OWNER):
            continue
        for lead, epoch in product((1, 2), (0, 1)):
            fields = _fields_of(words, lead, epoch)
            if fields is not None:
                columns = (
                    Column(f, line.find(word), line.find(word) + len(word))
                    for f, word in zip(fields, words, strict=False)
                )
                return Header(TableKind.OFFSETS, tuple(columns), sign)
    return None


def _fields_of(words: list[str], lead: int, epoch: int) -> tuple[Field, ...] | None:
    last = lead + epoch + len(_NUMBERS)
    numbers, owner = words[lead:last], words[last:]
    if len(numbers) < len(_NUMBERS) + epoch or not cells.is_partition(numbers[0]):
        return None
    if not all(map(cells.is_number, numbers)) or cells.is_number(words[lead - 1]):
        return None
    if not all(map(_PLAIN.fullmatch, words[:lead])):
        return None
    committed, end, lag = map(cells.number, numbers[-3:])
    adds_up = committed is not None and end is not None and lag == end - committed
    has_host = any("/" in word for word in owner[:2])
    if len(owner) > len(_OWNER) or not (adds_up or has_host):
        return None
    before = (Field.GROUP, Field.TOPIC)[2 - lead :]
    after = (Field.MEMBER,) if len(owner) == 1 else _OWNER if owner else ()
    return (*before, _NUMBERS[0], *((Field.EPOCH,) * epoch), *_NUMBERS[1:], *after)
