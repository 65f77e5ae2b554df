"""Real consumers for tests to start and close: Kafka's own Java client and confluent-kafka."""

from collections.abc import Mapping, Sequence
from threading import Event, Thread
from typing import Any, Final, NamedTuple, Protocol

from confluent_kafka import Consumer

from tests.broker.java_harness import Harness

_PAUSE_S: Final = 0.1
_KAFKAS: Final = "org.apache.kafka.clients.consumer"
JAVA_CLASSES: Final = {
    "range": f"{_KAFKAS}.RangeAssignor",
    "roundrobin": f"{_KAFKAS}.RoundRobinAssignor",
    "sticky": f"{_KAFKAS}.StickyAssignor",
    "cooperative-sticky": f"{_KAFKAS}.CooperativeStickyAssignor",
    "fair": "kafkaassignments.FairAssignor",
    "lag-based": "kafkaassignments.LagBasedAssignor",
    "lag-capped": "kafkaassignments.LagCappedAssignor",
    "load-sticky": "kafkaassignments.LoadStickyAssignor",
}
_USUAL: Final = {
    "auto.offset.reset": "earliest",
    "enable.auto.commit": "false",
}
_CLASSIC: Final = {"heartbeat.interval.ms": "300", "session.timeout.ms": "20000"}


class ToStart(NamedTuple):
    """The configuration of a consumer to start."""

    name: str
    config: Mapping[str, str]
    topics: Sequence[str]


class Client(Protocol):
    """A library whose consumers join real groups."""

    @property
    def name(self) -> str:
        """The library's name in the table of results."""

    def start(self, *consumers: "ToStart") -> None:
        """Start consumers at the same time, each in its own thread."""

    def close(self, name: str) -> None:
        """Close a consumer; a static member of a classic group sends no LeaveGroup."""


class JavaClient:
    """Kafka's own consumers, run by the harness."""

    name = "Java"

    def __init__(self, harness: Harness) -> None:
        self._harness = harness

    def start(self, *consumers: ToStart) -> None:
        """Start consumers."""
        self._harness.ask("start", consumers=[_as_java_asks(consumer) for consumer in consumers])

    def close(self, name: str) -> None:
        """Close a consumer."""
        self._harness.ask("close", name=name)


class ConfluentClient:
    """librdkafka's consumers, each polled by its own thread."""

    name = "confluent-kafka"

    def __init__(self) -> None:
        self._running: dict[str, tuple[Event, Thread]] = {}

    def start(self, *consumers: ToStart) -> None:
        """Start consumers."""
        for one in consumers:
            usual = {**_USUAL, "topic.metadata.refresh.interval.ms": "1000", "log_level": "0"}
            if "partition.assignment.strategy" in one.config:
                usual |= _CLASSIC
            end = Event()
            consumer = Consumer({**usual, **one.config})
            consumer.subscribe(list(one.topics))
            thread = Thread(target=_poll, args=(consumer, end), daemon=True)
            self._running[one.name] = end, thread
            thread.start()

    def close(self, name: str) -> None:
        """Close a consumer."""
        end, thread = self._running.pop(name)
        end.set()
        thread.join(30)

    def close_all(self) -> None:
        """Close the consumers that a test left running."""
        for name in list(self._running):
            self.close(name)


def _as_java_asks(consumer: ToStart) -> dict[str, Any]:
    config = {**_USUAL, "metadata.max.age.ms": "1000", **consumer.config}
    strategy = consumer.config.get("partition.assignment.strategy")
    if strategy is not None:
        classes = [JAVA_CLASSES[name] for name in strategy.split(",")]
        config = {**_CLASSIC, **config, "partition.assignment.strategy": ",".join(classes)}
    return {"name": consumer.name, "config": config, "topics": list(consumer.topics)}


def _poll(consumer: Consumer, end: Event) -> None:
    while not end.is_set():
        consumer.poll(_PAUSE_S)
    consumer.close()
