"""Group JSON as text: read with the place of each fault, and written.

``{"id", "topics", "members", "lags", "offsets", ...}``; docs/formats.md shows a whole one, and
``sources.group_document`` defines it.
"""

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Final

import msgspec

from assignors.model import Group
from assignors.offsets import RESETS
from assignors.suggestions import nearest
from evaluation.reading import Reading
from sources import json_errors
from sources.budget import Budget
from sources.errors import SourceError
from sources.group_document import (
    BY_TOPIC,
    GroupDocument,
    TopicsAndMembers,
    document_of,
    reading_from,
)
from sources.repeated_keys import refuse_repeated_keys

FORMAT: Final = "group JSON"

_DECODER: Final = msgspec.json.Decoder(GroupDocument)
_TOKEN: Final = re.compile(
    rb'"(?:[^"\\]|\\.)*"|(-?\d{1,20}(?:\.\d{1,20}(?:[eE][+-]?\d\d?)?|[eE][+-]?\d\d?)(?![\d.eE]))'
)
"""A string, or a number with a point or an exponent."""
_SHORTEST: Final = len('{"members":0}')
_MOST_WHOLE: Final = 10**19


def decode(text: str | bytes, budget: Budget | None = None) -> Reading:
    """Read one group from the text of one JSON object; ignore unknown keys.

    A few characters can ask for any number of partitions, so they are counted against the budget
    first, by default a new one. Raises SourceError naming the field and what was
    found, e.g. ``topics.orders.partitions: expected an int >= 0, found -1``.
    """
    data = json_errors.in_utf_8(text)
    document = _document(data)
    refuse_repeated_keys(data)
    _refuse_unknown_names(document)
    return reading_from(document, FORMAT, budget or Budget())


def encode(of: Reading | Group, *, is_brief: bool = False) -> bytes:
    """Return the group as the text of one JSON object, on one line.

    ``is_brief`` keeps of history and logs only what ``group_fields.brief`` says.
    """
    return msgspec.json.encode(as_json(of, is_brief=is_brief))


def as_json(of: Reading | Group, *, is_brief: bool = False) -> dict[str, object]:
    """Return the group as plain dictionaries and lists, to write or to extend."""
    reading = of if isinstance(of, Reading) else Reading(group=of)
    document: dict[str, object] = msgspec.to_builtins(document_of(reading, is_brief=is_brief))
    return document


def _document(data: bytes) -> TopicsAndMembers:
    try:
        return _DECODER.decode(data)
    except msgspec.ValidationError as error:
        if (whole := _TOKEN.sub(_as_whole, data)) != data:
            return _document(whole)
        raise SourceError(json_errors.invalid(error, data, _objection_to)) from error
    except msgspec.DecodeError as error:
        raise SourceError(json_errors.malformed(error, data)) from error
    except RecursionError as error:
        message = "this JSON is nested too deeply to be a group"
        raise SourceError(message) from error


def _as_whole(token: re.Match[bytes]) -> bytes:
    """Return a number such as 1e3 or 10.0 as the integer that it is; other tokens as they are."""
    if token[1] is None:
        return token[0]
    value = Decimal(token[1].decode())
    is_whole = abs(value) < _MOST_WHOLE and value == value.to_integral_value()
    return str(int(value)).encode() if is_whole else token[0]


def _objection_to(document: object) -> str | None:
    """Return the decoder's message for one part of an otherwise valid document."""
    if not isinstance(document, dict):
        return None
    try:
        msgspec.convert({"topics": {}, "members": []} | document, GroupDocument)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def _refuse_unknown_names(document: TopicsAndMembers) -> None:
    reset = document.auto_offset_reset
    if reset not in RESETS:
        message = f"auto_offset_reset: found {reset!r}; {nearest(reset, RESETS)}"
        raise SourceError(message)
    for field in BY_TOPIC:
        for name in getattr(document, field) or ():
            if name not in document.topics:
                way_out = nearest(name, document.topics) if document.topics else "it is empty"
                message = (
                    f"{field}.{name}: topics has no {name!r}; {way_out} "
                    "Or add it there with its partitions."
                )
                raise SourceError(message)


def is_group(line: str | bytes) -> bool:
    """Return whether a text is one object meant as a group, valid or not.

    Other tools have members as well, but list partitions or offsets.

    >>> is_group('{"topics": {}, "members": 3}'), is_group('{"id": "c0", "topics": ["t"]}')
    (True, False)
    >>> is_group('{"members": [], "offsets": [{"topic": "t"}]}')
    False
    """
    if len(line) < _SHORTEST:  # of a million lines of a letter, none is decoded
        return False
    entries = _entries(line)
    lists_objects = bytes(entries.get("topics", b"{")).translate(None, b" \r\n\t")[:2] == b"[{"
    lists_offsets = bytes(entries.get("offsets", b"{"))[:1] == b"["
    has_other_keys = not entries.keys().isdisjoint({"partitions", "groupId", "group_id", "group"})
    is_of_another_tool = has_other_keys or lists_objects or lists_offsets
    return "members" in entries and not is_of_another_tool


def keys_of(data: str | bytes) -> Collection[str]:
    """Return the keys of a JSON object; none for other values."""
    return _entries(data).keys()


def _entries(data: str | bytes) -> Mapping[str, msgspec.Raw]:
    try:
        return msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
