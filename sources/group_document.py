"""What group JSON has: the type and bounds of each key, and how it becomes a group.

A field whose default is ``UNSET`` is written only where it is known; all others always are.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic
from sources import history_json
from sources.assumed_json import AssumedJson
from sources.budget import Budget
from sources.group_file import FIELDS, Around, GroupFile
from sources.history_json import HistoryJson, LagsOf
from sources.kind_json import AsKindJson
from sources.rebalancing_json import RebalancingJson
from sources.records import LISTED, Form, Record

_OffsetsOf = list[Annotated[int, Meta(ge=-(2**62), le=2**62)] | None]
_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Rate = Annotated[float, Meta(ge=-(10**15), le=10**15)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Milliseconds = Annotated[int, Meta(ge=0, le=2**31 - 1)]
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


class GroupDocument(Struct, kw_only=True):
    """One group: the keys of group JSON."""

    id: str = ""
    topics: dict[str, TopicJson | _Count]
    members: list[MemberJson]
    lags: dict[str, LagsOf] = {}
    offsets: dict[str, TopicOffsetsJson] | UnsetType = UNSET
    auto_offset_reset: str = "latest"
    subscription_type: str | UnsetType | None = UNSET
    known_to_leader: list[str] | UnsetType | None = UNSET
    rates: dict[str, list[_Rate | None]] | UnsetType = UNSET
    strategy: str | UnsetType | None = UNSET
    horizon_ms: _Milliseconds | UnsetType | None = UNSET
    moves_share: _Share | UnsetType = UNSET
    tolerance: _Share | UnsetType = UNSET
    history: HistoryJson | UnsetType | None = UNSET
    hosts: dict[str, str] | UnsetType = UNSET
    unknown_owners: dict[str, list[_Count]] | UnsetType = UNSET
    assumed: AssumedJson | UnsetType | None = UNSET
    kind: str | UnsetType = UNSET
    as_kind: AsKindJson | UnsetType | None = UNSET
    state: str | UnsetType | None = UNSET
    rebalancing: RebalancingJson | UnsetType | None = UNSET
    lacking: str | UnsetType | None = UNSET


def document_of(file: GroupFile, *, is_brief: bool) -> GroupDocument:
    """Return the group to write; a brief one keeps of the history what gives the present rates."""
    topics = topic_records(file.group)
    by_topic = {
        part.key: {name: kept for name, each in topics.items() if (kept := part.write(each))}
        for part in _BY_TOPIC
    }
    if is_brief and file.history is not None:
        file = file._replace(history=history_json.brief(file.history))
    whole = {field.key: field.write(file) for field in FIELDS}
    optional: dict[str, Any] = {key: kept or UNSET for key, kept in by_topic.items()}
    optional |= {key: UNSET if kept is None else kept for key, kept in whole.items()}
    return GroupDocument(
        id=file.group.id,
        topics={name: _TOPIC.write(each) for name, each in topics.items()},
        members=[_MEMBER.write(each) for each in member_records(file.group)],
        auto_offset_reset=file.group.offsets.reset,
        **optional | {"lags": by_topic["lags"]},
    )


def file_from(document: GroupDocument, budget: Budget) -> GroupFile:
    """Return the group of a document whose names are known.

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
    file = GroupFile(group)
    for field in FIELDS:
        value = getattr(document, field.key)
        file = field.read(file, None if value is UNSET else value, Around(sizes, budget))
    return file


def _topic_of(document: GroupDocument, name: str, described: TopicJson) -> Topic:
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
