"""Consumers of kafka-python and aiokafka under our own assignor, in threads or in a process.

    python -m tests.broker.python_consumers NAME JSON

runs one of that name as a process, until it is killed; what its assignor logs goes to its standard
error.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, Final, NamedTuple

from aiokafka import AIOKafkaConsumer
from aiokafka import ConsumerRebalanceListener as ForAiokafka
from kafka import ConsumerRebalanceListener as ForKafkaPython
from kafka import KafkaConsumer
from kafka_assignments_plugins import for_aiokafka, for_kafka_python

LOGGER: Final = "kafka_assignments_plugins"
_POLL_MS: Final = 200


class ToRun(NamedTuple):
    """One consumer: its group and topic, and how its assignor is set."""

    servers: str
    group: str
    topic: str
    reads_on: bool = False
    """Whether it commits what it reads; else lag stands still."""
    reader: Mapping[str, Any] = {}
    """Properties of the clients that read offsets, besides the address."""
    settings: Mapping[str, Any] = {}

    @property
    def assigned_by(self) -> tuple[str, dict[str, Any]]:
        """The first arguments of the assignor."""
        return self.group, {"bootstrap_servers": self.servers, **self.reader}

    @property
    def consumer(self) -> dict[str, Any]:
        """The properties of the consumer."""
        return {
            "bootstrap_servers": self.servers,
            "group_id": self.group,
            "enable_auto_commit": self.reads_on,
            "auto_commit_interval_ms": 500,
            "auto_offset_reset": "earliest",
            "session_timeout_ms": 10_000,
            "heartbeat_interval_ms": 500,
            "metadata_max_age_ms": 2_000,
        }


@dataclass
class Holders:
    """Who holds each partition now, and what was ever held by two at once."""

    now: dict[object, set[int]] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def take(self, consumer: int, partitions: Collection[object]) -> None:
        """Note what a consumer has got."""
        with self._lock:
            for each in partitions:
                holders = self.now.setdefault(each, set())
                holders.add(consumer)
                if len(holders) > 1:
                    self.twice.append(f"{each} by {sorted(holders)}")

    def give_up(self, consumer: int, partitions: Collection[object]) -> None:
        """Note what a consumer has given up."""
        with self._lock:
            for each in partitions:
                self.now.get(each, set()).discard(consumer)

    def has_all(self, partitions: int, by: int) -> bool:
        """Return whether so many partitions are held, each by one of so many consumers."""
        with self._lock:
            held = [holders for holders in self.now.values() if len(holders) == 1]
            return len(held) == partitions and len(set.union(*held)) == by


class Listener(ForKafkaPython, ForAiokafka):  # type: ignore[misc]
    """Tells of a consumer's partitions; both clients call these methods."""

    def __init__(self, holders: Holders) -> None:
        self._holders = holders

    def on_partitions_assigned(self, assigned: Collection[object]) -> None:
        """Note them."""
        self._holders.take(id(self), assigned)

    def on_partitions_revoked(self, revoked: Collection[object]) -> None:
        """Note them."""
        self._holders.give_up(id(self), revoked)

    on_partitions_lost = on_partitions_revoked


Run = Callable[[ToRun, Listener, Event], None]


def run_kafka_python(asked: ToRun, listener: Listener, end: Event) -> None:
    """Consume until the end."""
    assignor = for_kafka_python.LoadStickyAssignor(*asked.assigned_by, **asked.settings)
    consumer = KafkaConsumer(partition_assignment_strategy=[assignor], **asked.consumer)
    consumer.subscribe([asked.topic], listener=listener)
    while not end.is_set():
        consumer.poll(timeout_ms=_POLL_MS)
    consumer.close()


def run_aiokafka(asked: ToRun, listener: Listener, end: Event) -> None:
    """Consume until the end, in an event loop of its own."""
    asyncio.run(_aiokafka(asked, listener, end))


async def _aiokafka(asked: ToRun, listener: Listener, end: Event) -> None:
    assignor = for_aiokafka.LoadStickyAssignor(*asked.assigned_by, **asked.settings)
    consumer = AIOKafkaConsumer(partition_assignment_strategy=[assignor], **asked.consumer)
    consumer.subscribe([asked.topic], listener=listener)
    await consumer.start()
    while not end.is_set():
        await consumer.getmany(timeout_ms=_POLL_MS)
    listener.on_partitions_revoked(consumer.assignment())  # aiokafka does not tell when it stops
    await consumer.stop()


CLIENTS: Final[Mapping[str, Run]] = {"kafka-python": run_kafka_python, "aiokafka": run_aiokafka}

if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr)
    logging.getLogger(LOGGER).setLevel(logging.INFO)
    name, told = sys.argv[1:]
    CLIENTS[name](ToRun(**json.loads(told)), Listener(Holders()), Event())
