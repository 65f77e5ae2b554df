"""The groups of a cluster: which there are, and who is in them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from confluent_kafka import ConsumerGroupState, ConsumerGroupType, KafkaException
from confluent_kafka.admin import (
    ConsumerGroupDescription,
    ConsumerGroupListing,
    MemberAssignment,
    MemberDescription,
)

from live.cluster import Cluster
from live.errors import LiveError
from live.model import GroupDescription, GroupList, GroupListing, Member, Place
from live.subscription import Subscription, subscription_of

_BATCH: Final = 100
"""Groups asked for at once; each broker gets one request for those it coordinates."""
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
_TOLD_BY_CLASSIC: Final = frozenset({"Stable", "CompletingRebalance"})
"""In other states the coordinator does not show what members asked for."""


def list_groups(cluster: Cluster) -> GroupList:
    """Return the consumer groups that the user may see, sorted by name.

    Share and streams groups are not consumer groups and are not listed.
    """
    asked = cluster.admin.list_consumer_groups(
        request_timeout=cluster.read_options.client_timeout_s
    )
    found = cluster.answer({0: asked}, "the list of groups")[0]
    errors = [
        cluster.error(error.args[0] if isinstance(error, KafkaException) else error, "a broker")
        for error in found.errors
    ]
    if errors and not found.valid:
        raise errors[0]
    groups = sorted((_listing(each) for each in found.valid), key=lambda group: group.id)
    return GroupList(tuple(groups), tuple(dict.fromkeys(map(str, errors))))


def describe_groups(
    cluster: Cluster, ids: Sequence[str]
) -> Iterator[tuple[str, GroupDescription | LiveError]]:
    """Yield each group's description, or why it has none, a hundred groups a request.

    A group nobody knows is described too, as Dead and empty. Subscriptions stay unknown;
    ``with_subscriptions`` finds them out for one group.
    """
    for first in range(0, len(ids), _BATCH):
        batch = list(dict.fromkeys(ids[first : first + _BATCH]))
        asked = cluster.admin.describe_consumer_groups(
            batch, request_timeout=cluster.read_options.client_timeout_s
        )
        for name, found in cluster.answers(asked, lambda name: f"the group {name!r}").items():
            yield name, found if isinstance(found, LiveError) else _description(found)


def subscriptions_of(cluster: Cluster, group: GroupDescription) -> dict[str, Subscription]:
    """Return what each member asked for when it joined, as far as the cluster tells.

    Classic groups only: of members of the ``consumer`` protocol the client passes nothing
    on. Every broker is asked to list its groups for this, so it is for one group, not all.
    """
    if group.protocol == "consumer" or group.state not in _TOLD_BY_CLASSIC:
        return {}
    try:
        answers = cluster.admin.list_groups(group.id, timeout=cluster.read_options.timeout_s)
    except KafkaException:
        return {}  # known already without it: who is in the group and owns what
    told = {m.id: subscription_of(m.metadata or b"") for each in answers for m in each.members}
    return {str(name): found for name, found in told.items() if found is not None}


def with_subscriptions(
    group: GroupDescription, told: Mapping[str, Subscription]
) -> GroupDescription:
    """Return the description with what its members asked for."""
    if not told:
        return group
    members = [_subscribed(member, told.get(member.id)) for member in group.members]
    return GroupDescription(
        id=group.id,
        state=group.state,
        protocol=group.protocol,
        assignor=group.assignor,
        coordinator=group.coordinator,
        members=tuple(members),
    )


def _subscribed(member: Member, told: Subscription | None) -> Member:
    if told is None:
        return member
    return Member(
        id=member.id,
        client_id=member.client_id,
        host=member.host,
        instance_id=member.instance_id,
        owned=member.owned,
        target=member.target,
        subscription=told.topics,
        rack=told.rack,
    )


def _listing(found: ConsumerGroupListing) -> GroupListing:
    return GroupListing(
        id=found.group_id,
        state=_state(found),
        protocol=_protocol(found),
        is_simple=found.is_simple_consumer_group,
    )


def _description(found: ConsumerGroupDescription) -> GroupDescription:
    node = found.coordinator
    return GroupDescription(
        id=found.group_id,
        state=_state(found),
        protocol=_protocol(found),
        assignor=found.partition_assignor or "",
        coordinator=f"{node.host}:{node.port}" if node is not None else "",
        members=tuple(_member(each) for each in found.members),
    )


def _member(found: MemberDescription) -> Member:
    target = found.target_assignment
    return Member(
        id=found.member_id,
        client_id=found.client_id or "",
        host=(found.host or "").removeprefix("/"),
        instance_id=found.group_instance_id or None,
        owned=_places(found.assignment),
        target=None if target is None else _places(target),
    )


def _places(assignment: MemberAssignment | None) -> tuple[Place, ...]:
    if assignment is None:
        return ()
    return tuple(sorted((each.topic, each.partition) for each in assignment.topic_partitions))


def _state(found: ConsumerGroupListing | ConsumerGroupDescription) -> str:
    state = getattr(found, "state", ConsumerGroupState.UNKNOWN)
    return _STATES.get(state, "Unknown")


def _protocol(found: ConsumerGroupListing | ConsumerGroupDescription) -> str:
    kind = getattr(found, "type", ConsumerGroupType.UNKNOWN)
    return _PROTOCOLS.get(kind, "unknown")
