"""A saved plan: the group it was made for, what was stated and asked, to be asked again later.

The file is group JSON with one more key, so that it opens as a group too:
``{"topics": ..., "members": ..., "plan": {"saved", "said", "stated", "what_ifs"}}``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

import msgspec

from evaluation.reading import Reading
from evaluation.what_if import Asked
from sources import group_json, what_ifs
from sources.errors import SourceError, guarded

_MOST_STATED: Final = 50
_LONGEST: Final = 200
"""Characters of a stated value; of the sentence, ten times as many."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What was planned, when, for which group."""

    reading: Reading
    saved: date
    said: str
    """The conclusion of that day, in plain text."""
    stated: Mapping[str, str]
    """What was stated, by its name in links."""
    asked: Asked


class _Written(msgspec.Struct, frozen=True):
    saved: date
    said: str = ""
    stated: dict[str, str] = {}
    what_ifs: msgspec.Raw = msgspec.Raw(b"[]")


class _File(msgspec.Struct, frozen=True):
    plan: _Written


def encode(plan: Plan) -> bytes:
    """Return the plan as the text of one JSON object, on one line."""
    asked = what_ifs.encode(plan.asked) or "[]"
    written = _Written(plan.saved, plan.said, dict(plan.stated), msgspec.Raw(asked.encode()))
    return msgspec.json.encode(group_json.as_json(plan.reading) | {"plan": written})


def decode_file(files: Mapping[str, bytes]) -> Plan:
    """Read the one file of a plan, as uploads come; raises SourceError."""
    (data,) = files.values()
    return decode(data)


def decode(data: bytes) -> Plan:
    """Read a plan as ``encode`` wrote it.

    Raises SourceError for another file, and for one that is cut off or out of range.
    """
    with guarded("this plan"):
        if "plan" not in group_json.keys_of(data):
            message = (
                "this is no saved plan: it has no key 'plan'. Save one on this page; a group alone "
                "opens on the Group page, under Open, Upload"
            )
            raise SourceError(message)
        try:
            written = msgspec.json.decode(data, type=_File).plan
        except (msgspec.MsgspecError, RecursionError) as error:
            message = f"the plan was cut off or changed: {error}"
            raise SourceError(message) from error
        return Plan(
            reading=group_json.decode(data),
            saved=written.saved,
            said=written.said[: 10 * _LONGEST],
            stated={
                name: value[:_LONGEST]
                for name, value in list(written.stated.items())[:_MOST_STATED]
            },
            asked=what_ifs.decode(bytes(written.what_ifs).decode(errors="replace")),
        )
