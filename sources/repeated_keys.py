"""Keys that stand twice in one JSON object: decoders keep the last one without a word."""

import json
import re
from typing import Final

from sources import json_errors
from sources.errors import SourceError

_TOKEN: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]')
"""A string, which is a key before a colon, or the bounds of an object."""


def refuse_repeated_keys(data: bytes) -> None:
    """Raise SourceError for the first key that stands twice in one object of valid JSON.

    >>> refuse_repeated_keys(b'{"a": {"b": 1, "c": "b"}, "b": {"a": 2}}')
    """
    objects: list[set[bytes]] = []
    for token in _TOKEN.finditer(data):
        if token[0] == b"{":
            objects.append(set())
        elif token[0] == b"}":
            objects.pop()
        elif token[2] is not None:
            key = token[1]
            if b"\\" in key:
                key = json.loads(b'"' + key + b'"').encode(errors="replace")
            if key in objects[-1]:
                place = json_errors.position_of(data, token.start())
                named = key.decode(errors="replace")
                message = f"the key {named!r} stands twice, again at {place}; keep one of them"
                raise SourceError(message)
            objects[-1].add(key)
