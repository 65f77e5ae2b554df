"""Load-sticky for kafka-python: cooperative, with an instance for each consumer."""

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition
from kafka.coordinator.assignors.abstract import AbstractPartitionAssignor, RebalanceProtocol
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)

from kafka_assignments_plugins.joined import Joined
from kafka_assignments_plugins.leader import Settings, decide
from kafka_assignments_plugins.offsets import OffsetsRead, ReadOffsets, read_in_time
from kafka_assignments_plugins.user_data import NO_GENERATION, Partition, UserData, by_topic

_SHORT_MS: Final = 2000
"""For each request and for the first connection, so that a reading that hangs ends soon."""
_VERSION: Final = 2
"""The first version of a subscription that says the generation of what is owned."""


class LoadStickyAssignor(AbstractPartitionAssignor):  # type: ignore[misc]
    """Evens out lag plus recent arrivals, moves few partitions, and keeps its promises.

    >>> assignor = LoadStickyAssignor("orders-service", {"bootstrap_servers": "localhost:9092"})
    >>> assignor.name
    'load-sticky'

    Give it to ``KafkaConsumer(partition_assignment_strategy=[assignor], group_id=...)``. The second
    argument has the properties of the clients that read offsets: address and security.
    """

    name = "load-sticky"

    def __init__(
        self,
        group_id: str,
        client: Mapping[str, Any],
        *,
        read: ReadOffsets | None = None,
        **settings: Any,  # noqa: ANN401 -- fields of Settings, which checks them
    ) -> None:
        """Serve one consumer of this group. Raises ValueError for a wrong setting."""
        self._settings = Settings(group_id, **settings).checked()
        self._read = read or partial(_read, dict(client), self._settings)
        self._last = UserData()
        self._planned: dict[str, tuple[Partition, ...]] = {}

    def supported_protocols(self) -> list[RebalanceProtocol]:
        """Only what moves is given up."""
        return [RebalanceProtocol.COOPERATIVE]

    def metadata(self, topics: Iterable[str]) -> ConsumerProtocolSubscription:
        """Say what this member owns, and what it was promised."""
        last, self._planned = self._last, {}
        owned = [
            ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in by_topic(last.owned).items()
        ]
        return ConsumerProtocolSubscription(
            version=_VERSION,
            topics=sorted(topics),
            user_data=last._replace(owned=()).encoded(),
            owned_partitions=owned,
            generation_id=last.generation,
        )

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> None:
        """Keep what the leader gave and promised."""
        owned = tuple((each.topic, each.partition) for each in assignment.partitions())
        promised = UserData.decoded(assignment.user_data).promised
        self._last = UserData(generation, owned, promised, self._planned)

    def assign(self, cluster: Any, members: Sequence[Any]) -> dict[str, Any]:  # noqa: ANN401
        """Decide for all; reading takes at most the time that is set."""
        known = max((_generation(member) for member in members), default=NO_GENERATION)
        joined = {member.member_id: _joined(member, known) for member in members}
        topics = {topic for each in joined.values() for topic in each.topics}
        sizes = {topic: len(cluster.partitions_for_topic(topic) or ()) for topic in topics}
        read = partial(read_in_time, self._read, timeout_s=self._settings.timeout_s)
        shares = decide(sizes, joined, read, self._settings, is_cooperative=True)
        if any(share.promised for share in shares.values()):  # else no other round follows
            self._planned = {
                member: tuple({*share.partitions, *share.promised}.difference(joined[member].owned))
                for member, share in shares.items()
            }
        return {
            member: ConsumerProtocolAssignment(
                0,
                list(by_topic(share.partitions).items()),
                UserData(promised=share.promised).encoded() if share.promised else b"",
            )
            for member, share in shares.items()
        }


def _generation(member: Any) -> int:  # noqa: ANN401 -- untyped
    generation = member.metadata.generation_id
    return NO_GENERATION if generation is None else int(generation)


def _joined(member: Any, known: int) -> Joined:  # noqa: ANN401 -- untyped
    """Return a member's words; user data of a generation that no client knows of counts as none."""
    subscription = member.metadata
    data = UserData.decoded(subscription.user_data)
    if data.generation > known != NO_GENERATION:
        data = UserData()
    owned = [
        (each.topic, number)
        for each in subscription.owned_partitions or ()
        for number in each.partitions
    ]
    generation = _generation(member)
    return Joined(
        topics=subscription.topics,
        owned=owned,
        generation=data.generation if generation == NO_GENERATION else generation,
        told=data,
        instance_id=getattr(member, "group_instance_id", None),
        rack=getattr(subscription, "rack_id", None),
    )


def _read(
    client: Mapping[str, Any],
    settings: Settings,
    offsets: OffsetsRead,
    partitions: Sequence[Partition],
) -> None:
    """Read with clients of its own, closed at the end; the consumer's is busy assigning."""
    asked = [TopicPartition(*partition) for partition in partitions]
    timeout_ms = round(1000 * settings.timeout_s)
    limits = {"request_timeout_ms": _SHORT_MS, "bootstrap_timeout_ms": _SHORT_MS}
    client = {**limits, **client}
    since_ms = round(1000 * (time.time() - settings.horizon_s))
    admin = KafkaAdminClient(**client)
    try:
        found = admin.list_group_offsets({settings.group_id: asked})[settings.group_id]
        offsets.committed = {
            (p.topic, p.partition): o.offset for p, o in found.items() if o.offset >= 0
        }
    finally:
        admin.close()
    consumer = KafkaConsumer(**client)
    try:
        end = consumer.end_offsets(asked, timeout_ms=timeout_ms)
        offsets.end = _named(end)
        if settings.auto_offset_reset == "earliest":
            offsets.begin = _named(consumer.beginning_offsets(asked, timeout_ms=timeout_ms))
        if not settings.horizon_s:
            offsets.arrived = dict.fromkeys(partitions, 0)
            return
        first = consumer.offsets_for_times(dict.fromkeys(asked, since_ms), timeout_ms=timeout_ms)
        offsets.arrived = {
            (p.topic, p.partition): max(end[p] - at.offset, 0) if (at := first.get(p)) else 0
            for p in asked
        }
    finally:
        consumer.close()


def _named(found: Mapping[TopicPartition, int]) -> dict[Partition, int]:
    return {(each.topic, each.partition): offset for each, offset in found.items()}
