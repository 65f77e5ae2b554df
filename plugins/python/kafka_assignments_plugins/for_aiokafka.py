"""Load-sticky for aiokafka: eager, with an instance for each consumer."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from aiokafka.coordinator.protocol import (
    ConsumerProtocolMemberAssignment,
    ConsumerProtocolMemberMetadata,
)

from kafka_assignments_plugins.joined import Joined
from kafka_assignments_plugins.leader import Settings, decide
from kafka_assignments_plugins.offsets import OffsetsRead, ReadOffsets, read_in_time
from kafka_assignments_plugins.user_data import Partition, UserData, by_topic

_LAST_GENERATION: Final = 2**31 - 1
"""The largest that user data has room for."""
_SHORT_MS: Final = 2000
"""For each request, so that a reading that hangs ends soon."""


class LoadStickyAssignor(AbstractPartitionAssignor):  # type: ignore[misc]
    """Evens out lag plus recent arrivals, and moves few partitions.

    >>> assignor = LoadStickyAssignor("orders-service", {"bootstrap_servers": "localhost:9092"})
    >>> assignor.name
    'load-sticky-eager'

    Give it to ``AIOKafkaConsumer(partition_assignment_strategy=[assignor], group_id=...)``. The
    second argument has the properties of the clients that read offsets: address and security.
    aiokafka is eager and passes no generation, so owned partitions and generation travel in the
    user data; the leader counts one more than the newest.
    """

    name = "load-sticky-eager"

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

    def metadata(self, topics: Iterable[str]) -> ConsumerProtocolMemberMetadata:
        """Say what this member owned."""
        return ConsumerProtocolMemberMetadata(0, sorted(topics), self._last.encoded())

    def on_assignment(self, assignment: ConsumerProtocolMemberAssignment) -> None:
        """Keep what the leader gave, and its generation."""
        owned = tuple((each.topic, each.partition) for each in assignment.partitions())
        self._last = UserData(UserData.decoded(assignment.user_data).generation, owned)

    def assign(self, cluster: Any, members: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401
        """Decide for all; the event loop waits for at most the time that is set."""
        joined = {}
        for member, subscription in members.items():
            data = UserData.decoded(subscription.user_data)
            joined[member] = Joined(subscription.subscription, data.owned, data.generation, data)
        topics = {topic for each in joined.values() for topic in each.topics}
        sizes = {topic: len(cluster.partitions_for_topic(topic) or ()) for topic in topics}
        read = partial(read_in_time, self._read, timeout_s=self._settings.timeout_s)
        shares = decide(sizes, joined, read, self._settings, is_cooperative=False)
        newest = max((each.generation for each in joined.values()), default=0)
        counted = UserData(min(max(newest, 0) + 1, _LAST_GENERATION)).encoded()
        return {
            member: ConsumerProtocolMemberAssignment(
                0, list(by_topic(share.partitions).items()), counted
            )
            for member, share in shares.items()
        }


def _read(
    client: Mapping[str, Any],
    settings: Settings,
    offsets: OffsetsRead,
    partitions: Sequence[Partition],
) -> None:
    """Read in an event loop of its own, which the consumer's cannot be while it assigns."""
    asyncio.run(
        asyncio.wait_for(_read_with(client, settings, offsets, partitions), settings.timeout_s)
    )


async def _read_with(
    client: Mapping[str, Any],
    settings: Settings,
    offsets: OffsetsRead,
    partitions: Sequence[Partition],
) -> None:
    asked = [TopicPartition(*partition) for partition in partitions]
    client = {"request_timeout_ms": _SHORT_MS, **client}
    admin = AIOKafkaAdminClient(**client)
    await admin.start()
    try:
        found = await admin.list_consumer_group_offsets(settings.group_id, partitions=asked)
        offsets.committed = {
            (p.topic, p.partition): o.offset for p, o in found.items() if o.offset >= 0
        }
    finally:
        await admin.close()
    consumer = AIOKafkaConsumer(**client)
    await consumer.start()
    try:
        end = await consumer.end_offsets(asked)
        offsets.end = {(p.topic, p.partition): offset for p, offset in end.items()}
        if settings.auto_offset_reset == "earliest":
            begin = await consumer.beginning_offsets(asked)
            offsets.begin = {(p.topic, p.partition): offset for p, offset in begin.items()}
        if not settings.horizon_s:
            offsets.arrived = dict.fromkeys(partitions, 0)
            return
        since_ms = round(1000 * (time.time() - settings.horizon_s))
        first = await consumer.offsets_for_times(dict.fromkeys(asked, since_ms))
        offsets.arrived = {
            (p.topic, p.partition): max(end[p] - at.offset, 0) if (at := first.get(p)) else 0
            for p in asked
        }
    finally:
        await consumer.stop()
