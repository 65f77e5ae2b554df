"""The plan of several groups: one file or link with each group and what was stated of it.

``{"plan_of_groups": 1, "asked": {...}, "groups": [{"title", "stated", "group"}, ...]}``, where each
``group`` is group JSON, ``stated`` holds of that group alone, and ``asked`` of all of them: one
deadline and one peak. Both are by the names that links have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from evaluation.reading import Reading
from sources import group_json, json_errors, links
from sources.budget import LIMITS, LINK_LIMITS, Budget, Limits
from sources.errors import SourceError, guarded
from sources.repeated_keys import refuse_repeated_keys

MOST_GROUPS: Final = 20
"""Groups of one plan."""
_VERSION: Final = 1
_KEY: Final = "plan_of_groups"
_MOST_STATED: Final = 50
_LONGEST: Final = 200
"""Characters of a title, and of a stated value."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanGroup:
    """One group of a plan."""

    title: str
    """Its name on screen."""
    reading: Reading
    stated: Mapping[str, str]
    """What was stated of this group, by its name in links."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanOfGroups:
    """Several groups, and what is asked of all of them."""

    groups: Sequence[PlanGroup]
    """One to ``MOST_GROUPS``, the one on screen first."""
    asked: Mapping[str, str]
    """The deadline, the peak and whatever else holds for every group, by its name in links."""


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: msgspec.Raw
    title: str = ""
    stated: dict[str, str] = {}


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plan_of_groups: int
    groups: list[_Group]
    asked: dict[str, str] = {}


def encode(plan: PlanOfGroups, *, is_brief: bool = False) -> bytes:
    """Return the plan as the text of one JSON object, on one line.

    ``is_brief`` keeps of each history only the two snapshots that give the present rates.
    """
    groups = [
        _Group(
            group=msgspec.Raw(group_json.encode(each.reading, is_brief=is_brief)),
            title=each.title[:_LONGEST],
            stated=dict(each.stated),
        )
        for each in plan.groups
    ]
    return msgspec.json.encode(_Written(_VERSION, groups, dict(plan.asked)))


def is_plan(data: str | bytes) -> bool:
    """Return whether a text is meant as the plan of several groups, valid or not.

    >>> is_plan('{"plan_of_groups": 1, "groups": []}'), is_plan('{"topics": {}, "members": []}')
    (True, False)
    """
    return _KEY in group_json.keys_of(data)


def may_be_plan(data: bytes) -> bool:
    """Return whether an upload may be a plan, at a glance that costs nothing however large it is.

    >>> may_be_plan(b'{"plan_of_groups": 1'), may_be_plan(b'topic,partition,lag')
    (True, False)
    """
    return data.lstrip()[:1] == b"{" and f'"{_KEY}"'.encode() in data


def decode_file(files: Mapping[str, bytes]) -> PlanOfGroups:
    """Read the one file of a plan, as uploads come; raises SourceError."""
    (data,) = files.values()
    return decode(data)


def decode(data: str | bytes, limits: Limits = LIMITS) -> PlanOfGroups:
    """Read a plan as ``encode`` wrote it.

    Raises SourceError for one that is cut off, changed or of another version, with the place; for
    more groups than a plan has; and for groups that together exceed the limits.
    """
    with guarded("this plan"):
        written = _written(json_errors.in_utf_8(data))
        if written.plan_of_groups != _VERSION:
            message = (
                f"{_KEY}: this release reads version {_VERSION}, found {written.plan_of_groups}; "
                "open the plan with the release that saved it"
            )
            raise SourceError(message)
        if not 1 <= len(written.groups) <= MOST_GROUPS:
            message = f"groups: expected 1 to {MOST_GROUPS} groups, found {len(written.groups)}"
            raise SourceError(message)
        budget = Budget(limits)
        return PlanOfGroups(
            groups=[_group_from(each, k, budget) for k, each in enumerate(written.groups)],
            asked=_stated_from(written.asked),
        )


def encode_link(plan: PlanOfGroups) -> str | None:
    """Return the plan as the text of a link; None if it is too large for one.

    The histories go along whole if they are short enough, else as ``is_brief`` says.
    """
    if sum(each.reading.group.partition_count for each in plan.groups) > LINK_LIMITS.partitions:
        return None
    return links.packed(encode(plan)) or links.packed(encode(plan, is_brief=True))


def decode_link(text: str) -> PlanOfGroups:
    """Read the plan in the text of a link; raises SourceError as ``links.decode`` does."""
    with guarded("this link"):
        return decode(links.unpacked(text), LINK_LIMITS)


def _written(data: bytes) -> _Written:
    try:
        found = msgspec.json.decode(data, type=_Written)
    except msgspec.ValidationError as error:
        if not is_plan(data):
            message = f"this is no plan of several groups: it has no key {_KEY!r}"
            raise SourceError(message) from error
        raise SourceError(json_errors.invalid(error, data, _objection_to)) from error
    except msgspec.DecodeError as error:
        raise SourceError(json_errors.malformed(error, data)) from error
    except RecursionError as error:
        message = "this JSON is nested too deeply to be a plan"
        raise SourceError(message) from error
    refuse_repeated_keys(data)
    return found


def _objection_to(document: object) -> str | None:
    """Return the decoder's message for one part of an otherwise valid document."""
    if not isinstance(document, dict):
        return None
    try:
        msgspec.convert({_KEY: _VERSION, "groups": []} | document, _Written)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def _group_from(written: _Group, place: int, budget: Budget) -> PlanGroup:
    try:
        reading = group_json.decode(bytes(written.group), budget)
    except SourceError as error:
        message = f"groups[{place}].group: {error}"
        raise SourceError(message) from error
    return PlanGroup(
        title=written.title[:_LONGEST] or reading.group.id,
        reading=reading,
        stated=_stated_from(written.stated),
    )


def _stated_from(written: Mapping[str, str]) -> dict[str, str]:
    return {name: value[:_LONGEST] for name, value in list(written.items())[:_MOST_STATED]}
