"""What group JSON has: the type and bounds of each key, and how it becomes a group.

A field whose default is ``UNSET`` is written only where it is known; all others always are.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple, cast

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic
from evaluation.reading import Reading
from sources.budget import Budget
from sources.group_fields import FIELDS, Around, brief
from sources.history_json import LagsOf
from sources.notes import notes_on
from sources.records import LISTED, Form, Record

_OffsetsOf = list[Annotated[int, Meta(ge=-(2**62), le=2**62)] | None]
_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Rate = Annotated[float, Meta(ge=-(10**15), le=10**15)]
_Generation = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]


class TopicJson(Struct):
    """A topic; its lags, offsets and rates are elsewhere, by its name."""

    partitions: _Count
    racks: list[list[str | None]] | UnsetType | None = UNSET
    topic_id: str | UnsetType | None = UNSET


class MemberJson(Struct):
    """A member as it joins the group."""

    id: str
    topics: list[str] = []
    instance_id: str | None = None
    rack: str | None = None
    owned: list[tuple[str, int]] = []
    generation: _Generation | None = None
    throughput: _Rate | UnsetType | None = UNSET
    client_id: str | UnsetType | None = UNSET


class TopicOffsetsJson(Struct):
    """A topic's offsets by partition."""

    begin: _OffsetsOf | None = None
    end: _OffsetsOf | None = None
    committed: _OffsetsOf | None = None


class TopicsAndMembers(Struct, kw_only=True):
    """The keys of group JSON that make the group itself."""

    id: str = ""
    topics: dict[str, TopicJson | _Count]
    members: list[MemberJson]
    lags: dict[str, LagsOf] = {}
    offsets: dict[str, TopicOffsetsJson] | UnsetType = UNSET
    auto_offset_reset: str = "latest"
    rates: dict[str, list[_Rate | None]] | UnsetType = UNSET
    unknown_owners: dict[str, list[_Count]] | UnsetType = UNSET


GroupDocument: Final = cast(
    "type[TopicsAndMembers]",
    defstruct(
        "GroupDocument",
        [(field.key, field.type | UnsetType, UNSET) for field in FIELDS],
        bases=(TopicsAndMembers,),
        kw_only=True,
    ),
)
"""All keys of group JSON: with one for each of ``FIELDS``."""


def document_of(reading: Reading, *, is_brief: bool) -> TopicsAndMembers:
    """Return the group to write, whole or as ``brief`` says."""
    reading = brief(reading) if is_brief else reading
    topics = topic_records(reading.group)
    by_topic = {
        part.key: {name: kept for name, each in topics.items() if (kept := part.write(each))}
        for part in _BY_TOPIC
    }
    whole = {field.key: field.write(reading) for field in FIELDS}
    optional: dict[str, Any] = {key: kept or UNSET for key, kept in by_topic.items()}
    optional |= {key: UNSET if kept is None else kept for key, kept in whole.items()}
    return GroupDocument(
        id=reading.group.id,
        topics={name: _TOPIC.write(each) for name, each in topics.items()},
        members=[_MEMBER.write(each) for each in member_records(reading.group)],
        auto_offset_reset=reading.group.offsets.reset,
        **optional | {"lags": by_topic["lags"]},
    )


def reading_from(document: TopicsAndMembers, format_: str, budget: Budget) -> Reading:
    """Return the group of a document whose names are known, with notes on it.

    Raises SourceError for more partitions or members than the budget has, and for a contradiction.
    """
    described = {
        name: TopicJson(each) if isinstance(each, int) else each
        for name, each in document.topics.items()
    }
    topics = {name: _topic_of(document, name, each) for name, each in described.items()}
    sizes = {name: topic.partitions for name, topic in topics.items()}
    budget.take_partitions(sizes)
    group = budget.group_of(
        topics,
        [_MEMBER.read(each) for each in document.members],
        id=document.id,
        auto_offset_reset=document.auto_offset_reset,
    )
    reading, around = Reading(group=group), Around(sizes, budget)
    for field in FIELDS:
        kept = getattr(document, field.key)
        kept = field.absent if kept is UNSET or kept is None else kept
        reading = reading if kept is None else field.read(reading, kept, around)
    notes = tuple(notes_on(reading.group))
    return replace(reading, format=format_, rows=group.partition_count, notes=notes)


def _topic_of(document: TopicsAndMembers, name: str, described: TopicJson) -> Topic:
    beside: dict[str, Any] = {}
    for part in _BY_TOPIC:
        kept = getattr(document, part.key)
        if kept is not UNSET and name in kept:
            beside |= part.read(kept[name], described.partitions)
    return _TOPIC.read(described)._replace(**beside)


_IF_KNOWN: Final = Form(
    lambda value: UNSET if value is None else value,
    lambda value: None if value is UNSET else value,
)
_RACKS: Final = Form(
    _IF_KNOWN.write,
    lambda rows: (
        None
        if rows is None or rows is UNSET
        else [[name for name in row if name is not None] for row in rows]
    ),
)
_TOPIC: Final = Record(Topic, TopicJson, {"racks": _RACKS, "topic_id": _IF_KNOWN})
_MEMBER: Final = Record(
    Member, MemberJson, {"throughput": _IF_KNOWN, "client_id": _IF_KNOWN, "topics": LISTED}
)
_OFFSETS: Final = Record(Topic, TopicOffsetsJson)


class _ByTopic(NamedTuple):
    """What stands by a topic's name: how it is kept of a topic, and the topic's fields of it."""

    key: str
    write: Callable[[Topic], object]
    """Nothing is written of a topic for which this is empty."""
    read: Callable[[Any, int], dict[str, object]]


_BY_TOPIC: Final = (
    _ByTopic(
        "lags",
        lambda topic: topic.lags or [None] * topic.partitions,
        lambda kept, _: {"lags": kept},
    ),
    _ByTopic(
        "offsets",
        lambda topic: (
            _OFFSETS.write(topic) if topic.begin or topic.end or topic.committed else None
        ),
        lambda kept, _: {"begin": kept.begin, "end": kept.end, "committed": kept.committed},
    ),
    _ByTopic("rates", lambda topic: topic.rates, lambda kept, _: {"rates": kept}),
    _ByTopic(
        "unknown_owners",
        lambda topic: np.flatnonzero(topic.owner_unknown or []).tolist(),
        lambda kept, partitions: {"owner_unknown": _places(kept, partitions)},
    ),
)

BY_TOPIC: Final = tuple(part.key for part in _BY_TOPIC)
"""Keys whose values stand by the names of topics."""


def _places(numbers: list[int], partitions: int) -> list[bool]:
    listed = set(numbers)
    return [number in listed for number in range(partitions)]
