"""A group of consumers without a broker: only what the protocol passes between them."""

from collections.abc import Collection, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from aiokafka.coordinator.protocol import (
    ConsumerProtocolMemberAssignment,
    ConsumerProtocolMemberMetadata,
)
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)
from kafka_assignments_plugins import for_aiokafka, for_kafka_python
from kafka_assignments_plugins.offsets import OffsetsRead
from kafka_assignments_plugins.user_data import Partition, UserData

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of

CLIENT = {"bootstrap_servers": "localhost:9"}


class Broker:
    """Lags of partitions, as offsets that a leader reads; counts how often it does."""

    def __init__(self, sizes: Mapping[str, int], lags: Mapping[Partition, int]) -> None:
        self.sizes, self.lags, self.reads = sizes, dict(lags), 0

    def partitions_for_topic(self, topic: str) -> set[int]:
        return set(range(self.sizes[topic]))

    def read(self, offsets: OffsetsRead, partitions: Sequence[Partition]) -> None:
        self.reads += 1
        offsets.committed = dict.fromkeys(partitions, 0)
        offsets.end = {partition: self.lags[partition] for partition in partitions}
        offsets.arrived = dict.fromkeys(partitions, 0)

    def group(self, owned: Mapping[str, Sequence[Partition]]) -> Group:
        topics = {
            topic: Topic(size, lags=[self.lags[topic, p] for p in range(size)])
            for topic, size in self.sizes.items()
        }
        members = [Member(id=m, topics=list(topics), owned=list(ps)) for m, ps in owned.items()]
        return group_of(topics, members)


class Cooperative:
    """Consumers of kafka-python: each keeps what the next assignment still gives it."""

    def __init__(self, broker: Broker) -> None:
        self.broker, self.generation, self.was_missed = broker, 0, False
        self.owned: dict[str, set[Partition]] = {}
        self.assignors: dict[str, for_kafka_python.LoadStickyAssignor] = {}

    def join(self, member: str) -> None:
        self.owned[member] = set()
        self.assignors[member] = for_kafka_python.LoadStickyAssignor(
            "g", CLIENT, read=self.broker.read, horizon_s=0
        )

    def leave(self, member: str) -> None:
        del self.owned[member], self.assignors[member]

    def round(self, leader: str, misses: Collection[str] = (), liars: Collection[str] = ()) -> bool:
        """Rebalance once; return whether somebody gave something up, so that all join again.

        ``liars`` say in their user data that they own and were promised everything, in a generation
        that no client knows of.

        ``misses`` names members that fetch their assignment only after others have given something
        up and joined again, so that they never get it.
        """
        members = []
        for member, assignor in self.assignors.items():
            sent = assignor.metadata(self.broker.sizes).encode()
            metadata = ConsumerProtocolSubscription.decode(sent)
            if member in liars:
                metadata.user_data = lie(self.broker)
            members.append(SimpleNamespace(member_id=member, metadata=metadata))
        found = self.assignors[leader].assign(self.broker, members)
        self.generation += 1
        now = {m: {(p.topic, p.partition) for p in each.partitions()} for m, each in found.items()}
        giving = {member for member, held in self.owned.items() if held - now[member]}
        self.was_missed = bool(misses) and not giving.issubset(misses)
        for member, assignment in found.items():
            others = [held for name, held in self.owned.items() if name != member]
            assert not any(now[member] & held for held in others)
            if self.was_missed and member in misses:
                now[member] = self.owned[member]
            else:
                received = ConsumerProtocolAssignment.decode(assignment.encode())
                self.assignors[member].on_assignment(received, self.generation)
        self.owned = now
        return bool(giving)


class Eager:
    """Consumers of aiokafka: all give up everything, and say what they owned."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.assignors: dict[str, for_aiokafka.LoadStickyAssignor] = {}
        self.owned: dict[str, list[Partition]] = {}

    def join(self, member: str, **settings: Any) -> None:  # noqa: ANN401 -- handed through
        self.owned[member] = []
        self.assignors[member] = for_aiokafka.LoadStickyAssignor(
            "g", CLIENT, **{"read": self.broker.read, "horizon_s": 0, **settings}
        )

    def rebalance(self, leader: str, liars: Collection[str] = ()) -> None:
        members = {
            member: ConsumerProtocolMemberMetadata.decode(
                assignor.metadata(self.broker.sizes).encode()
            )
            for member, assignor in self.assignors.items()
        }
        for member in liars:
            members[member] = ConsumerProtocolMemberMetadata(
                0, list(self.broker.sizes), lie(self.broker)
            )
        for member, assignment in self.assignors[leader].assign(self.broker, members).items():
            received = ConsumerProtocolMemberAssignment.decode(assignment.encode())
            self.assignors[member].on_assignment(received)
            self.owned[member] = [(each.topic, each.partition) for each in received.partitions()]


def lie(broker: Broker) -> bytes:
    """Return user data that claims everything, in the last generation there can be."""
    everything = tuple((t, p) for t, size in broker.sizes.items() for p in range(size))
    return UserData(2**31 - 1, everything, everything).encoded()
