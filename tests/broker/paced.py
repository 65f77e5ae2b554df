"""Consumers of a set speed and producers of a set rate, on a real broker."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from threading import Event, Thread
from typing import Final, Self

from confluent_kafka import Consumer, Producer, TopicPartition

from tests.patience import await_

_TICK_S: Final = 0.05
_COMMIT_S: Final = 0.5
_BURST_S: Final = 5.0
"""What was not read or written in time is made up for, but no more than this."""


class PacedConsumer:
    """A consumer that reads at most so many records per second, and stands still on demand."""

    def __init__(self, servers: str, group: str, topic: str, name: str, speed: float) -> None:
        self.name = name
        self.stands = Event()
        self.poisoned: frozenset[int] = frozenset()
        """Partitions of which it is never done with a record: it commits nothing of them."""
        self.paused: frozenset[int] = frozenset()
        """Partitions of which it fetches nothing more."""
        self._speed = speed
        self._end = Event()
        self._consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": group,
                "client.id": name,
                "partition.assignment.strategy": "roundrobin",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": "false",
                "heartbeat.interval.ms": "300",
                "session.timeout.ms": "20000",
                "fetch.wait.max.ms": "50",
                "log_level": "0",
                "queued.max.messages.kbytes": "256",
            }
        )
        self._consumer.subscribe([topic])
        self._thread = Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        """Start to read."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the group."""
        self._end.set()
        self._thread.join(30)
        self._consumer.close()

    @property
    def owned(self) -> Sequence[TopicPartition]:
        """The partitions that it was assigned."""
        return list(self._consumer.assignment())

    def _read(self) -> None:
        allowed, before, committed = 0.0, time.monotonic(), time.monotonic()
        while not self._end.is_set():
            now = time.monotonic()
            allowed = min(allowed + self._speed * (now - before), self._speed * _BURST_S)
            before = now
            if self.paused:
                self._consumer.pause([p for p in self.owned if p.partition in self.paused])
            wanted = 0 if self.stands.is_set() else int(allowed)
            if wanted:
                allowed -= len(self._consumer.consume(wanted, timeout=0))
            elif not self._consumer.assignment():
                self._consumer.poll(0)  # joins
            if now - committed > _COMMIT_S and not self.stands.is_set():
                committed = now
                places = self._consumer.position(self._consumer.assignment())
                known = [
                    place
                    for place in places
                    if place.offset >= 0 and place.partition not in self.poisoned
                ]
                if known:
                    self._consumer.commit(offsets=known, asynchronous=True)
            time.sleep(_TICK_S)


class PacedProducer:
    """Writes so many records per second to each partition of a topic."""

    def __init__(self, servers: str, topic: str, rates: Mapping[int, float]) -> None:
        self.rates = dict(rates)
        self._topic = topic
        self._end = Event()
        self._producer = Producer(
            {"bootstrap.servers": servers, "linger.ms": "5", "log_level": "0"}
        )
        self._thread = Thread(target=self._write, daemon=True)

    def __enter__(self) -> Self:
        """Start to write."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and close the connections."""
        self._end.set()
        self._thread.join(30)
        del self._producer

    def _write(self) -> None:
        owed, before = dict.fromkeys(self.rates, 0.0), time.monotonic()
        while not self._end.is_set():
            now = time.monotonic()
            for partition, rate in self.rates.items():
                owed[partition] += rate * (now - before)
                for _ in range(int(owed[partition])):
                    self._producer.produce(self._topic, b"record", partition=partition)
                owed[partition] %= 1
            before = now
            self._producer.poll(0)
            time.sleep(_TICK_S)
        self._producer.flush(30)


def entered(stack: ExitStack, consumers: Sequence[PacedConsumer]) -> None:
    """Start consumers, and wait until each owns something."""
    for consumer in consumers:
        stack.enter_context(consumer)
    await_(lambda: all(consumer.owned for consumer in consumers))
