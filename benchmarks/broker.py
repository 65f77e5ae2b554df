"""A stand-in for a Kafka broker: one group, led by the first client that joins.

It answers one version of the few requests that joining a group takes, one thread a connection,
and measures the time between its last answer and the leader's assignment.
"""

import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import sub
from queue import Queue
from threading import Thread
from time import perf_counter
from typing import Any, Final, NamedTuple

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

from assignors.numbering import Member
from benchmarks.competitors import Owned, claims_by_topic
from benchmarks.measuring import Cost

_CHECKED_FOR: Final = (0, 1, 2, 8, 9)
"""Produce, fetch and offsets: clients want to see them, though this group never gets there."""
_NEWEST_CHECKED_FOR: Final = 2
_UNSUPPORTED_VERSION: Final = 35
_UNKNOWN_TOPIC: Final = 3
_WITH_RACK: Final = 3
"""The version of a subscription that holds owned partitions, generation and rack."""
_PADDING: Final = bytes(1 << 14)
"""librdkafka sizes its memory by the answer's length, too small for many small topics."""


class TopicMetadata(NamedTuple):
    """One topic as metadata responses describe it."""

    name: str
    replicas: Sequence[Sequence[int]]
    """Of each partition, by broker; the first one leads. None make the topic unknown."""


class Broker:
    """One group on a port of its own."""

    def __init__(
        self,
        strategy: str,
        members: Sequence[Member],
        topics: Sequence[TopicMetadata],
        racks: Sequence[str | None],
        client_cpu_s: Callable[[], float],
    ) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self._led: Queue[tuple[Cost, list[Owned]]] = Queue()
        self._client_cpu_s = client_cpu_s
        self._idle_since = self._clocks()
        host, port = self.socket.getsockname()
        self.address = f"{host}:{port}"
        leader, nothing = members[0].id, ConsumerProtocolAssignment([], b"", version=0).encode()
        answers: tuple[ApiMessage, ...] = (
            MetadataResponse(
                brokers=[(number, host, port, rack) for number, rack in enumerate(racks)],
                controller_id=0,
                topics=[_described(topic) for topic in topics],
                version=1,
            ),
            FindCoordinatorResponse(error_code=0, node_id=0, host=host, port=port, version=0),
            JoinGroupResponse(
                error_code=0,
                generation_id=1,
                protocol_name=strategy,
                leader=leader,
                member_id=leader,
                members=[(each.id, each.instance_id, _subscription(each)) for each in members],
                version=5,
            ),
            SyncGroupResponse(error_code=0, assignment=nothing, version=0),
            HeartbeatResponse(error_code=0, version=0),
            LeaveGroupResponse(error_code=0, version=0),
        )
        spoken = {ApiVersionsResponse.API_KEY: 0}
        spoken |= {answer.API_KEY: answer.API_VERSION for answer in answers}
        versions = [(key, version, version) for key, version in spoken.items()]
        versions += [(key, 0, _NEWEST_CHECKED_FOR) for key in _CHECKED_FOR]
        greeting, self._refusal = (
            ApiVersionsResponse(error_code=error, api_keys=versions, version=0)
            for error in (0, _UNSUPPORTED_VERSION)
        )
        self._answers = {answer.API_KEY: answer.encode() for answer in (*answers, greeting)}
        self._answers[MetadataResponse.API_KEY] += _PADDING

    def led(self, timeout_s: float) -> tuple[Cost, list[Owned]]:
        """Return what the leader assigns, and at what cost; ``queue.Empty`` after the timeout."""
        return self._led.get(timeout=timeout_s)

    def listen(self) -> None:
        """Serve each client in a thread until the socket closes."""
        with suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        """Answer one client's requests until it disconnects."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, connection.makefile("rb") as stream, suppress(OSError):
            while size := stream.read(4):
                cost = Cost(*map(sub, self._clocks(), self._idle_since))
                request = stream.read(int.from_bytes(size))
                key, version = int.from_bytes(request[:2]), int.from_bytes(request[2:4])
                is_too_new = key == ApiVersionsResponse.API_KEY and version > 0
                answer = self._refusal.encode() if is_too_new else self._answers[key]
                answer = request[4:8] + answer  # the request's correlation id
                connection.sendall(len(answer).to_bytes(4) + answer)
                if key == SyncGroupRequest.API_KEY:
                    self._led.put((cost, list(_assigned(request))))
                elif key in (JoinGroupResponse.API_KEY, MetadataResponse.API_KEY):
                    self._idle_since = self._clocks()

    def _clocks(self) -> Cost:
        """Return what the client has cost so far, and the time."""
        return Cost(self._client_cpu_s(), perf_counter())


@contextmanager
def listening(
    strategy: str,
    members: Sequence[Member],
    topics: Sequence[TopicMetadata],
    *,
    racks: Sequence[str | None] = (None,),
    client_cpu_s: Callable[[], float] = float,
) -> Iterator[Broker]:
    """Yield a listening broker; open connections last until the client disconnects.

    The first member leads. ``racks`` are those of the brokers in its metadata.
    """
    broker = Broker(strategy, members, topics, racks, client_cpu_s)
    Thread(target=broker.listen, daemon=True).start()
    yield broker
    broker.socket.shutdown(socket.SHUT_RDWR)
    broker.socket.close()


def _described(topic: TopicMetadata) -> tuple[int, str, bool, list[tuple[Any, ...]]]:
    rows = [(0, p, held[0], list(held), list(held)) for p, held in enumerate(topic.replicas)]
    return (0 if rows else _UNKNOWN_TOPIC, topic.name, False, rows)


def _subscription(member: Member) -> bytes:
    subscription = ConsumerProtocolSubscription(
        topics=list(member.topics),
        owned_partitions=claims_by_topic(member),
        generation_id=-1 if member.generation is None else member.generation,
        rack_id=member.rack,
        version=_WITH_RACK,
    )
    return bytes(subscription.encode())


def _assigned(request: bytes) -> Iterable[Owned]:
    for each in SyncGroupRequest.decode(request, version=0, header=True).assignments:
        for topic, partitions in ConsumerProtocolAssignment.decode(
            each.assignment
        ).assigned_partitions:
            yield each.member_id, topic, partitions
