"""Convert one group, as read from a cluster, to rows of telemetry."""

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter

import pyarrow as pa

from live.model import GroupReading, Member, Topic
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

SCHEMA = arrow_schema(TELEMETRY)
_OF_MEMBER = {
    "member_id": "id",
    "client_id": "client_id",
    "host": "host",
    "group_instance_id": "instance_id",
    "rack": "rack",
}


def telemetry_rows(cluster: str, snapshot_at: datetime, group: GroupReading) -> pa.RecordBatch:
    """Return one row for each partition of the group's topics, and for each idle member.

    Describing groups in bulk leaves out subscriptions. A member without a known subscription is
    taken to subscribe to every topic of which the group owns a partition: members of a group
    nearly always subscribe alike, and topics without an owner are left over from earlier
    deployments. ``auto_offset_reset`` is a client setting and stays unknown.
    """
    members = group.description.members
    owner = {place: m for m in members for place in m.owned}
    places = [(topic, p) for topic in group.topics.values() for p in range(topic.partitions)]
    idle = [m for m in members if not m.owned]
    owners = [owner.get((topic.name, p)) for topic, p in places] + idle
    owned_topics = sorted({name for name, _ in owner}) or None

    def subscribed(member: Member) -> list[str] | None:
        return owned_topics if member.subscription is None else list(member.subscription)

    def of_each(value: Callable[[Topic, int], object]) -> list[object]:
        return [*(value(topic, p) for topic, p in places), *([None] * len(idle))]

    def of_owner(value: Callable[[Member], object]) -> list[object]:
        return [None if m is None else value(m) for m in owners]

    columns = {
        "cluster": [cluster] * len(owners),
        "group_id": [group.id] * len(owners),
        "snapshot_at": [snapshot_at] * len(owners),
        "topic": of_each(lambda topic, _: topic.name),
        "partition": of_each(lambda _, p: p),
        "log_start_offset": of_each(lambda topic, p: topic.begin[p]),
        "log_end_offset": of_each(lambda topic, p: topic.end[p]),
        "committed_offset": of_each(lambda topic, p: group.committed.get((topic.name, p))),
        **{name: of_owner(attrgetter(field)) for name, field in _OF_MEMBER.items()},
        "auto_offset_reset": [None] * len(owners),
        "subscribed_topics": of_owner(subscribed),
    }
    return pa.RecordBatch.from_pydict(columns, SCHEMA)
