"""Group JSON: the file that users save, share and feed to the command line.

``{"id", "topics", "members", "lags", "offsets", ...}``; the README shows a whole one.
"""

from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from assignors.model import Group, InvalidGroupError
from assignors.numbering import Member, Topic, group_of, members_of, topics_of
from sources.errors import SourceError

_Numbers = list[Annotated[int, Meta(ge=-(2**63) + 1, le=2**63 - 1)] | None]
_Count = Annotated[int, Meta(ge=0, le=10_000_000)]


class _Topic(Struct):
    partitions: _Count
    racks: list[list[str | None]] | None = None


class _Member(Struct):
    id: str
    instance_id: str | None = None
    rack: str | None = None
    topics: list[str] = []
    owned: list[tuple[str, int]] = []
    generation: int | None = None
    throughput: float | None = None


class _Offsets(Struct):
    begin: _Numbers | None = None
    end: _Numbers | None = None
    committed: _Numbers | None = None


class _Document(Struct):
    topics: dict[str, _Topic | _Count]
    members: list[_Member]
    id: str = ""
    strategy: str | None = None
    lags: dict[str, _Numbers] = {}
    offsets: dict[str, _Offsets] = {}
    auto_offset_reset: Literal["latest", "earliest", "none"] = "latest"
    rates: dict[str, list[float | None]] = {}


class GroupFile(NamedTuple):
    """A group as its file describes it, with the strategy the file asks for, if any."""

    group: Group
    strategy: str | None = None


_DECODER = msgspec.json.Decoder(_Document)


def decode(text: str | bytes) -> GroupFile:
    """Read one group from the text of one JSON object; keys it does not know are passed over.

    Raises SourceError naming the field, e.g. ``members[2].id: expected `str`, got `int```.
    """
    try:
        document = _DECODER.decode(text)
    except msgspec.ValidationError as error:
        raise SourceError(_sentence(str(error))) from error
    except msgspec.DecodeError as error:
        message = f"this is not valid JSON: {error}"
        raise SourceError(message) from error
    _refuse_strangers(document)
    try:
        group = group_of(
            {name: _topic_of(document, name) for name in document.topics},
            [_member_of(member) for member in document.members],
            id=document.id,
            auto_offset_reset=document.auto_offset_reset,
        )
    except InvalidGroupError as error:
        raise SourceError(str(error)) from error
    return GroupFile(group, document.strategy)


def encode(group: Group, strategy: str | None = None) -> bytes:
    """Return the group as the text of one JSON object, on one line."""
    return msgspec.json.encode(as_json(group, strategy))


def as_json(group: Group, strategy: str | None = None) -> dict[str, object]:
    """Return the group as plain dictionaries and lists, to write or to extend."""
    topics = topics_of(group)
    found: dict[str, object] = {
        "id": group.id,
        "topics": {
            name: {"partitions": topic.partitions} | ({"racks": topic.racks} if topic.racks else {})
            for name, topic in topics.items()
        },
        "members": [_written(member) for member in members_of(group)],
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
        "auto_offset_reset": group.auto_offset_reset,
        "rates": {name: topic.rates for name, topic in topics.items() if topic.rates},
    }
    for optional in ("offsets", "rates"):
        if not found[optional]:
            del found[optional]
    return found | ({"strategy": strategy} if strategy else {})


def _written(member: Member) -> dict[str, object]:
    record = member._asdict()
    if member.throughput is None:
        del record["throughput"]
    return record


def _topic_of(document: _Document, name: str) -> Topic:
    topic = document.topics[name]
    offsets = document.offsets.get(name, _Offsets())
    described = _Topic(topic) if isinstance(topic, int) else topic
    racks = described.racks
    return Topic(
        partitions=described.partitions,
        racks=None if racks is None else [[name or "" for name in names] for names in racks],
        lags=document.lags.get(name),
        begin=offsets.begin,
        end=offsets.end,
        committed=offsets.committed,
        rates=document.rates.get(name),
    )


def _member_of(member: _Member) -> Member:
    return Member(
        id=member.id,
        topics=member.topics,
        instance_id=member.instance_id,
        rack=member.rack,
        owned=member.owned,
        generation=member.generation,
        throughput=member.throughput,
    )


def _refuse_strangers(document: _Document) -> None:
    for field in ("lags", "offsets", "rates"):
        for name in getattr(document, field):
            if name not in document.topics:
                message = (
                    f"{field}.{name}: topics has no {name!r}; add it there with its partitions"
                )
                raise SourceError(message)


def _sentence(message: str) -> str:
    """Put the place first and leave out the decoder's root sign."""
    what, _, place = message.partition(" - at ")
    place = place.strip("`").removeprefix("$").removeprefix(".")
    return f"{place}: {what[0].lower()}{what[1:]}" if place else what
