"""Run librdkafka's assignors on groups, through confluent-kafka.

Only a client that leads a group calls them. For each group, one consumer therefore joins it on a
fake broker, which names that client the leader of all the group's members. Reads group JSON with a
strategy, one per line, and writes {"assignment": {member: [[topic, partition], ...]}} for each. The
clients are not closed, because closing one that is not polled can hang; they end with the process.
"""

import json
import os
import sys
from typing import Any, Final

from confluent_kafka import Consumer

from assignors.clients.librdkafka_sticky import named_by_a_broker
from assignors.numbering import Member
from benchmarks.broker import Replicas, listening

_ANSWER_TIMEOUT_S: Final = 20
_NO_RACK: Final = 0
"""The broker without a rack; each of the others has its own rack."""
_HELPER: Final = "oracle-helper"
"""The topic the client itself subscribes to; no member of any group does."""
_KEPT: Final[list[Consumer]] = []


def answer(group: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Return the real library's assignment; empty if no member subscribes to anything."""
    if not any(member["topics"] for member in group["members"]):
        return {}
    strategy = group["strategy"].removeprefix("librdkafka-")
    racks = sorted({r for t in group["topics"].values() for row in t.get("racks", ()) for r in row})
    members = [_member(member) for member in group["members"]]
    with listening(strategy, members, _topics(group, racks), racks=[None, *racks]) as broker:
        consumer = Consumer(
            {
                "bootstrap.servers": broker.address,
                "group.id": "oracle",
                "partition.assignment.strategy": strategy,
                "log_level": 0,
            }
        )
        _KEPT.append(consumer)
        consumer.subscribe([_HELPER])
        _, assigned = broker.led(_ANSWER_TIMEOUT_S)
    found: dict[str, list[list[Any]]] = {}
    for member, topic, partitions in assigned:
        found.setdefault(member, []).extend([topic, p] for p in partitions)
    return {member: sorted(pairs) for member, pairs in found.items()}


def _member(member: dict[str, Any]) -> Member:
    """Return the member as librdkafka joins: without client.rack, its rack is empty, not null."""
    fields = ("id", "topics", "instance_id", "owned", "generation")
    known = {field: member[field] for field in fields if member.get(field) is not None}
    return Member(**known, rack=member.get("rack") or "")


def _topics(group: dict[str, Any], racks: list[str]) -> dict[str, Replicas]:
    asked = [topic for member in group["members"] for topic in member["topics"]]
    listed = sorted(set(asked))
    known = {name: topic for name, topic in group["topics"].items() if topic["partitions"]}
    topics: dict[str, Replicas] = {_HELPER: [[_NO_RACK]]}
    topics |= {name: [] for name in listed if name not in known}
    for place in named_by_a_broker(asked, listed):
        if topic := known.get(listed[place]):
            rows = topic.get("racks") or [[]] * topic["partitions"]
            replicas = [[1 + racks.index(rack) for rack in row] or [_NO_RACK] for row in rows]
            topics[listed[place]] = replicas
    return topics


def main() -> None:
    """Process standard input line by line."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps({"assignment": answer(json.loads(line))}) + "\n")
        sys.stdout.flush()
    os._exit(0)  # without closing the clients


if __name__ == "__main__":
    main()
