"""The groups of a cluster and their members."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from live.model import GroupDescription, GroupList, GroupListing, Member, Place

_BATCH: Final = 100
"""Groups per call; each broker gets one request for those it coordinates."""
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
_WITH_SUBSCRIPTIONS: Final = frozenset({"Stable", "CompletingRebalance"})
"""In other states the coordinator omits the subscriptions of members of classic groups."""
_FIRST_WITH_RACK: Final = 3
"""The version of ConsumerProtocolSubscription that has racks."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a member requested when it last joined."""

    topics: tuple[str, ...]
    rack: str | None


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


def describe_groups(
    cluster: Cluster, ids: Sequence[str]
) -> Iterator[tuple[str, GroupDescription | LiveError]]:
    """Yield each group's description, or why it has none, a hundred groups a request.

    A group that does not exist is described too, as Dead and empty. Subscriptions stay
    unknown; ``with_subscriptions`` reads them for one group.
    """
    for first in range(0, len(ids), _BATCH):
        futures = cluster.admin.describe_consumer_groups(
            list(dict.fromkeys(ids[first : first + _BATCH])),
            request_timeout=cluster.read_options.client_timeout_s,
        )
        for name, group in cluster.responses(futures, lambda name: f"the group {name!r}").items():
            yield name, group if isinstance(group, LiveError) else _description(group)


def with_subscriptions(cluster: Cluster, group: GroupDescription) -> GroupDescription:
    """Return the description with each member's subscription, where known.

    Of classic groups every broker is asked to list its groups for this, and of groups of the
    ``consumer`` protocol the coordinator anew; so it is for one group, not all.
    """
    known: Mapping[str, Subscription | None]
    try:
        if group.protocol == "consumer":
            known = _of_consumer_protocol(cluster, group)
        elif group.state in _WITH_SUBSCRIPTIONS:
            known = _of_classic(cluster, group)
        else:
            return group
    except KafkaException:
        return group  # known already without it: who is in the group and owns what
    return replace(group, members=tuple(_subscribed(each, known) for each in group.members))


def _of_classic(cluster: Cluster, group: GroupDescription) -> Mapping[str, Subscription | None]:
    answers = cluster.admin.list_groups(group.id, timeout=cluster.read_options.timeout_s)
    return {
        str(member.id): subscription_of(member.metadata or b"")
        for answer in answers
        for member in answer.members
    }


def _of_consumer_protocol(cluster: Cluster, group: GroupDescription) -> Mapping[str, Subscription]:
    """Return what members subscribe to, patterns resolved as the coordinator resolves them."""
    if group.coordinator is None or not group.members:
        return {}
    members, existing = cluster.subscribed(group.id, group.coordinator), list[str]()
    if any(member.pattern for member in members.values()):
        existing = list(cluster.admin.list_topics(timeout=cluster.read_options.timeout_s).topics)
    return {
        name: Subscription(member.topics(existing), member.rack) for name, member in members.items()
    }


def _subscribed(member: Member, known: Mapping[str, Subscription | None]) -> Member:
    subscription = known.get(member.id)
    if subscription is None:
        return member
    return replace(member, subscription=subscription.topics, rack=subscription.rack)


def _listing(listed: ConsumerGroupListing) -> GroupListing:
    return GroupListing(listed.group_id, _state(listed), _protocol(listed))


def _description(described: ConsumerGroupDescription) -> GroupDescription:
    return GroupDescription(
        id=described.group_id,
        state=_state(described),
        protocol=_protocol(described),
        assignor=described.partition_assignor or "",
        members=tuple(_member(each) for each in described.members),
        coordinator=_address(described.coordinator),
    )


def _address(node: Node | None) -> tuple[str, int] | None:
    return None if node is None or not node.host else (node.host, node.port)


def _member(described: MemberDescription) -> Member:
    target = described.target_assignment
    return Member(
        id=described.member_id,
        client_id=described.client_id or "",
        host=(described.host or "").removeprefix("/"),
        instance_id=described.group_instance_id or None,
        owned=_places(described.assignment),
        target=None if target is None else _places(target),
    )


def _places(assignment: MemberAssignment | None) -> tuple[Place, ...]:
    if assignment is None:
        return ()
    return tuple(sorted((each.topic, each.partition) for each in assignment.topic_partitions))


def _state(group: ConsumerGroupListing | ConsumerGroupDescription) -> str:
    return _STATES.get(getattr(group, "state", ConsumerGroupState.UNKNOWN), "Unknown")


def _protocol(group: ConsumerGroupListing | ConsumerGroupDescription) -> str:
    return _PROTOCOLS.get(getattr(group, "type", ConsumerGroupType.UNKNOWN), "unknown")


def subscription_of(metadata: bytes) -> Subscription | None:
    """Decode versions 0 to 3, and later ones, which begin alike; None if it is no consumer's.

    Source: ConsumerProtocolSubscription.json of Apache Kafka; KIP-429, KIP-792, KIP-881.

    >>> subscription_of(bytes([0, 0, 0, 0, 0, 1, 0, 1]) + b"t" + bytes([0, 0, 0, 0]))
    Subscription(topics=('t',), rack=None)
    """
    reader = _Reader(metadata)
    try:
        version = reader.number(">h")
        topics = tuple(reader.string() or "" for _ in range(reader.number(">i")))
        rack = _rack(reader) if version >= _FIRST_WITH_RACK else None
    except (struct.error, UnicodeDecodeError):
        return None
    return Subscription(topics, rack or None)


def _rack(reader: "_Reader") -> str | None:
    reader.take(max(reader.number(">i"), 0))  # user data
    for _ in range(reader.number(">i")):
        reader.string()
        reader.take(4 * reader.number(">i"))  # partitions owned
    reader.number(">i")  # generation
    return reader.string()


class _Reader:
    """Takes the fields off the front of the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        value: int = struct.unpack(form, self.take(struct.calcsize(form)))[0]
        return value

    def string(self) -> str | None:
        length = self.number(">h")
        return None if length < 0 else self.take(length).decode()

    def take(self, length: int) -> bytes:
        if not 0 <= length <= len(self._data) - self._at:
            message = "a length leads beyond the end"
            raise struct.error(message)
        self._at += length
        return self._data[self._at - length : self._at]
