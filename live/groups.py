"""The groups of a cluster and their members."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

from confluent_kafka import ConsumerGroupState, ConsumerGroupType, KafkaException, Node
from confluent_kafka.admin import (
    ConsumerGroupDescription,
    ConsumerGroupListing,
    MemberAssignment,
    MemberDescription,
)

from live.cluster import Cluster
from live.errors import LiveError
from live.model import GroupDescription, GroupList, GroupListing, LiveMember, NamedPartition
from live.subscriptions import Subscription, decoded

_STATES: Final = {
    ConsumerGroupState.PREPARING_REBALANCING: "PreparingRebalance",
    ConsumerGroupState.COMPLETING_REBALANCING: "CompletingRebalance",
    ConsumerGroupState.STABLE: "Stable",
    ConsumerGroupState.DEAD: "Dead",
    ConsumerGroupState.EMPTY: "Empty",
}
_PROTOCOLS: Final = {
    ConsumerGroupType.CLASSIC: "classic",
    ConsumerGroupType.CONSUMER: "consumer",
}
WORKERS: Final = "connect"
"""The protocol type of the workers of a Connect cluster."""
STREAMS: Final = "stream"
"""What the coordinator calls the assignor of a Streams application."""
_WITH_SUBSCRIPTIONS: Final = frozenset({"Stable", "CompletingRebalance"})
"""In other states the coordinator omits the subscriptions of members of classic groups."""


def list_groups(cluster: Cluster) -> GroupList:
    """Return the consumer groups that the user may see, sorted by name.

    Share and streams groups are not consumer groups and are not listed.
    """
    future = cluster.admin.list_consumer_groups(
        request_timeout=cluster.read_options.client_timeout_s
    )
    listed = cluster.response(future, "the list of groups")
    errors = [
        cluster.error(error.args[0] if isinstance(error, KafkaException) else error, "a broker")
        for error in listed.errors
    ]
    if errors and not listed.valid:
        raise errors[0]
    groups = sorted((_listing(each) for each in listed.valid), key=lambda group: group.id)
    return GroupList(tuple(groups), tuple(dict.fromkeys(map(str, errors))))


def groups_like(cluster: Cluster, wanted: Sequence[str]) -> list[str] | None:
    """Return the groups of these names or patterns, such as ``orders-*``; None for all."""
    if not any(sign in name for name in wanted for sign in "*?["):
        return list(wanted) or None
    listed = [group.id for group in list_groups(cluster).groups]
    return [name for name in listed if any(fnmatchcase(name, pattern) for pattern in wanted)]


def list_all_groups(cluster: Cluster) -> GroupList:
    """Return the groups of every kind that the user may see, with what tells their kinds.

    The older request, which brokers answer with the members of classic groups, lists Connect's
    workers, share and streams groups as well; where it fails, the others are listed without.
    """
    found = list_groups(cluster)
    try:
        listed = cluster.admin.list_groups(timeout=cluster.read_options.timeout_s)
    except KafkaException:
        return found
    known = {group.id: group for group in found.groups}
    for each in listed:
        name = each.id or ""
        listing = known.get(name) or GroupListing(name, each.state or "Unknown", "unknown")
        known[name] = replace(
            listing,
            protocol_type=each.protocol_type or "",
            assignor=each.protocol or "",
            client_ids=tuple(member.client_id or "" for member in each.members),
        )
    return replace(found, groups=tuple(known[name] for name in sorted(known)))


def describe_groups(
    cluster: Cluster, ids: Iterable[str]
) -> dict[str, GroupDescription | LiveError]:
    """Return each group's description, or why there is none; one request per coordinator.

    A group that does not exist is described too, as Dead and empty. Subscriptions stay
    unknown; ``with_subscriptions`` reads them for one group.
    """
    futures = cluster.admin.describe_consumer_groups(
        list(dict.fromkeys(ids)), request_timeout=cluster.read_options.client_timeout_s
    )
    return cluster.responses(futures, lambda name: f"the group {name!r}", _description)


def is_listed(cluster: Cluster, group_id: str) -> bool:
    """Return whether brokers list a group, of whatever kind.

    The older request lists share and streams groups too, which the newer ones of librdkafka leave
    out or describe as Dead.
    """
    try:
        listed = cluster.admin.list_groups(timeout=cluster.read_options.timeout_s)
    except KafkaException:
        return False
    return any(each.id == group_id for each in listed)


def workers_of(cluster: Cluster, group_id: str) -> GroupDescription | None:
    """Return the group of a Connect cluster's workers, which only the older request describes."""
    listed = cluster.admin.list_groups(group_id, timeout=cluster.read_options.timeout_s)
    found = next((each for each in listed if each.protocol_type == WORKERS), None)
    if found is None:
        return None
    return GroupDescription(
        id=group_id,
        state=found.state or "Unknown",
        protocol=WORKERS,
        assignor=found.protocol or "",
        members=tuple(
            LiveMember(
                id=each.id or "",
                client_id=each.client_id or "",
                host=(each.client_host or "").removeprefix("/"),
                metadata=each.metadata or b"",
                assignment=each.assignment or b"",
            )
            for each in found.members
        ),
    )


def with_bytes(cluster: Cluster, group: GroupDescription) -> GroupDescription:
    """Return the description of a Streams application with what its threads sent and got."""
    try:
        listed = cluster.admin.list_groups(group.id, timeout=cluster.read_options.timeout_s)
    except KafkaException:
        return group
    known = {each.id: each for found in listed for each in found.members}
    members = tuple(
        replace(
            each,
            metadata=known[each.id].metadata or b"",
            assignment=known[each.id].assignment or b"",
        )
        if each.id in known
        else each
        for each in group.members
    )
    return replace(group, members=members)


def with_subscriptions(cluster: Cluster, group: GroupDescription) -> GroupDescription:
    """Return the description with each member's subscription, where known.

    This takes a request to every broker for a classic group, and one more to the coordinator for a
    group of the ``consumer`` protocol; so use it for one group, not for all. Patterns match the
    topics that exist, as on the coordinator.
    """
    existing: Collection[str] = ()
    try:
        known = _subscriptions(cluster, group)
        if any(each.pattern for each in known.values()):
            existing = cluster.admin.list_topics(timeout=cluster.read_options.timeout_s).topics
    except KafkaException:
        return group  # who is in the group and owns what is known without it
    return replace(
        group,
        members=tuple(
            replace(each, subscription=known[each.id].topics(existing), rack=known[each.id].rack)
            if each.id in known
            else each
            for each in group.members
        ),
    )


def _subscriptions(cluster: Cluster, group: GroupDescription) -> Mapping[str, Subscription]:
    if group.protocol == "consumer":
        if group.coordinator is None or not group.members:
            return {}
        return cluster.subscriptions(group.id, group.coordinator)
    if group.state not in _WITH_SUBSCRIPTIONS:
        return {}
    listed = cluster.admin.list_groups(group.id, timeout=cluster.read_options.timeout_s)
    members = [(str(m.id), decoded(m.metadata or b"")) for each in listed for m in each.members]
    return {name: subscription for name, subscription in members if subscription is not None}


def _listing(listed: ConsumerGroupListing) -> GroupListing:
    return GroupListing(listed.group_id, _state(listed), _protocol(listed))


def _description(described: ConsumerGroupDescription) -> GroupDescription:
    return GroupDescription(
        id=described.group_id,
        state=_state(described),
        protocol=_protocol(described),
        assignor=described.partition_assignor or "",
        members=tuple(_member(each) for each in described.members),
        is_simple=bool(described.is_simple_consumer_group),
        coordinator=_address(described.coordinator),
    )


def _address(node: Node | None) -> tuple[str, int] | None:
    return None if node is None or not node.host else (node.host, node.port)


def _member(described: MemberDescription) -> LiveMember:
    target = described.target_assignment
    return LiveMember(
        id=described.member_id,
        client_id=described.client_id or "",
        host=(described.host or "").removeprefix("/"),
        instance_id=described.group_instance_id or None,
        owned=_partitions(described.assignment),
        target=None if target is None else _partitions(target),
    )


def _partitions(assignment: MemberAssignment | None) -> tuple[NamedPartition, ...]:
    if assignment is None:
        return ()
    return tuple(sorted((each.topic, each.partition) for each in assignment.topic_partitions))


def _state(group: ConsumerGroupListing | ConsumerGroupDescription) -> str:
    return _STATES.get(getattr(group, "state", ConsumerGroupState.UNKNOWN), "Unknown")


def _protocol(group: ConsumerGroupListing | ConsumerGroupDescription) -> str:
    return _PROTOCOLS.get(getattr(group, "type", ConsumerGroupType.UNKNOWN), "unknown")
