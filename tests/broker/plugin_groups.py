"""Groups of real Java consumers that run the assignors of ``plugins/``, event by event."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import Any, Final, NamedTuple

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from assignors.naming import assignment_of
from assignors.registry import STRATEGIES
from evaluation.judging import LAG, judged
from sources.group_json import decode
from tests.broker.consumers import JavaClient, ToStart
from tests.broker.java_harness import Harness
from tests.broker.kafka_node import Cluster
from tests.broker.plugin_rounds import Held

_TIMEOUT_S: Final = 60
_PAUSE_S: Final = 0.1
_SAW: Final = "saw {"


class Settled(NamedTuple):
    """A group after an event, once all its partitions are owned."""

    owned: Held
    """Member id -> its partitions."""
    of: Mapping[str, set[tuple[str, int]]]
    """The same by the consumers' names."""
    rounds: int
    """How many rounds the event took that every consumer heard the end of.

    One that fetches its assignment after others have joined again does not (SyncGroup fails with
    REBALANCE_IN_PROGRESS), and there is a round more.
    """
    seen: list[dict[str, Any]]
    """What leaders logged meanwhile, as group JSON."""

    @property
    def is_as_predicted(self) -> bool:
        """Whether the owners are those that follow from what the last leader that read saw.

        A round that only keeps promises reads nothing. Consumers that start together may still join
        one after the other.
        """
        return bool(self.seen) and self.owned == predicted(self.seen[-1])


@dataclass
class PluginGroup:
    """One group on a cluster; the consumers run in a harness."""

    harness: Harness
    servers: str
    name: str
    topics: dict[str, int]
    config: dict[str, str] = field(default_factory=dict)
    """Properties of every consumer, in addition to the usual ones."""
    running: dict[str, Harness] = field(default_factory=dict)
    generation: int = 0
    """The newest one that has settled."""
    _read: int = 0

    def start(
        self, *names: str, harness: Harness | None = None, config: Mapping[str, str] | None = None
    ) -> None:
        """Start consumers at the same time; ``config`` replaces properties."""
        run_by = harness or self.harness
        usual = {
            "bootstrap.servers": self.servers,
            "group.id": self.name,
            "partition.assignment.strategy": "load-sticky",
            "assignor.load.log.inputs": "true",
            **self.config,
            **(config or {}),
        }
        JavaClient(run_by).start(
            *(
                ToStart(f"{self.name}/{one}", {**usual, "client.id": one}, list(self.topics))
                for one in names
            )
        )
        self.running.update(dict.fromkeys(names, run_by))

    def close(self, name: str) -> None:
        """Let a consumer leave."""
        JavaClient(self.running.pop(name)).close(f"{self.name}/{name}")

    def rebalance(self) -> None:
        """Let the first consumer join again."""
        name, harness = next(iter(self.running.items()))
        harness.ask("rebalance", name=f"{self.name}/{name}")

    def settle(self, timeout_s: float = _TIMEOUT_S) -> Settled:
        """Wait until all consumers are in one new generation and own every partition, once."""
        until = time.monotonic() + timeout_s
        states: dict[str, Any] = {}
        while time.monotonic() < until:
            states = self._states()
            heard = [{int(generation) for generation in each["held"]} for each in states.values()]
            newest = {max(generations, default=0) for generations in heard}
            if len(newest) == 1 and (generation := newest.pop()) > self.generation:
                held = {
                    name: {(t, p) for t, p in each["held"][str(generation)]}
                    for name, each in states.items()
                }
                owned = [place for places in held.values() for place in places]
                if len(owned) == len(set(owned)) == sum(self.topics.values()):
                    rounds = sum(each > self.generation for each in set.intersection(*heard))
                    self.generation = generation
                    by_id = {states[name]["member"]: places for name, places in held.items()}
                    return Settled(by_id, held, rounds, self._new_lines())
            time.sleep(_PAUSE_S)
        message = f"{self.name} did not settle: {states}"
        raise AssertionError(message)

    @property
    def newest(self) -> dict[str, tuple[int, set[tuple[str, int]]]]:
        """Each consumer's newest generation, and what it holds in it; 0 and nothing at first."""
        newest = {}
        for name, state in self._states().items():
            generation = max(map(int, state["held"]), default=0)
            places = state["held"].get(str(generation), ())
            newest[name] = generation, {(t, p) for t, p in places}
        return newest

    @property
    def held_twice(self) -> list[str]:
        """What two consumers of the group held at once, ever, as far as one process can see."""
        told = self.harness.ask("state")["held_twice"]
        return [line for line in told if line.startswith(f"{self.name}: ")]

    def _states(self) -> dict[str, Any]:
        told = {id(h): h.ask("state")["readers"] for h in self.running.values()}
        return {name: told[id(h)][f"{self.name}/{name}"] for name, h in self.running.items()}

    def _new_lines(self) -> list[dict[str, Any]]:
        """Return what leaders of this group have logged since the last call."""
        seen = [each for each in leaders_saw(self.harness) if each["id"] == self.name]
        new, self._read = seen[self._read :], len(seen)
        return new


def leaders_saw(harness: Harness) -> Iterator[dict[str, Any]]:
    """Yield what leaders logged in a process so far, as group JSON."""
    for line in harness.log.read_text().splitlines():
        if _SAW in line:
            yield json.loads(line[line.index(_SAW) + len(_SAW) - 1 :])


def predicted(seen: Mapping[str, Any]) -> Held:
    """Return who owns what after a rebalance whose leader saw this."""
    file = decode(json.dumps(seen))
    weighed = judged(file.group, file.weighed or LAG, file.group.offsets.rates)
    strategy = STRATEGIES[file.strategy or "load-sticky"]
    owned = assignment_of(weighed, strategy.settle(weighed))
    return {member: set(held) for member, held in owned.items()}


def make_topics(
    servers: str, topics: Mapping[str, int], replicas: Mapping[str, Any] | None = None
) -> None:
    """Create topics with so many partitions each, on the given brokers."""
    admin = AdminClient({"bootstrap.servers": servers})
    made = admin.create_topics(
        [
            NewTopic(name, size, **({"replica_assignment": replicas[name]} if replicas else {}))
            for name, size in topics.items()
        ]
    )
    for future in made.values():
        future.result(_TIMEOUT_S)


def coordinator(cluster: Cluster, group: str) -> int:
    """Return the number of the broker that coordinates a group."""
    admin = AdminClient({"bootstrap.servers": cluster.bootstrap})
    node: int = admin.describe_consumer_groups([group])[group].result(_TIMEOUT_S).coordinator.id
    return node


def fill(servers: str, counts: Mapping[tuple[str, int], int]) -> None:
    """Write so many records to each partition."""
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 20})
    for (topic, partition), count in counts.items():
        for _ in range(count):
            producer.produce(topic, b"record", partition=partition, on_delivery=None)
        producer.poll(0)
    assert producer.flush(_TIMEOUT_S) == 0


@contextmanager
def traffic(servers: str, rates: Mapping[tuple[str, int], float]) -> Iterator[None]:
    """Write records to each partition at its rate per second, in a thread."""
    end = Event()
    thread = Thread(target=partial(_produce, servers, rates, end.is_set), daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(_TIMEOUT_S)


def _produce(
    servers: str, rates: Mapping[tuple[str, int], float], is_over: Callable[[], bool]
) -> None:
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 20})
    written, start = dict.fromkeys(rates, 0), time.monotonic()
    while not is_over():
        elapsed = time.monotonic() - start
        for (topic, partition), rate in rates.items():
            for _ in range(int(rate * elapsed) - written[topic, partition]):
                producer.produce(topic, b"record", partition=partition)
            written[topic, partition] = max(int(rate * elapsed), written[topic, partition])
        producer.poll(_PAUSE_S)
    producer.flush(_TIMEOUT_S)
