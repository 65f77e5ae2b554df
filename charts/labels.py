"""Short names for long ids, so that an axis can be read; each stays unique."""

import os
import re
from collections.abc import Sequence
from typing import Final

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LONGEST: Final = 16
_CUTS: Final = (4, 8, 36)
"""How many characters of a UUID are kept: the first number that keeps names apart."""
_SEPARATORS: Final = "-_./: "


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names without the beginning they share and with UUIDs cut short.

    Names that would become equal are given whole.

    >>> uuid = "9a908325-4c8a-45d9-bc52-afc12f787f20"
    >>> short_names([f"order-service-{k}-{uuid}" for k in (1, 2)])
    ['1-9a90…', '2-9a90…']
    >>> short_names(["c0", "c1"])
    ['c0', 'c1']
    """
    for kept in _CUTS:
        cut = [_UUID.sub(lambda uuid, kept=kept: _cut(uuid[0], kept), name) for name in names]
        short = [_middle_cut(name) for name in _without_common_start(cut)]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def _cut(text: str, kept: int) -> str:
    return text if len(text) <= kept else f"{text[:kept]}…"


def _without_common_start(names: Sequence[str]) -> list[str]:
    """Leave out whole words that all long names begin with."""
    if len(names) < 2 or max(map(len, names)) <= _LONGEST:  # noqa: PLR2004 -- one name shares nothing
        return list(names)
    shared = os.path.commonprefix(list(names))  # noqa: RUF071 -- names are no paths
    start = 1 + max((shared.rfind(separator) for separator in _SEPARATORS), default=-1)
    return [name[start:] for name in names]


def _middle_cut(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    tail = _LONGEST // 2
    return f"{name[: _LONGEST - tail - 1]}…{name[-tail:]}"
