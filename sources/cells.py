"""The content of one table cell: numbers, words for "unknown", member ids."""

import re
from typing import Final

from live.model import NamedPartition

UNKNOWN_WORDS: Final = frozenset(
    {"", "-", "--", "none", "<none>", "null", "unknown", "<unknown>"}
    | {"n/a", "na", "nan", "<na>", "?"}
)
"""Lower-case cells that mean unknown or absent."""
_NO_MEMBER: Final = UNKNOWN_WORDS | {"unassigned"}
NOBODY: Final = frozenset({"-", "--", "none", "<none>", "null", "unassigned"})
"""Lower-case cells of an owner's column that say that there is none; blank ones do not."""
HARD_BLANKS: Final = "\xa0\u2007\u2009\u202f"
"""Blanks at which no line is broken, as locales set thousands apart."""
APOSTROPHES: Final = "\u2018\u2019\u02bc\u2032"
"""Signs that are written for an apostrophe."""
_CUT_OUT: Final = re.compile(
    r"\W*(?:redacted|masked|hidden|removed|omitted|elided|anonymi[sz]ed|x{3,40})\W*", re.IGNORECASE
)
_GROUPED: Final = re.compile(
    rf"-?\d{{1,3}}(?:(?:,\d{{2,3}})*,\d{{3}}|(?:[ '_{HARD_BLANKS}{APOSTROPHES}]\d{{3}})+"
    r"|(?:\.\d{3}){2,})",
    re.ASCII,
)
"""Thousands separators. A single point may be a decimal point, so it does not count alone."""
_POINTED: Final = re.compile(r"-?[1-9]\d{0,2}\.(?!000)\d{3}", re.ASCII)
"""Thousands behind a single point: counts of records have no fraction."""
_BETWEEN: Final = re.compile(rf"[,. '_{HARD_BLANKS}{APOSTROPHES}]")
_SIGNED: Final = re.compile(r"[-+]?\d{1,19}(?:\.0+)?", re.ASCII)
_EITHER: Final = re.compile(r"[-+]?[1-9]\d{0,2}\.000", re.ASCII)
"""Ambiguous: thousands in German, a fraction in English."""
_LISTED: Final = re.compile(r"(?<![^\s,;():])([^\s,;():]+)(?:\(([^()]*)(?:\)|$)|:(\d[\d,]*))")
_NO_TOPIC: Final = r"(?!(?i:of|to|for|partitions?|(?:un)?assign(?:ed|ments?)?|claims?)\b)"
"""Words before numbers in brackets that name no topic: "partitions [0, 1]"."""
_NAMED_PARTITION: Final = re.compile(
    r"topic[\"']?[:=] ?(?:u?[\"'])?([\w.-]{1,249})[\"']?,? ?[\"']?partition[\"']?[:=] ?(\d+)"
    rf"|(?<![\w.-]){_NO_TOPIC}([\w.-]{{1,249}})[ \t]*\[{{1,2}}([\d ]*)\]"
    r"|(?<![\w.#-])([\w.-]{1,249})-(\d+)(?![\w.#-])"  # not app-1#consumer-1 of librdkafka
    r"|\((?:u?[\"'])?([\w.-]{1,249})[\"']?, ?(\d+)\b"
    r"|(?<=[{ ])([\w.-]{1,249})/(\d+): offset\b"
)
_BY_TOPIC: Final = re.compile(
    rf"(?<![\w.-]){_NO_TOPIC}"
    r"([\w.-]{1,249})(?:[\"'`](?::|=>) ?|[:/]| ?)\[([\d ,]{0,9999})\]"
    r"|`([\w.-]{1,249})`: ?(\d[\d, ]{0,9999})"
)
"""As Go, JSON, Python and Ruby print a map of numbers by topic."""
_LARGEST: Final = 2**63 - 2
_SURE_TO_FIT: Final = 18
_MOST_PARTITION_DIGITS: Final = 6
"""No topic has a million partitions; a larger number is not a partition."""


def number(cell: str) -> int | None:
    """Return the number in a cell, None for a word that means unknown.

    "1,234,567", "1.234.567" and "1.234" are one number each. Raises ValueError for anything else,
    for "1.000", which may be a thousand, and for numbers that do not fit 64 bits.
    """
    if len(cell) <= _SURE_TO_FIT and cell.isascii() and cell.isdecimal():
        return int(cell)
    if cell.lower() in UNKNOWN_WORDS:
        return None
    is_grouped = _GROUPED.fullmatch(cell) or _POINTED.fullmatch(cell)
    plain = _BETWEEN.sub("", cell) if is_grouped else cell
    if not _SIGNED.fullmatch(plain) or _EITHER.fullmatch(plain):
        message = f"expected a number or '-', found {cell!r}"
        raise ValueError(message)
    value = int(plain.partition(".")[0])
    if abs(value) > _LARGEST:
        message = f"expected a number of 64 bits, found {cell!r}"
        raise ValueError(message)
    return value


def offset(cell: str) -> int | None:
    """Return the offset in a cell; None for the -1 that some tools print instead."""
    value = number(cell)
    return None if value is None or value < 0 else value


def is_number(cell: str) -> bool:
    """Return whether ``number`` can read the cell."""
    if not cell[-1:].isdigit():
        return is_nothing(cell)
    try:
        number(cell)
    except ValueError:
        return False
    return True


def is_partition(cell: str) -> bool:
    """Return whether the cell holds a partition number."""
    return len(cell) <= _MOST_PARTITION_DIGITS and cell.isascii() and cell.isdecimal()


def is_nothing(cell: str) -> bool:
    """Return whether the cell is blank, a dash, or a word for "unknown"."""
    return cell.lower() in UNKNOWN_WORDS


def member(cell: str) -> str:
    """Return the member id in a cell, "" for the dashes and words that mean no member."""
    return "" if cell.lower() in _NO_MEMBER else cell


def is_cut_out(name: str) -> bool:
    """Return whether somebody took a name out of a text: dots, stars, a word such as redacted.

    >>> list(map(is_cut_out, ["...", "[REDACTED]", "xxx", "app-1", "-", ""]))
    [True, True, True, False, False, False]
    """
    if not name or name.lower() in _NO_MEMBER:
        return False
    return not any(map(str.isalnum, name)) or _CUT_OUT.fullmatch(name) is not None


def is_host(cell: str) -> bool:
    """Return whether the cell looks like a host as brokers print it: a slash and an address."""
    return len(cell) > 1 and cell[0] == "/"


def unglued(cell: str) -> tuple[str, str] | None:
    """Split a CONSUMER-ID that is joined with its HOST at the last slash; None without one.

    >>> unglued("app-1-0b0d7e2c/10.0.0.7")
    ('app-1-0b0d7e2c', '/10.0.0.7')
    """
    cut = cell.rfind("/")
    return (cell[:cut], cell[cut:]) if 0 < cut < len(cell) - 1 else None


def partitions_in(text: str) -> tuple[tuple[tuple[str, int], ...], bool]:
    """Return the partitions of an assignment, and whether it is elided.

    >>> partitions_in("orders(0,2), audit(1)")
    ((('orders', 0), ('orders', 2), ('audit', 1)), False)
    >>> partitions_in("orders:0,2;audit:1")
    ((('orders', 0), ('orders', 2), ('audit', 1)), False)
    """
    parsed: list[tuple[str, int]] = []
    is_elided = "..." in text or "…" in text or text.count("(") != text.count(")")
    for topic, in_brackets, after_colon in _LISTED.findall(text):
        for word in (in_brackets or after_colon).replace(" ", "").split(","):
            if is_partition(word):
                parsed.append((topic, int(word)))
            elif word:
                is_elided = True
    return tuple(parsed), is_elided


def listed_in(text: str) -> tuple[NamedPartition, ...]:
    """Return the partitions in a list in the format of clients.

    >>> listed_in("orders-eu-0, audit[1 12], audit [[2]], TopicPartition(topic='x', partition=3)")
    (('orders-eu', 0), ('audit', 1), ('audit', 12), ('audit', 2), ('x', 3))
    """
    return tuple(
        (name, int(number))
        for match in _NAMED_PARTITION.finditer(text)
        for name, numbers in [[each for each in match.groups() if each is not None]]
        for number in numbers.split()
        if is_partition(number)
    )


def assigned_in(text: str) -> tuple[NamedPartition, ...]:
    """Return the partitions in what a program printed of an assignment: by topic, else in a list.

    >>> assigned_in("map[orders:[0 1] audit:[2]]"), assigned_in('{"orders": [0, 1]}')
    ((('orders', 0), ('orders', 1), ('audit', 2)), (('orders', 0), ('orders', 1)))
    """
    by_topic = [
        (match[1] or match[3], int(number))
        for match in _BY_TOPIC.finditer(text)
        for number in (match[2] or match[4] or "").replace(",", " ").split()
        if is_partition(number)
    ]
    return tuple(by_topic) or listed_in(text)
