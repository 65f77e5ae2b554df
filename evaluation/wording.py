"""Names and numbers as sentences put them."""

import re
from collections.abc import Sequence
from typing import Final

_UUID: Final = re.compile(r"-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_NAMED: Final = 3
"""Sentences name at most this many; beyond, they count."""


def short_names(members: Sequence[str]) -> tuple[str, ...]:
    """Return the ids without the UUID that Kafka appends, where they stay distinct.

    >>> short_names(["c-1-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "c-2"])
    ('c-1', 'c-2')
    """
    short = tuple(_UUID.sub("", member) for member in members)
    return short if all(short) and len(set(short)) == len(short) else tuple(members)


def verb_for(names: Sequence[str], verb: str) -> str:
    """Return the verb as it goes with so many names."""
    return f"{verb}s" if len(names) == 1 else verb


def several(names: Sequence[str], noun: str) -> str:
    """Return ``a, b and c``, or ``500 consumers``."""
    return listed(names) if len(names) <= _NAMED else f"{len(names):,} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
