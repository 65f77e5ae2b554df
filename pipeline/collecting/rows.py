"""Convert one group, as read from a cluster, to rows of telemetry."""

from datetime import datetime
from itertools import repeat

import pyarrow as pa

from live.model import GroupReading, Member, Topic
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

SCHEMA = arrow_schema(TELEMETRY)


def telemetry_rows(cluster: str, snapshot_at: datetime, group: GroupReading) -> pa.RecordBatch:
    """Return one row for each partition of the group's topics, and for each idle member.

    Describing groups in bulk leaves out subscriptions. A member without a known subscription is
    taken to subscribe to every topic of which the group owns a partition: members of a group
    nearly always subscribe alike, and topics without an owner are left over from earlier
    deployments. ``auto_offset_reset`` is a client setting and stays unknown.
    """
    owner = {place: m for m in group.description.members for place in m.owned}
    places = [(topic, p) for topic in group.topics.values() for p in range(topic.partitions)]
    idle = [m for m in group.description.members if not m.owned]
    owners = [owner.get((topic.name, p)) for topic, p in places] + idle
    columns: dict[str, list[object]] = {
        **_partitions(group, places, len(idle)),
        **_owners(owners, sorted({name for name, _ in owner})),
    }
    given = {
        "cluster": list(repeat(cluster, len(owners))),
        "group_id": list(repeat(group.id, len(owners))),
        "snapshot_at": list(repeat(snapshot_at, len(owners))),
        "auto_offset_reset": list(repeat(None, len(owners))),
    } | columns
    return pa.RecordBatch.from_pydict({name: given[name] for name in SCHEMA.names}, SCHEMA)


def _partitions(
    group: GroupReading, places: list[tuple[Topic, int]], idle: int
) -> dict[str, list[object]]:
    """Return the columns of each partition, null for the idle members after them."""
    nothing = [None] * idle
    return {
        "topic": [*(topic.name for topic, _ in places), *nothing],
        "partition": [*(p for _, p in places), *nothing],
        "log_start_offset": [*(topic.begin[p] for topic, p in places), *nothing],
        "log_end_offset": [*(topic.end[p] for topic, p in places), *nothing],
        "committed_offset": [*(group.committed.get((t.name, p)) for t, p in places), *nothing],
    }


def _owners(owners: list[Member | None], owned_topics: list[str]) -> dict[str, list[object]]:
    return {
        "member_id": [None if m is None else m.id for m in owners],
        "client_id": [None if m is None else m.client_id for m in owners],
        "host": [None if m is None else m.host for m in owners],
        "group_instance_id": [None if m is None else m.instance_id for m in owners],
        "rack": [None if m is None else m.rack for m in owners],
        "subscribed_topics": [None if m is None else _subscribed(m, owned_topics) for m in owners],
    }


def _subscribed(member: Member, owned_topics: list[str]) -> list[str] | None:
    if member.subscription is not None:
        return list(member.subscription)
    return owned_topics or None
