"""What group JSON has, each field once: its type and bounds, how it is written and read.

A field whose default is ``UNSET`` is written only where it is known; all others always are.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from assignors.kinds import GroupKind
from assignors.load_settings import USUAL
from assignors.model import UNKNOWN, Group
from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic
from evaluation.assuming.assumed import NOTHING, Assumed
from evaluation.judging import JudgeBy, Measure
from evaluation.kinds.forecast import KindGroup
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalancing import Rebalancing
from sources import assumed_json, history_json, kind_json, rebalancing_json
from sources.assumed_json import AssumedJson
from sources.budget import Budget
from sources.history_json import HistoryJson, LagsOf
from sources.kind_json import AsKindJson
from sources.rebalancing_json import RebalancingJson
from sources.records import LISTED, Form, Record

_MS_A_MINUTE: Final = 60_000
_THOUSAND: Final = 1000
_MILLION: Final = 1_000_000

_WITHOUT_LOADS: Final = {"load-sticky": "cooperative-sticky", "load-sticky-eager": "sticky"}
"""What a leader that could read no load at all assigns by instead."""

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


class GroupFile(NamedTuple):
    """A group from a file, with what else the file has of it."""

    group: Group
    strategy: str | None = None
    history: OffsetHistory | None = None
    hosts: Mapping[str, str] = {}
    """The host of each member whose host is known."""
    weighed: Measure | None = None
    """What the leader that logged the group weighed."""
    kind: GroupKind = GroupKind.CONSUMER
    assumed: Assumed = NOTHING
    """What the source of the group left open."""
    as_kind: KindGroup | None = None
    """The group as the assignors of its kind see it."""
    state: str | None = None
    """As Kafka's tools write it; None if unknown."""
    rebalancing: Rebalancing | None = None
    """The rebalance that was under way."""
    lacking: str = ""
    """What the source of a group without partitions does not tell."""


def document_of(file: GroupFile, *, is_brief: bool) -> GroupDocument:
    """Return the group to write; a brief one keeps of the history what gives the present rates."""
    topics = topic_records(file.group)
    by_topic = {
        part.key: {name: kept for name, each in topics.items() if (kept := part.write(each))}
        for part in _BY_TOPIC
    }
    if is_brief and file.history is not None:
        file = file._replace(history=history_json.brief(file.history))
    whole = {field.key: field.write(file) for field in _FIELDS}
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
    for field in _FIELDS:
        value = getattr(document, field.key)
        file = field.read(file, None if value is UNSET else value, _Around(sizes, budget))
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


class _Around(NamedTuple):
    """What reading a field may need besides."""

    sizes: Mapping[str, int]
    """The partitions of each topic that the document lists."""
    budget: Budget


class _Field(NamedTuple):
    """A field of the file as a whole: what is written of it (None: nothing), and how it is read."""

    key: str
    write: Callable[[GroupFile], Any]
    read: Callable[[GroupFile, Any, _Around], GroupFile]
    """Called with None where the document does not have it; earlier fields are read before."""


def _with_subscription_type(file: GroupFile, value: str | None, _: _Around) -> GroupFile:
    layout = replace(file.group.layout, subscription_type=value)
    return file._replace(group=replace(file.group, layout=layout)) if value else file


def _with_known_topics(file: GroupFile, value: list[str] | None, _: _Around) -> GroupFile:
    if value is None:
        return file
    layout = replace(file.group.layout, known_to_leader=tuple(value))
    return file._replace(group=replace(file.group, layout=layout))


def _with_settings(file: GroupFile, **settings: int) -> GroupFile:
    changed = file.group.load_settings._replace(**settings)
    return file._replace(group=replace(file.group, load_settings=changed))


def _horizon_ms(file: GroupFile) -> int | None:
    if file.weighed is None:
        return None
    is_work = file.weighed.by is JudgeBy.WORK
    return round(file.weighed.horizon_min * _MS_A_MINUTE) if is_work else 0


def _as_weighed(file: GroupFile, horizon_ms: int | None, _: _Around) -> GroupFile:
    """Return a group as its leader saw it, and what that leader weighed.

    To a leader that adds what arrived, a load is unknown if either part is. One that could read no
    load at all weighed nothing.
    """
    if horizon_ms is None:
        return file
    group = file.group
    none = np.full(group.partition_count, np.nan)
    arriving = none if group.offsets.rates is None else group.offsets.rates
    is_known = group.is_lag_known & (np.isfinite(arriving) | (horizon_ms == 0))
    if not is_known.any():
        return file._replace(strategy=_WITHOUT_LOADS.get(file.strategy or "", file.strategy))
    if not horizon_ms:
        return file._replace(weighed=Measure(by=JudgeBy.LAG))
    lags = np.where(is_known, group.lags, UNKNOWN)
    rates = np.where(is_known, arriving, np.nan)
    return file._replace(
        group=replace(group, offsets=replace(group.offsets, lags=lags, rates=rates)),
        weighed=Measure(by=JudgeBy.WORK, horizon_min=horizon_ms / _MS_A_MINUTE),
    )


def _with_history(file: GroupFile, kept: HistoryJson | None, around: _Around) -> GroupFile:
    if kept is None:
        return file
    return file._replace(history=history_json.history_of(kept, around.sizes))


def _with_kind_group(file: GroupFile, kept: AsKindJson | None, around: _Around) -> GroupFile:
    if kept is None or kept.__struct_config__.tag != file.kind.value:
        return file
    return file._replace(as_kind=kind_json.kind_group_of(kept, around.budget))


_FIELDS: Final = (
    _Field(
        "subscription_type",
        lambda file: file.group.layout.subscription_type or None,
        _with_subscription_type,
    ),
    _Field(
        "known_to_leader",
        lambda file: file.group.layout.known_to_leader,
        _with_known_topics,
    ),
    _Field(
        "strategy",
        lambda file: file.strategy or None,
        lambda file, kept, _: file._replace(strategy=kept),
    ),
    _Field("horizon_ms", _horizon_ms, _as_weighed),
    _Field(
        "moves_share",
        lambda file: _if_unusual(file, file.group.load_settings.moves_permille / _THOUSAND),
        lambda file, kept, _: (
            file if kept is None else _with_settings(file, moves_permille=round(kept * _THOUSAND))
        ),
    ),
    _Field(
        "tolerance",
        lambda file: _if_unusual(file, file.group.load_settings.tolerance / _MILLION),
        lambda file, kept, _: (
            file if kept is None else _with_settings(file, tolerance=round(kept * _MILLION))
        ),
    ),
    _Field(
        "history",
        lambda file: (
            history_json.as_json(file.history)
            if file.history is not None and file.history.moments
            else None
        ),
        _with_history,
    ),
    _Field(
        "hosts",
        lambda file: _hosts(file.group, file.hosts) or None,
        lambda file, kept, _: file._replace(hosts=_hosts(file.group, kept or {})),
    ),
    _Field(
        "assumed",
        lambda file: assumed_json.as_json(file.assumed),
        lambda file, kept, _: file._replace(
            assumed=assumed_json.assumed_of(kept, file.group, file.strategy)
        ),
    ),
    _Field(
        "kind",
        lambda file: None if file.kind is GroupKind.CONSUMER else file.kind.value,
        lambda file, kept, _: file if kept is None else file._replace(kind=GroupKind(kept)),
    ),
    _Field(
        "as_kind",
        lambda file: None if file.as_kind is None else kind_json.as_json(file.as_kind),
        _with_kind_group,
    ),
    _Field(
        "state",
        lambda file: file.state or None,
        lambda file, kept, _: file._replace(state=kept or None),
    ),
    _Field(
        "rebalancing",
        lambda file: (
            None
            if file.rebalancing is None
            else rebalancing_json.as_json(file.rebalancing, file.group)
        ),
        lambda file, kept, _: (
            file
            if kept is None
            else file._replace(rebalancing=rebalancing_json.rebalancing_of(kept, file.group))
        ),
    ),
    _Field(
        "lacking",
        lambda file: file.lacking or None,
        lambda file, kept, _: (
            file if file.group.partition_count else file._replace(lacking=kept or "")
        ),
    ),
)
"""Every other field, in the order in which they are read."""


def _if_unusual(file: GroupFile, setting: float) -> float | None:
    return None if file.group.load_settings == USUAL else setting


def _hosts(group: Group, hosts: Mapping[str, str]) -> dict[str, str]:
    return {name: hosts[name] for name in group.members if name in hosts}
