"""The ``Group`` of arrays -> records with names."""

import numpy as np

from assignors.model import NO_GENERATION, NO_RACK, UNKNOWN, FloatArray, Group, LongArray, Owners
from assignors.numbering import Member, Topic, are_alike


def topic_records(group: Group) -> dict[str, Topic]:
    """Return the group's topics as records, in Java's string order of their names."""
    columns = {
        "lags": _listed(group.lags),
        "begin": _listed(group.offsets.begin),
        "end": _listed(group.offsets.end),
        "committed": _listed(group.offsets.committed),
        "rates": _listed(group.offsets.rates),
    }
    known = {field: values for field, values in columns.items() if values is not None}
    racks = [
        [group.layout.racks[r] for r in np.flatnonzero(row)] for row in group.layout.replica_racks
    ]
    topics = {}
    for t, name in enumerate(group.topics):
        cut = group.topic_span(t)
        topics[name] = Topic(
            partitions=cut.stop - cut.start,
            racks=racks[cut] if any(racks[cut]) else None,
            topic_id=group.layout.topic_ids[t] if group.layout.topic_ids else None,
            owner_unknown=group.is_owner_unknown[cut].tolist()
            if group.is_owner_unknown[cut].any()
            else None,
            **{field: values[cut] for field, values in known.items()},
        )
    return topics


def member_records(group: Group) -> list[Member]:
    """Return the group's members as records, in the order in which they were given."""
    topic, number = group.topic_of_partition.tolist(), group.number_in_topic.tolist()
    throughput = _listed(group.offsets.throughput)
    vanished: dict[str, list[tuple[str, int]]] = {}
    for name, of_topic, partition in group.claims.vanished:
        vanished.setdefault(name, []).append((of_topic, partition))
    order = {name: place for place, name in enumerate(group.layout.leader_topics)}
    members: list[Member] = []
    for m in group.layout.arrival.tolist():
        own_class = int(group.layout.class_of_member[m])
        wanted = slice(
            int(group.layout.class_starts[own_class]), int(group.layout.class_starts[own_class + 1])
        )
        topics = [group.topics[t] for t in group.layout.class_topics[wanted]]
        if not members or group.layout.lists_alike:
            topics.sort(key=lambda name: order.get(name, len(order)))
        claimed = slice(int(group.claims.starts[m]), int(group.claims.starts[m + 1]))
        rack = int(group.layout.member_racks[m])
        generation = int(group.claims.generations[m])
        members.append(
            Member(
                id=group.members[m],
                topics=topics,
                instance_id=group.layout.instance_ids[m],
                rack=None if rack == NO_RACK else group.layout.racks[rack],
                owned=[
                    (group.topics[topic[p]], number[p]) for p in group.claims.partitions[claimed]
                ]
                + vanished.get(group.members[m], []),
                generation=None if generation == NO_GENERATION else generation,
                throughput=None if throughput is None else throughput[m],
                client_id=group.layout.client_ids.get(group.members[m]),
            )
        )
    if not group.layout.lists_alike:
        partitioned = {group.topics[t] for t in np.flatnonzero(group.topic_sizes)}
        if are_alike(members, partitioned):  # that the lists differ is known, but not how
            members[1:] = [m._replace(topics=m.topics[::-1]) for m in members[1:]]
    return members


def assignment_of(group: Group, owners: Owners) -> dict[str, list[tuple[str, int]]]:
    """Return every member's partitions by topic and number, in that order."""
    topic, number = group.topic_of_partition.tolist(), group.number_in_topic.tolist()
    owned: dict[str, list[tuple[str, int]]] = {member: [] for member in group.members}
    for partition, owner in enumerate(owners.tolist()):
        if owner >= 0:
            owned[group.members[owner]].append((group.topics[topic[partition]], number[partition]))
    return owned


def _listed(values: LongArray | FloatArray | None) -> list[int | None] | None:
    """Return the values with None where unknown; None if all are."""
    if values is None:
        return None
    is_unknown = np.isnan(values) if values.dtype.kind == "f" else values == UNKNOWN
    if is_unknown.all():
        return None
    return [
        None if unknown else value
        for value, unknown in zip(values.tolist(), is_unknown.tolist(), strict=True)
    ]
