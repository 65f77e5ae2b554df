"""Member ids as people read them."""

import re
from collections.abc import Sequence
from typing import Final

_UUID: Final = re.compile(r"-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


def short_names(members: Sequence[str]) -> tuple[str, ...]:
    """Return the ids without the UUID that Kafka appends, where they stay distinct.

    >>> short_names(["c-1-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "c-2"])
    ('c-1', 'c-2')
    """
    short = tuple(_UUID.sub("", member) for member in members)
    return short if all(short) and len(set(short)) == len(short) else tuple(members)
