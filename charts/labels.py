"""Short, unique names for long ids, to keep axes readable."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evaluation.wording import UUID, without_uuids

_UUID: Final = re.compile(UUID, re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"[^-_./:]*[-_./:]+(?=.)")
_LONGEST: Final = 16
_CUTS: Final = (4, 8, 36)
"""Characters of a UUID to keep: the first number that keeps names distinct."""


def short_names(names: Sequence[str], longest: int = _LONGEST) -> list[str]:
    """Return the names without UUIDs and without the words that all long names begin with.

    Nothing is removed that would make two names equal; otherwise names are returned whole.

    >>> uuid = "9a908325-4c8a-45d9-bc52-afc12f787f20"
    >>> short_names([f"consumer-orders-{k}-{uuid}" for k in (1, 12)])
    ['orders-1', 'orders-12']
    """
    return next(short for short in _shortened(names, longest) if len({*short}) == len({*names}))


def _shortened(names: Sequence[str], longest: int) -> Iterator[list[str]]:
    """Yield the names shortened in several ways, the shortest first, whole names last."""
    whole = without_uuids(names)
    for kept in _CUTS:
        cut = _without_shared_words([_with_uuid_cut(name, kept) for name in whole], longest)
        yield [_cut(name, longest, longest // 2) for name in cut]
        yield [_cut(name, longest, 0) for name in cut]
        yield cut


def _with_uuid_cut(name: str, kept: int) -> str:
    match = _UUID.search(name)
    if match is None or len(match[0]) <= kept:
        return name
    return f"{name[: match.start() + kept]}…{name[match.end() :]}"


def _without_shared_words(names: Sequence[str], longest: int) -> list[str]:
    """Remove the words that all names begin with, while any name is too long."""
    shown = list(names)
    while len(shown) > 1 and max(map(len, shown)) > longest:
        first_words = {match[0] if (match := _FIRST_WORD.match(name)) else "" for name in shown}
        shared = next(iter(first_words))
        if len(first_words) > 1 or not shared:
            break
        shown = [name.removeprefix(shared) for name in shown]
    return shown


def _cut(name: str, longest: int, tail: int) -> str:
    """Cut a long name before its last ``tail`` characters."""
    if len(name) <= longest:
        return name
    return f"{name[: longest - tail - 1]}…{name[len(name) - tail :]}"
