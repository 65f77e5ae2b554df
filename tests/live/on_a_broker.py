"""Topics with records and groups with consumers, on a real broker."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from confluent_kafka import (
    Consumer,
    ConsumerGroupState,
    KafkaError,
    KafkaException,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from tests.patience import await_

_TIMEOUT_S: Final = 60
_NOT_READY: Final = {
    KafkaError.NOT_COORDINATOR,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
}
"""Temporary errors that a coordinator returns after a group's first request."""


def make_topic(servers: str, name: str, records: Sequence[int]) -> None:
    """Create a topic with one partition per number, and write that many records to each.

    One of that name is deleted first, so that a test which is tried again starts anew.
    """
    admin = AdminClient({"bootstrap.servers": servers})

    def is_gone() -> bool:
        if name not in admin.list_topics(timeout=_TIMEOUT_S).topics:
            return True
        with suppress(KafkaException):  # until the broker has deleted it
            admin.delete_topics([name])[name].result(_TIMEOUT_S)
        return False

    await_(is_gone)
    admin.create_topics([NewTopic(name, len(records), 1)])[name].result(_TIMEOUT_S)
    await_(
        lambda: (
            len(admin.list_topics(name, timeout=_TIMEOUT_S).topics[name].partitions) == len(records)
        )
    )
    producer = Producer({"bootstrap.servers": servers})
    for partition, count in enumerate(records):
        for _ in range(count):
            producer.produce(name, b"record", partition=partition)
    assert producer.flush(_TIMEOUT_S) == 0


def commit(servers: str, group: str, offsets: Mapping[tuple[str, int], int]) -> None:
    """Commit offsets for a group without consumers."""
    consumer = Consumer({"bootstrap.servers": servers, "group.id": group})
    places = [TopicPartition(topic, number, at) for (topic, number), at in offsets.items()]

    def is_committed() -> bool:
        try:
            consumer.commit(offsets=places, asynchronous=False)
        except KafkaException as error:
            if error.args[0].code() not in _NOT_READY:
                raise
            return False
        return True

    await_(is_committed)
    consumer.close()


@contextmanager
def consuming(
    servers: str, group: str, topics: Sequence[str], *settings: Mapping[str, str]
) -> Iterator[list[Consumer]]:
    """Run one consumer per settings, and wait until the group is stable."""
    admin = AdminClient({"bootstrap.servers": servers})
    usual = {"bootstrap.servers": servers, "group.id": group, "enable.auto.commit": False}
    consumers = [Consumer({**usual, **own}) for own in settings]
    try:
        for consumer in consumers:
            consumer.subscribe(list(topics))
        await_(lambda: _own_apart(consumers) and _is_stable(admin, group, len(consumers)))
        yield consumers
    finally:
        for consumer in consumers:
            consumer.close()


def _own_apart(consumers: Sequence[Consumer]) -> bool:
    """Poll all; return whether each owns something and none owns the same partition as another."""
    for consumer in consumers:
        consumer.poll(0.1)
    owned = [{(p.topic, p.partition) for p in consumer.assignment()} for consumer in consumers]
    return all(owned) and len(set[object]().union(*owned)) == sum(map(len, owned))


def _is_stable(admin: AdminClient, group: str, members: int) -> bool:
    found = admin.describe_consumer_groups([group])[group].result(_TIMEOUT_S)
    return found.state == ConsumerGroupState.STABLE and len(found.members) == members
