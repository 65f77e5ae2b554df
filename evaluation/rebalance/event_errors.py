"""The error of an impossible event, and checks on its names."""

from collections.abc import Iterable, Sequence

import numpy as np

from assignors.model import IntArray
from assignors.suggestions import nearest


class InvalidEventError(ValueError):
    """An event that cannot happen to the group; the message says why and what to do instead."""


def known_numbers(names: Sequence[str], known: Sequence[str], kind: str) -> IntArray:
    """Return the number of each name; reject unknown names with the nearest one."""
    number = {name: k for k, name in enumerate(known)}
    for name in names:
        if name not in number:
            message = f"the group has no {kind} {name!r}; {nearest(name, known)}"
            raise InvalidEventError(message)
    return np.array([number[name] for name in dict.fromkeys(names)], np.int32)


def refuse_none(names: Sequence[str], what: str) -> None:
    """Raise InvalidEventError if there is no name."""
    if not any(names):
        message = f"name at least one {what}"
        raise InvalidEventError(message)


def refuse_taken(names: Sequence[str], taken: Iterable[str | None], kind: str) -> None:
    """Raise InvalidEventError if a name is taken or repeated."""
    seen = set(taken)
    for name in names:
        if name in seen:
            message = f"the group has a {kind} {name!r} already; give another name"
            raise InvalidEventError(message)
        seen.add(name)
