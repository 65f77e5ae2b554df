"""Convert one group of a cluster to rows of telemetry."""

from datetime import datetime
from typing import Final

import pyarrow as pa

from assignors.kinds import kind_described
from live.model import GroupReading
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

SCHEMA = arrow_schema(TELEMETRY)
_OF_MEMBER: Final = {
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
    owner = {named: m for m in members for named in m.owned}
    partitions = [(topic, p) for topic in group.topics.values() for p in range(topic.partitions)]
    idle = [m for m in members if not m.owned]
    owners = [owner.get((topic.name, p)) for topic, p in partitions] + idle
    owned_topics = sorted({name for name, _ in owner}) or None
    same = {"cluster": cluster, "group_id": group.id, "snapshot_at": snapshot_at}
    columns: dict[str, list[object]] = {name: [value] * len(owners) for name, value in same.items()}
    columns["auto_offset_reset"] = [None] * len(owners)
    columns["ownership"] = [None] * len(owners)
    kind = kind_described(group.description, has_commits=bool(group.committed))
    columns["kind"] = [kind.value] * len(owners)
    of_partitions: dict[str, list[object]] = {
        "topic": [topic.name for topic, _ in partitions],
        "partition": [p for _, p in partitions],
        "log_start_offset": [topic.begin[p] for topic, p in partitions],
        "log_end_offset": [topic.end[p] for topic, p in partitions],
        "committed_offset": [group.committed.get((topic.name, p)) for topic, p in partitions],
    }
    columns |= {name: values + [None] * len(idle) for name, values in of_partitions.items()}
    for name, field in _OF_MEMBER.items():
        columns[name] = [None if m is None else getattr(m, field) for m in owners]
    columns["subscribed_topics"] = [
        None if m is None else owned_topics if m.subscription is None else list(m.subscription)
        for m in owners
    ]
    return pa.RecordBatch.from_pydict(columns, SCHEMA)
