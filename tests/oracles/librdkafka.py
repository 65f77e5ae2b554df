"""Asks librdkafka's assignors about groups, through confluent-kafka.

Only a client that leads a group calls them. So for each group one consumer joins it at a
stand-in for a broker, which names that client the leader of all the group's members. Reads
group JSON with a strategy, one a line, and writes {"assignment": {member: [[topic, partition],
...]}} for each. The clients are left as they are and end with the process: closing one that
nobody polls can hang.
"""

import json
import os
import socket
import sys
from contextlib import suppress
from queue import Queue
from threading import Thread
from typing import Any, Final

from confluent_kafka import Consumer
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer.group import (
    HeartbeatResponse,
    JoinGroupResponse,
    LeaveGroupResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)
from kafka.protocol.metadata import (
    ApiVersionsResponse,
    FindCoordinatorResponse,
    MetadataResponse,
)

from assignors.clients.librdkafka_sticky import named_by_a_broker

_CHECKED_FOR: Final = (0, 1, 2, 8, 9)
"""Produce, fetch and offsets: the client wants to see them, though this group never gets there."""
_NEWEST_CHECKED_FOR: Final = 2
_UNSUPPORTED_VERSION: Final = 35
_UNKNOWN_TOPIC: Final = 3
_ANSWER_TIMEOUT_S: Final = 20
_PADDING: Final = bytes(1 << 14)
"""The client sizes its memory by the answer's length, too small for many small topics."""
_NO_RACK: Final = 0
"""The broker that stands in no rack; the others stand in one each."""
_HELPER: Final = "oracle-helper"
"""The topic the client itself subscribes to; no member of any group does."""


def answer(group: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Return what the real library assigns; nothing where no member subscribes to anything."""
    if not any(member["topics"] for member in group["members"]):
        return {}
    strategy = group["strategy"].removeprefix("librdkafka-")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assigned: Queue[dict[str, list[list[Any]]]] = Queue()
        answers = _answers(group, strategy, *listening.getsockname())
        Thread(target=_listen, args=(listening, answers, assigned), daemon=True).start()
        host, port = listening.getsockname()
        consumer = Consumer(
            {
                "bootstrap.servers": f"{host}:{port}",
                "group.id": "oracle",
                "partition.assignment.strategy": strategy,
                "log_level": 0,
            }
        )
        _KEPT.append(consumer)
        consumer.subscribe([_HELPER])
        return assigned.get(timeout=_ANSWER_TIMEOUT_S)


_KEPT: Final[list[Consumer]] = []


def _answers(group: dict[str, Any], strategy: str, host: str, port: int) -> dict[int, ApiMessage]:
    racks = sorted({r for t in group["topics"].values() for row in t.get("racks", ()) for r in row})
    broker_of = {rack: number for number, rack in enumerate(racks, _NO_RACK + 1)}
    brokers = [(number, host, port, rack) for rack, number in broker_of.items()]
    leader = group["members"][0]["id"]
    members = [(m["id"], m.get("instance_id"), _subscription(m)) for m in group["members"]]
    nothing = ConsumerProtocolAssignment([], b"", version=0).encode()
    answers: list[ApiMessage] = [
        MetadataResponse(
            brokers=[(_NO_RACK, host, port, None), *brokers],
            controller_id=_NO_RACK,
            topics=_topics(group, broker_of),
            version=1,
        ),
        FindCoordinatorResponse(error_code=0, node_id=_NO_RACK, host=host, port=port, version=0),
        JoinGroupResponse(
            error_code=0,
            generation_id=1,
            protocol_name=strategy,
            leader=leader,
            member_id=leader,
            members=members,
            version=5,
        ),
        SyncGroupResponse(error_code=0, assignment=nothing, version=0),
        HeartbeatResponse(error_code=0, version=0),
        LeaveGroupResponse(error_code=0, version=0),
    ]
    spoken = {
        **{each.API_KEY: each.API_VERSION for each in answers},
        ApiVersionsResponse.API_KEY: 0,
    }
    versions = [(key, version, version) for key, version in spoken.items()]
    versions += [(key, 0, _NEWEST_CHECKED_FOR) for key in _CHECKED_FOR]
    answers.append(ApiVersionsResponse(error_code=0, api_keys=versions, version=0))
    return {each.API_KEY: each for each in answers}


def _topics(group: dict[str, Any], broker_of: dict[str, int]) -> list[Any]:
    listed = {topic for member in group["members"] for topic in member["topics"]}
    known = {name: topic for name, topic in group["topics"].items() if topic["partitions"]}
    topics: list[Any] = [(0, _HELPER, False, [(0, 0, _NO_RACK, [_NO_RACK], [_NO_RACK])])]
    topics += [(_UNKNOWN_TOPIC, name, False, []) for name in sorted(listed - set(known))]
    asked = [topic for member in group["members"] for topic in member["topics"]]
    for place in named_by_a_broker(asked, sorted(listed)):
        name = sorted(listed)[place]
        if name not in known:
            continue
        topic = known[name]
        rows = topic.get("racks") or [[]] * topic["partitions"]
        replicas = [[broker_of[rack] for rack in row] or [_NO_RACK] for row in rows]
        partitions = [(0, p, held[0], held, held) for p, held in enumerate(replicas)]
        topics.append((0, name, False, partitions))
    return topics


def _subscription(member: dict[str, Any]) -> bytes:
    owned: dict[str, list[int]] = {}
    for topic, partition in member.get("owned") or ():
        owned.setdefault(topic, []).append(partition)
    generation = member.get("generation")
    subscription = ConsumerProtocolSubscription(
        topics=member["topics"],
        owned_partitions=list(owned.items()),
        generation_id=-1 if generation is None else generation,
        rack_id=member.get("rack"),
        version=3,
    )
    return bytes(subscription.encode())


def _listen(listening: socket.socket, answers: dict[int, ApiMessage], assigned: Queue[Any]) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            arguments = (connection, answers, assigned)
            Thread(target=_serve, args=arguments, daemon=True).start()


def _serve(connection: socket.socket, answers: dict[int, ApiMessage], assigned: Queue[Any]) -> None:
    with connection, connection.makefile("rb") as stream, suppress(OSError):
        while size := stream.read(4):
            request = stream.read(int.from_bytes(size))
            key, version = int.from_bytes(request[:2]), int.from_bytes(request[2:4])
            found = answers[key]
            if key == ApiVersionsResponse.API_KEY and version:
                found = ApiVersionsResponse(error_code=_UNSUPPORTED_VERSION, api_keys=[], version=0)
            body = request[4:8] + found.encode()  # the request's correlation id
            if key == MetadataResponse.API_KEY:
                body += _PADDING
            connection.sendall(len(body).to_bytes(4) + body)
            if key == SyncGroupRequest.API_KEY:
                assigned.put(_assigned(request))


def _assigned(request: bytes) -> dict[str, list[list[Any]]]:
    found = {}
    for each in SyncGroupRequest.decode(request, version=0, header=True).assignments:
        topics = ConsumerProtocolAssignment.decode(each.assignment).assigned_partitions
        pairs = sorted([topic, p] for topic, partitions in topics for p in partitions)
        if pairs:
            found[each.member_id] = pairs
    return found


def main() -> None:
    """Answer line by line."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps({"assignment": answer(json.loads(line))}) + "\n")
        sys.stdout.flush()
    os._exit(0)  # without closing the clients


if __name__ == "__main__":
    main()
