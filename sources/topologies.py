"""A topology (``Topology#describe()``) that was pasted alone, for a Streams group read before."""

from collections.abc import Mapping
from dataclasses import replace

from assignors.kinds import GroupKind
from assignors.naming import assignment_of
from assignors.streams.application import ClassicSubtopology, StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from assignors.streams.changelogs import with_changelogs
from evaluation.kinds.forecast import KindGroup
from evaluation.reading import Reading
from sources.budget import LIMITS, Limits
from sources.errors import SourceError
from sources.pastes.kind_groups import application_of, streams_group_of
from sources.pastes.page import Page
from sources.pastes.topology import DescribedSubtopology, topology_in, topology_lines


def with_topology(reading: Reading, text: str, limits: Limits = LIMITS) -> Reading | None:
    """Return a Streams group with its topology; None if the text is none, or the group no such.

    It says which sub-topologies there are, what they read and which have stores; what a live group
    told of its tasks and their state stays. Raises SourceError for another application's.
    """
    if reading.kind not in {GroupKind.STREAMS, GroupKind.STREAMS_BROKER}:
        return None
    page = Page(text, limits)
    topology, lines = topology_in(page), topology_lines(page)
    used = {number for number, line in enumerate(page.lines) if line.strip()} <= lines
    if not topology or not used:
        return None
    found = _joined(reading, topology, limits)
    if found is None:
        message = (
            f"this topology is not that of {reading.name!r}, whose members run "
            f"{_seen(reading)}; paste what Topology#describe() of this application prints"
        )
        raise SourceError(message)
    return replace(reading, as_kind=found)


def _joined(
    reading: Reading, topology: Mapping[int, DescribedSubtopology], limits: Limits
) -> KindGroup | None:
    known, group = reading.as_kind, reading.group
    if isinstance(known, StreamsGroup):
        if {each.id for each in known.subtopologies} - set(topology):
            return None
        joined = streams_group_of(known.members, topology, limits)
        return None if joined is None else replace(joined, standbys=known.standbys)
    if isinstance(known, StreamsApplication):
        return _described(known, reading.name, topology)
    owned = assignment_of(group, group.present_owners)
    return application_of(
        reading.name,
        {member: list(partitions) for member, partitions in owned.items()},
        group.layout.client_ids,
        dict(zip(group.topics, group.topic_sizes.tolist(), strict=True)),
        topology,
    )


def _described(
    known: StreamsApplication, name: str, topology: Mapping[int, DescribedSubtopology]
) -> StreamsApplication | None:
    """Return the application with the sub-topologies described; None if its tasks contradict."""
    described = {
        number: ClassicSubtopology(
            number,
            sorted(
                topic
                for short in each.topics
                for topic in (short, f"{name}-{short}")
                if topic in known.topics
            ),
            is_stateful=bool(each.stores),
        )
        for number, each in topology.items()
    }
    for each in known.subtopologies:
        if each.id not in described or set(each.sources) - set(described[each.id].sources):
            return None
        described[each.id] = described[each.id]._replace(
            is_stateful=each.is_stateful or described[each.id].is_stateful
        )
    stores = {number: each.stores for number, each in topology.items()}
    return with_changelogs(replace(known, subtopologies=list(described.values())), name, stores)


def _seen(reading: Reading) -> str:
    known = reading.as_kind
    if isinstance(known, StreamsGroup | StreamsApplication):
        numbers = ", ".join(f"{each.id}" for each in known.subtopologies)
        return f"tasks of the sub-topologies {numbers}"
    return f"tasks of {', '.join(reading.group.topics[:3])}"
