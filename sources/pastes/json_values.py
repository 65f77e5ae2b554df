"""Values of JSON objects as the numbers and names that tools mean by them."""

import math
from collections.abc import Mapping
from typing import Final

from sources.pastes import cells
from sources.pastes.loose_json import Json

_LARGEST: Final = 2.0**63


def name(fields: Mapping[str, Json], *keys: str) -> str:
    """Return the first of these that is a text, without the blanks around it, else ""."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def number(value: Json) -> int | None:
    """Return a whole number, also from texts like "150" and "1.5e+06"; None if unknown."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        figure = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(figure) or abs(figure) >= _LARGEST - 1:
        return None
    if isinstance(value, int):
        return value
    digits = str(value).strip()
    return int(digits) if digits.removeprefix("-").isdecimal() else round(figure)


def offset(value: Json) -> int | None:
    """Return an offset; the -1 that some tools write means that there is none."""
    found = number(value)
    return None if found is None or found < 0 else found


def partition(value: Json) -> int | None:
    """Return a partition number, None if it is none."""
    digits = str(value).strip() if isinstance(value, str | int) else ""
    return int(digits) if cells.is_partition(digits) else None


def below(value: Json, key: str) -> Mapping[str, Json]:
    """Return the object under a key, an empty one if there is none."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}
