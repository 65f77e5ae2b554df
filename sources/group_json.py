"""Group JSON: the file that users save, share and feed to the command line.

``{"id", "topics", "members", "lags", "offsets", ...}``; docs/formats.md shows a whole one.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import asdict

from assignors.kinds import GroupKind
from assignors.load_settings import USUAL, LoadSettings
from assignors.model import UNKNOWN, Group
from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic
from assignors.offsets import RESETS
from assignors.suggestions import nearest
from evaluation.assumed import NOTHING, Assumed
from evaluation.judging import JudgeBy, Measure
from evaluation.kinds.forecast import KindGroup
from evaluation.offset_history import OffsetHistory
from sources import assumed_json, history_json, json_errors, kind_json
from sources.assumed_json import AssumedJson
from sources.budget import Budget
from sources.errors import SourceError
from sources.history_json import HistoryJson
from sources.kind_json import AsKindJson, kind_group_of
from sources.reading import Reading, notes_on
from sources.repeated_keys import refuse_repeated_keys

FORMAT: Final = "group JSON"
_MS_A_MINUTE: Final = 60_000
_THOUSAND: Final = 1000
_MILLION: Final = 1_000_000

_WITHOUT_LOADS: Final = {"load-sticky": "cooperative-sticky", "load-sticky-eager": "sticky"}
"""What a leader that could read no load at all assigns by instead."""

_Lags = list[Annotated[int, Meta(ge=-(2**63) + 1, le=2**63 - 1)] | None]
_OffsetsOf = list[Annotated[int, Meta(ge=-(2**62), le=2**62)] | None]
_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Rate = Annotated[float, Meta(ge=-(10**15), le=10**15)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Milliseconds = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Generation = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]


class _Topic(Struct):
    partitions: _Count
    racks: list[list[str | None]] | None = None
    topic_id: str | None = None


class _Member(Struct):
    id: str
    instance_id: str | None = None
    rack: str | None = None
    topics: list[str] = []
    owned: list[tuple[str, int]] = []
    generation: _Generation | None = None
    throughput: _Rate | None = None
    client_id: str | None = None


class _Offsets(Struct):
    begin: _OffsetsOf | None = None
    end: _OffsetsOf | None = None
    committed: _OffsetsOf | None = None


class _Document(Struct):
    topics: dict[str, _Topic | _Count]
    members: list[_Member]
    id: str = ""
    strategy: str | None = None
    lags: dict[str, _Lags] = {}
    offsets: dict[str, _Offsets] = {}
    auto_offset_reset: str = "latest"
    subscription_type: str | None = None
    known_to_leader: list[str] | None = None
    rates: dict[str, list[_Rate | None]] = {}
    horizon_ms: _Milliseconds | None = None
    moves_share: _Share = USUAL.moves_permille / _THOUSAND
    tolerance: _Share = USUAL.tolerance / _MILLION
    history: HistoryJson | None = None
    hosts: dict[str, str] = {}
    kind: str = GroupKind.CONSUMER.value
    unknown_owners: dict[str, list[_Count]] = {}
    assumed: AssumedJson | None = None
    as_kind: AsKindJson | None = None


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


_DECODER = msgspec.json.Decoder(_Document)
_TOKEN: Final = re.compile(
    rb'"(?:[^"\\]|\\.)*"|(-?\d{1,20}(?:\.\d{1,20}(?:[eE][+-]?\d\d?)?|[eE][+-]?\d\d?)(?![\d.eE]))'
)
"""A string, or a number with a point or an exponent."""
_MOST_WHOLE: Final = 10**19


def decode(text: str | bytes, budget: Budget | None = None) -> GroupFile:
    """Read one group from the text of one JSON object; ignore unknown keys.

    A few characters can ask for any number of partitions, so they are counted against the budget
    first, by default a new one. Raises SourceError naming the field and what was
    found, e.g. ``topics.orders.partitions: expected an int >= 0, found -1``.
    """
    data = _in_utf_8(text)
    document = _document(data)
    refuse_repeated_keys(data)
    _refuse_unknown_names(document)
    topics = {name: _topic_of(document, name) for name in document.topics}
    budget = budget or Budget()
    budget.take_partitions({name: topic.partitions for name, topic in topics.items()})
    group = budget.group_of(
        topics,
        [Member(**asdict(member)) for member in document.members],
        id=document.id,
        auto_offset_reset=document.auto_offset_reset,
    )
    if document.subscription_type:
        group = replace(
            group, layout=replace(group.layout, subscription_type=document.subscription_type)
        )
    settings = LoadSettings(
        moves_permille=round(document.moves_share * _THOUSAND),
        tolerance=round(document.tolerance * _MILLION),
    )
    if settings != USUAL:
        group = replace(group, load_settings=settings)
    if document.known_to_leader is not None:
        group = replace(
            group, layout=replace(group.layout, known_to_leader=tuple(document.known_to_leader))
        )
    history = None
    if document.history is not None:
        sizes = {name: topic.partitions for name, topic in topics.items()}
        history = history_json.history_of(document.history, sizes)
    hosts = {name: document.hosts[name] for name in group.members if name in document.hosts}
    strategy, weighed = document.strategy, None
    if document.horizon_ms is not None:
        group, weighed = _as_weighed(group, document.horizon_ms)
        strategy = strategy if weighed else _WITHOUT_LOADS.get(strategy or "", strategy)
    assumed = assumed_json.assumed_of(document.assumed, group, strategy)
    kind = GroupKind(document.kind)
    as_kind = None
    if document.as_kind is not None and document.as_kind.__struct_config__.tag == kind.value:
        as_kind = kind_group_of(document.as_kind, budget)
    return GroupFile(group, strategy, history, hosts, weighed, kind, assumed, as_kind)


def reading_of(file: GroupFile) -> Reading:
    """Return the group with notes on how it was read, as every source does."""
    group, strategy, history, hosts, weighed, kind, assumed, as_kind = file
    return Reading(
        group=group,
        format=FORMAT,
        rows=group.partition_count,
        notes=tuple(notes_on(group)),
        strategy=strategy,
        history=history,
        hosts=hosts,
        weighed=weighed,
        kind=kind,
        assumed=assumed,
        as_kind=as_kind,
    )


def _as_weighed(group: Group, horizon_ms: int) -> tuple[Group, Measure | None]:
    """Return a group as its leader saw it, and what that leader weighed.

    To a leader that adds what arrived, a load is unknown if either part is. One that could read no
    load at all weighed nothing.
    """
    none = np.full(group.partition_count, np.nan)
    arriving = none if group.offsets.rates is None else group.offsets.rates
    is_known = group.is_lag_known & (np.isfinite(arriving) | (horizon_ms == 0))
    if not is_known.any():
        return group, None
    if not horizon_ms:
        return group, Measure(by=JudgeBy.LAG)
    lags = np.where(is_known, group.lags, UNKNOWN)
    rates = np.where(is_known, arriving, np.nan)
    measure = Measure(by=JudgeBy.WORK, horizon_min=horizon_ms / _MS_A_MINUTE)
    return replace(group, offsets=replace(group.offsets, lags=lags, rates=rates)), measure


def file_of(reading: Reading, group: Group) -> GroupFile:
    """Return a group, the reading's own or an edited one, with what the reading knows besides."""
    return GroupFile(
        group,
        reading.strategy,
        reading.history,
        reading.hosts,
        reading.weighed,
        reading.kind,
        reading.assumed,
        reading.as_kind if group is reading.group else None,
    )


def encode(file: GroupFile | Group, *, is_brief: bool = False) -> bytes:
    """Return the group as the text of one JSON object, on one line.

    ``is_brief`` keeps of the history only the two snapshots that give the present rates.
    """
    return msgspec.json.encode(as_json(file, is_brief=is_brief))


def as_json(file: GroupFile | Group, *, is_brief: bool = False) -> dict[str, object]:
    """Return the group as plain dictionaries and lists, to write or to extend."""
    group, strategy, history, hosts, weighed, kind, assumed, as_kind = (
        file if isinstance(file, GroupFile) else GroupFile(file)
    )
    topics = topic_records(group)
    document: dict[str, object] = {
        "id": group.id,
        "topics": {
            name: _without_unknown(
                {"partitions": topic.partitions, "racks": topic.racks, "topic_id": topic.topic_id},
                {"racks", "topic_id"},
            )
            for name, topic in topics.items()
        },
        "members": [
            _without_unknown(member._asdict(), {"throughput", "client_id"})
            for member in member_records(group)
        ],
        "lags": {
            name: topic.lags or [None] * topic.partitions
            for name, topic in topics.items()
            if topic.partitions
        },
        "offsets": {
            name: {"begin": topic.begin, "end": topic.end, "committed": topic.committed}
            for name, topic in topics.items()
            if topic.begin or topic.end or topic.committed
        },
        "auto_offset_reset": group.offsets.reset,
        "subscription_type": group.layout.subscription_type,
        "known_to_leader": group.layout.known_to_leader,
        "rates": {name: topic.rates for name, topic in topics.items() if topic.rates},
        "strategy": strategy,
        "horizon_ms": _horizon_ms(weighed),
        **_load_settings(group.load_settings),
        "history": _history(history, is_brief=is_brief),
        "hosts": {name: hosts[name] for name in group.members if name in hosts},
        "unknown_owners": {
            name: np.flatnonzero(topic.owner_unknown).tolist()
            for name, topic in topics.items()
            if topic.owner_unknown
        },
        "assumed": msgspec.to_builtins(assumed_json.as_json(assumed)),
    }
    if kind is not GroupKind.CONSUMER:
        document["kind"] = kind.value
    if as_kind is not None:
        document["as_kind"] = msgspec.to_builtins(kind_json.as_json(as_kind))
    optional = {"offsets", "rates", "subscription_type", "strategy", "history", "hosts"}
    optional |= {"unknown_owners", "assumed"}
    known = {name: value for name, value in document.items() if value or name not in optional}
    return _without_unknown(known, {"known_to_leader", "horizon_ms"})


def _horizon_ms(weighed: Measure | None) -> int | None:
    if weighed is None:
        return None
    return round(weighed.horizon_min * _MS_A_MINUTE) if weighed.by is JudgeBy.WORK else 0


def _load_settings(settings: LoadSettings) -> dict[str, float]:
    if settings == USUAL:
        return {}
    return {
        "moves_share": settings.moves_permille / _THOUSAND,
        "tolerance": settings.tolerance / _MILLION,
    }


def _history(history: OffsetHistory | None, *, is_brief: bool) -> object:
    if history is None or not history.moments:
        return None
    return msgspec.to_builtins(history_json.as_json(history, is_brief=is_brief))


def _without_unknown(record: dict[str, object], optional: Collection[str]) -> dict[str, object]:
    return {n: value for n, value in record.items() if value is not None or n not in optional}


def _topic_of(document: _Document, name: str) -> Topic:
    topic = document.topics[name]
    offsets = document.offsets.get(name, _Offsets())
    described = _Topic(topic) if isinstance(topic, int) else topic
    racks = described.racks
    return Topic(
        partitions=described.partitions,
        racks=None
        if racks is None
        else [[name for name in row if name is not None] for row in racks],
        lags=document.lags.get(name),
        rates=document.rates.get(name),
        topic_id=described.topic_id,
        owner_unknown=_owner_unknown(document, name, described.partitions),
        **asdict(offsets),
    )


def _owner_unknown(document: _Document, name: str, partitions: int) -> list[bool] | None:
    if name not in document.unknown_owners:
        return None
    numbers = set(document.unknown_owners[name])
    return [number in numbers for number in range(partitions)]


def _in_utf_8(text: str | bytes) -> bytes:
    if isinstance(text, str):
        return text.encode(errors="replace")
    try:
        text.decode()
    except UnicodeDecodeError as error:
        position = json_errors.position_of(text, error.start)
        message = f"this is not valid JSON: not UTF-8 text at {position}; save it as UTF-8"
        raise SourceError(message) from error
    return text


def _document(data: bytes) -> _Document:
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
        msgspec.convert({"topics": {}, "members": []} | document, _Document)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def _refuse_unknown_names(document: _Document) -> None:
    reset = document.auto_offset_reset
    if reset not in RESETS:
        message = f"auto_offset_reset: found {reset!r}; {nearest(reset, RESETS)}"
        raise SourceError(message)
    kinds = [kind.value for kind in GroupKind]
    if document.kind not in kinds:
        message = f"kind: found {document.kind!r}; {nearest(document.kind, kinds)}"
        raise SourceError(message)
    for field in ("lags", "offsets", "rates", "unknown_owners"):
        for name in getattr(document, field):
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
