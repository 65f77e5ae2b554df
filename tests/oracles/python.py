"""Run the assignors of aiokafka and kafka-python on groups, in process.

The result is None if the library raises.
"""

import json
import logging
import sys
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final

from aiokafka.coordinator.assignors.range import RangePartitionAssignor as AioRange
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor as AioRoundRobin
from aiokafka.coordinator.assignors.sticky.sticky_assignor import (
    StickyPartitionAssignor as AioSticky,
)
from aiokafka.structs import TopicPartition as AioTopicPartition
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription
from kafka.structs import TopicPartition


class _Cluster:
    """The part of a cluster that the assignors use: the topics with their partitions."""

    def __init__(self, group: Mapping[str, Any]) -> None:
        listed = {topic for member in group["members"] for topic in member["topics"]}
        self._partitions = {
            name: set(range(topic["partitions"]))
            for name, topic in group["topics"].items()
            if name in listed and topic["partitions"]
        }

    def topics(self) -> set[str]:
        return set(self._partitions)

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        return self._partitions.get(topic)


def _members(
    group: Mapping[str, Any], told: Callable[[dict[str, Any]], object]
) -> list[SimpleNamespace]:
    return [
        SimpleNamespace(
            member_id=member["id"],
            group_instance_id=member["instance_id"],
            metadata=told(member),
        )
        for member in group["members"]
    ]


def _generation(member: dict[str, Any]) -> int:
    return -1 if member["generation"] is None else int(member["generation"])


def _by_topic(member: dict[str, Any]) -> list[tuple[str, list[int]]]:
    owned: dict[str, list[int]] = {}
    for topic, partition in member["owned"]:
        owned.setdefault(topic, []).append(partition)
    return list(owned.items())


def _plain(member: dict[str, Any]) -> ConsumerProtocolSubscription:
    return ConsumerProtocolSubscription(0, member["topics"], b"")


def _sticky(member: dict[str, Any]) -> ConsumerProtocolSubscription:
    owned = [TopicPartition(topic, partition) for topic, partition in member["owned"]]
    told = StickyPartitionAssignor._metadata(member["topics"], owned, _generation(member))
    return ConsumerProtocolSubscription.decode(told.encode())


def _cooperative(member: dict[str, Any]) -> ConsumerProtocolSubscription:
    assignor = CooperativeStickyAssignor()
    assignor.member_assignment = [TopicPartition(*pair) for pair in member["owned"]]
    return ConsumerProtocolSubscription.decode(assignor.metadata(member["topics"]).encode())


def _of_aiokafka(member: dict[str, Any]) -> object:
    return AioSticky._metadata(
        member["topics"], [AioTopicPartition(*pair) for pair in member["owned"]]
    )


_ASSIGNORS: Final = {
    "aiokafka-range": (AioRange, _of_aiokafka),
    "aiokafka-roundrobin": (AioRoundRobin, _of_aiokafka),
    "aiokafka-sticky": (AioSticky, _of_aiokafka),
    "kafka-python-range": (RangePartitionAssignor, _plain),
    "kafka-python-roundrobin": (RoundRobinPartitionAssignor, _plain),
    "kafka-python-sticky": (StickyPartitionAssignor(), _sticky),
    "kafka-python-cooperative-sticky": (CooperativeStickyAssignor(), _cooperative),
}


def answer(strategy: str, group: dict[str, Any]) -> dict[str, list[list[Any]]] | None:
    """Return the real library's assignment; None if it raises."""
    assignor, told = _ASSIGNORS[strategy]
    members: Any = _members(group, told)
    if strategy.startswith("aiokafka-"):
        members = {member.member_id: member.metadata for member in members}
    try:
        assigned = assignor.assign(_Cluster(group), members)
    except (KeyError, ValueError, AssertionError, IndexError, TypeError):
        return None
    found = {}
    for member, own in assigned.items():
        topics = own.assigned_partitions if hasattr(own, "assigned_partitions") else own.assignment
        pairs = sorted([topic, p] for topic, partitions in topics for p in partitions)
        if pairs:
            found[member] = pairs
    return found


def main() -> None:
    """Process standard input line by line."""
    logging.disable()  # the libraries log every doubtful claim
    for line in sys.stdin:
        group = json.loads(line)
        sys.stdout.write(json.dumps({"assignment": answer(group["strategy"], group)}) + "\n")


if __name__ == "__main__":
    main()
