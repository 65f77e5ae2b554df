"""Names and numbers as sentences put them: plurals, lists, short ids, the nearest name."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Final

UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""As Kafka's clients and brokers append it to a client id, behind a hyphen."""
_APPENDED_UUID: Final = re.compile(f"-?{UUID}$")
_LONGEST_COMPARED: Final = 100
_MOST_COMPARED: Final = 500
"""Comparing names takes the product of their lengths, so both are bounded."""
_MOST_CHOICES: Final = 30


def plural(count: int, noun: str) -> str:
    """Return ``1 consumer``, ``2,000 consumers``.

    >>> plural(1, "consumer"), plural(2000, "topic")
    ('1 consumer', '2,000 topics')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ordinal(number: int) -> str:
    """Return ``1st``, ``12th``, ``23rd``.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th']
    """
    is_teen = number // 10 % 10 == 1
    ending = "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def listed(names: Sequence[str], most: int = 6, conjunction: str = "and") -> str:
    """Join names as a sentence does; beyond ``most``, name one fewer and count the rest.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], conjunction="or"), listed([])
    ('a, b and c', 'a or b', 'nobody')
    >>> listed([str(n) for n in range(9)])
    '0, 1, 2, 3, 4 and 4 more'
    """
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    *others, last = names or ["nobody"]
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def without_uuid(name: str) -> str:
    """Return the name without the UUID that Kafka appends to it."""
    return _APPENDED_UUID.sub("", name)


def short_names(members: Sequence[str]) -> tuple[str, ...]:
    """Return the ids without the UUID that Kafka appends, where they stay distinct.

    >>> short_names(["c-1-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "c-2"])
    ('c-1', 'c-2')
    """
    short = tuple(without_uuid(member) for member in members)
    return short if all(short) and len(set(short)) == len(short) else tuple(members)


def nearest(name: str, choices: Iterable[str]) -> str:
    """Return which of the choices was probably meant, or else which there are, as a way out.

    Of very many or very long choices only some are compared.

    >>> nearest("round-robin", ["range", "roundrobin"])
    "did you mean 'roundrobin'?"
    >>> nearest("best", ["range", "roundrobin"])
    'choose from range, roundrobin'
    """
    known = list(choices)
    if not known:
        return "there is none at all"
    comparable = (each for each in known if len(each) <= _LONGEST_COMPARED)
    short = name[:_LONGEST_COMPARED].lower()
    close = get_close_matches(short, islice(comparable, _MOST_COMPARED), n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(each[:_LONGEST_COMPARED] for each in known[:_MOST_CHOICES])
    more = f" and {len(known) - _MOST_CHOICES:,} more" if len(known) > _MOST_CHOICES else ""
    return f"choose from {shown}{more}"
