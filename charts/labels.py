"""Short, unique names for long ids, to keep axes readable."""

import re
from collections.abc import Iterator, Sequence
from os.path import commonprefix
from typing import Final

from evaluation.wording import UUID, without_uuids

_UUID: Final = re.compile(UUID, re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"[^-_./:]*[-_./:]+")
_BETWEEN: Final = frozenset("-_./:")
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
    if len(names) < 2:  # noqa: PLR2004 -- one name shares nothing
        return list(names)
    shared = commonprefix(names)  # noqa: RUF071 -- of names, which are no paths
    least, most = min(map(len, names)), max(map(len, names))
    start = 0
    while most - start > longest:
        word = _FIRST_WORD.match(shared, start)
        end = 0 if word is None else word.end()
        if not 0 < end < least or any(name[end] in _BETWEEN for name in names):
            break
        start = end
    return [name[start:] for name in names]


def _cut(name: str, longest: int, tail: int) -> str:
    """Cut a long name before its last ``tail`` characters."""
    if len(name) <= longest:
        return name
    return f"{name[: longest - tail - 1]}…{name[len(name) - tail :]}"
