"""Records with names -> the ``Group`` of arrays."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from assignors.claims import Claims
from assignors.java import strings
from assignors.layout import Layout, RackPlaces, SubscriptionClasses
from assignors.model import (
    NO_GENERATION,
    NO_RACK,
    UNKNOWN,
    BoolArray,
    FloatArray,
    Group,
    InvalidGroupError,
    LongArray,
)
from assignors.offsets import Offsets, lag_from_offsets, waiting

_TOPIC_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class Topic(NamedTuple):
    """One topic by name; each list has one entry per partition, None where unknown."""

    partitions: int
    racks: Sequence[Sequence[str]] | None = None
    lags: Sequence[int | None] | None = None
    begin: Sequence[int | None] | None = None
    end: Sequence[int | None] | None = None
    committed: Sequence[int | None] | None = None
    rates: Sequence[float | None] | None = None
    owner_unknown: Sequence[bool] | None = None
    """Whether each may have an owner that the source does not give; None if none may."""
    topic_id: str | None = None
    """As Kafka's tools print it."""


class Member(NamedTuple):
    """One member by name as it joins the group."""

    id: str
    topics: Sequence[str] = ()
    instance_id: str | None = None
    rack: str | None = None
    owned: Sequence[tuple[str, int]] = ()
    generation: int | None = None
    throughput: float | None = None
    client_id: str | None = None


def group_of(
    topics: Mapping[str, Topic],
    members: Sequence[Member],
    *,
    id: str = "",  # noqa: A002 -- the field is named so in every Kafka tool
    auto_offset_reset: str = "latest",
) -> Group:
    """Return the group of these records, with topics and members numbered.

    A subscribed topic that is not in ``topics`` counts as one without partitions. Claims on
    partitions that do not exist are kept apart, as ``vanished``. Lags default to those that
    follow from the offsets. A member's empty rack or instance id means none; a broker's empty rack
    is one.

    Raises InvalidGroupError for a repeated member id, a negative partition count, or a list whose
    length is not the partition count.
    """
    _refuse_repeats(members)
    names = list(dict.fromkeys([*topics, *(name for m in members for name in m.topics)]))
    names = [names[t] for t in strings.string_order(names)]
    records = [topics.get(name, Topic(0)) for name in names]
    for name, topic in zip(names, records, strict=True):
        _refuse_wrong_topic(name, topic)
    order = strings.string_order([member.id for member in members])
    sorted_members = [members[m] for m in order]
    sizes = {name: topic.partitions for name, topic in zip(names, records, strict=True)}
    layout = _layout(sizes, records, members, order)
    return Group(
        id=id,
        layout=layout,
        claims=_claims(layout, sizes, sorted_members, _owner_unknown(records)),
        offsets=_offsets(layout, records, sorted_members, auto_offset_reset),
    )


def _layout(
    sizes: Mapping[str, int],
    records: Sequence[Topic],
    members: Sequence[Member],
    order: Sequence[int],
) -> Layout:
    """Return the layout of topics in their order, and of members, whose order is given."""
    number = {name: t for t, name in enumerate(sizes)}
    sorted_members = [members[m] for m in order]
    racks = _rack_names(sorted_members, records)
    return Layout.of(
        list(sizes),
        np.array([*sizes.values()], np.int64),
        [member.id for member in sorted_members],
        subscriptions=SubscriptionClasses(
            *_classes(sorted_members, number),
            leader_topics=members[0].topics if members else (),
            lists_alike=are_alike(members, {name for name in sizes if sizes[name]}),
        ),
        racks=RackPlaces(
            list(racks),
            [racks[member.rack] if member.rack else NO_RACK for member in sorted_members],
            _replica_racks(records, racks),
        ),
        arrival=np.argsort(order),
        instance_ids=[member.instance_id or None for member in sorted_members],
        topic_ids=[t.topic_id for t in records] if any(t.topic_id for t in records) else (),
        client_ids={m.id: m.client_id for m in sorted_members if m.client_id},
    )


def _claims(
    layout: Layout,
    sizes: Mapping[str, int],
    members: Sequence[Member],
    is_owner_unknown: Sequence[bool] | None,
) -> Claims:
    """Return what the members, in their order, say that they own."""
    starts = dict(zip(sizes, layout.topic_starts.tolist(), strict=False))
    return Claims.of(
        layout,
        rows=[
            [
                starts[name] + partition
                for name, partition in member.owned
                if 0 <= partition < sizes.get(name, 0)
            ]
            for member in members
        ],
        vanished=[
            (member.id, name, partition)
            for member in members
            for name, partition in member.owned
            if not 0 <= partition < sizes.get(name, 0)
        ],
        generations=[
            NO_GENERATION if member.generation is None else member.generation for member in members
        ],
        is_owner_unknown=is_owner_unknown,
    )


def are_alike(members: Sequence[Member], partitioned: Container[str]) -> bool:
    """Return whether all members list the same topics with partitions in the same order."""
    return len({tuple(t for t in member.topics if t in partitioned) for member in members}) <= 1


def _refuse_repeats(members: Sequence[Member]) -> None:
    for name, times in Counter(member.id for member in members).items():
        if times > 1:
            message = f"member {name!r} is repeated; give each member its own id"
            raise InvalidGroupError(message)


def _refuse_wrong_topic(name: str, topic: Topic) -> None:
    if topic.partitions < 0:
        message = f"topic {name!r} has {topic.partitions} partitions; give 0 or more"
        raise InvalidGroupError(message)
    if topic.topic_id is not None and not _TOPIC_ID.fullmatch(topic.topic_id):
        message = (
            f"topic {name!r} has the id {topic.topic_id[:30]!r}; give 22 letters, digits, - and _, "
            "as kafka-topics --describe prints TopicId"
        )
        raise InvalidGroupError(message)
    for field in Topic._fields[1:-1]:
        values = getattr(topic, field)
        if values is not None and len(values) != topic.partitions:
            message = (
                f"topic {name!r} lists {len(values)} {field} for {topic.partitions} partitions; "
                "give one per partition, null where unknown"
            )
            raise InvalidGroupError(message)


def _classes(
    members: Iterable[Member], number: Mapping[str, int]
) -> tuple[list[int], list[list[int]]]:
    """Return the class of each member, and the topics of each class, repeated as listed."""
    classes: dict[tuple[int, ...], int] = {}
    seen: dict[tuple[str, ...], int] = {}
    class_of_member = []
    for member in members:
        as_written = tuple(member.topics)
        if as_written not in seen:
            wanted = tuple(sorted(number[name] for name in as_written))
            seen[as_written] = classes.setdefault(wanted, len(classes))
        class_of_member.append(seen[as_written])
    return class_of_member, [list(wanted) for wanted in classes]


def _rack_names(members: Iterable[Member], topics: Iterable[Topic]) -> dict[str, int]:
    names = {member.rack for member in members if member.rack}
    for topic in topics:
        for racks in topic.racks or ():
            names.update(name for name in racks if name is not None)
    return {name: r for r, name in enumerate(sorted(names))}


def _replica_racks(topics: Sequence[Topic], racks: Mapping[str, int]) -> BoolArray:
    is_in_rack = np.zeros((sum(topic.partitions for topic in topics), len(racks)), np.bool_)
    first = 0
    for topic in topics:
        for p, names in enumerate(topic.racks or ()):
            is_in_rack[first + p, [racks[name] for name in names if name is not None]] = True
        first += topic.partitions
    return is_in_rack


def _column(topics: Sequence[Topic], field: str) -> LongArray | None:
    if all(getattr(topic, field) is None for topic in topics):
        return None
    return np.array(
        [
            UNKNOWN if value is None else value
            for topic in topics
            for value in getattr(topic, field) or [None] * topic.partitions
        ],
        np.int64,
    )


def _owner_unknown(topics: Sequence[Topic]) -> list[bool] | None:
    if all(topic.owner_unknown is None for topic in topics):
        return None
    return [
        is_unknown
        for topic in topics
        for is_unknown in topic.owner_unknown or [False] * topic.partitions
    ]


def _offsets(
    layout: Layout, topics: Sequence[Topic], members: Sequence[Member], auto_offset_reset: str
) -> Offsets:
    columns = {field: _column(topics, field) for field in ("begin", "end", "committed")}
    return Offsets.of(
        layout,
        lags=_lags(topics, columns, auto_offset_reset),
        **columns,
        reset=auto_offset_reset,
        rates=_floats([value for t in topics for value in t.rates or [None] * t.partitions]),
        throughput=_floats([member.throughput for member in members]),
    )


def _lags(
    topics: Sequence[Topic], offsets: Mapping[str, LongArray | None], auto_offset_reset: str
) -> LongArray:
    listed = _column(topics, "lags")
    counts = [topic.partitions for topic in topics]
    unknown = np.full(sum(counts), UNKNOWN, np.int64)
    begin, end, committed = (
        unknown if column is None else column
        for column in (offsets["begin"], offsets["end"], offsets["committed"])
    )
    followed = lag_from_offsets(begin, end, committed, auto_offset_reset)
    is_listed = np.repeat([topic.lags is not None for topic in topics], counts)
    lags = followed if listed is None else np.where(is_listed, listed, followed)
    return waiting(lags, begin, end)


def _floats(values: Sequence[float | None]) -> FloatArray | None:
    if all(value is None for value in values):
        return None
    return np.array([np.nan if value is None else value for value in values], np.float64)
