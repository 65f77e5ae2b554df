"""A fake Kafka broker with one group, led by the first client that joins.

It handles one version of the few requests needed to join a group, one thread per connection, and
measures the time between its last response and the leader's assignment.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from operator import sub
from queue import Queue
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from time import perf_counter
from typing import Any, Final, TypeAlias, cast

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

Replicas: TypeAlias = Sequence[Sequence[int]]
"""The brokers of each partition of a topic, leader first; empty for an unknown topic."""
_CHECKED_FOR: Final = (0, 1, 2, 8, 9)
"""Produce, fetch and offset requests: clients require these APIs, but this group uses none."""
_NEWEST_CHECKED_FOR: Final = 2
_UNSUPPORTED_VERSION: Final = 35
_UNKNOWN_TOPIC: Final = 3
_WITH_RACK: Final = 3
"""The subscription version that has owned partitions, generation and rack."""
_LOOK_EVERY_S: Final = 0.01
"""Polling interval for shutdown."""
_PADDING: Final = bytes(1 << 14)
"""librdkafka sizes its buffer by the response's length, too small for many short topics."""


class _Connection(StreamRequestHandler):
    """Handles one client's requests until it disconnects."""

    disable_nagle_algorithm = True

    def handle(self) -> None:
        """Handle the requests one by one."""
        broker = cast("Broker", self.server)
        with suppress(OSError):
            while size := self.rfile.read(4):
                cost = Cost(*map(sub, broker.clocks(), broker.idle_since))
                request = self.rfile.read(int.from_bytes(size))
                key, version = int.from_bytes(request[:2]), int.from_bytes(request[2:4])
                is_too_new = key == ApiVersionsResponse.API_KEY and version > 0
                answer = broker.refusal if is_too_new else broker.answers[key]
                answer = request[4:8] + answer  # the request's correlation id
                self.wfile.write(len(answer).to_bytes(4) + answer)
                if key == SyncGroupRequest.API_KEY:
                    broker.assigned.put((cost, list(_assigned(request))))
                elif key in (JoinGroupResponse.API_KEY, MetadataResponse.API_KEY):
                    broker.idle_since = broker.clocks()


class Broker(ThreadingTCPServer):
    """A broker with one group, on its own port."""

    daemon_threads = True
    block_on_close = False

    def __init__(
        self,
        join: JoinGroupResponse,
        topics: Mapping[str, Replicas],
        racks: Sequence[str | None],
        client_cpu_s: Callable[[], float],
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.assigned: Queue[tuple[Cost, list[Owned]]] = Queue()
        self._client_cpu_s = client_cpu_s
        self.idle_since = self.clocks()
        host, port = self.socket.getsockname()
        self.address = f"{host}:{port}"
        nothing = ConsumerProtocolAssignment([], b"", version=0).encode()
        answers: tuple[ApiMessage, ...] = (
            MetadataResponse(
                brokers=[(number, host, port, rack) for number, rack in enumerate(racks)],
                controller_id=0,
                topics=[_described(name, replicas) for name, replicas in topics.items()],
                version=1,
            ),
            FindCoordinatorResponse(error_code=0, node_id=0, host=host, port=port, version=0),
            join,
            SyncGroupResponse(error_code=0, assignment=nothing, version=0),
            HeartbeatResponse(error_code=0, version=0),
            LeaveGroupResponse(error_code=0, version=0),
        )
        versions = [(key, 0, _NEWEST_CHECKED_FOR) for key in _CHECKED_FOR]
        versions += [(each.API_KEY, each.API_VERSION, each.API_VERSION) for each in answers]
        versions += [(ApiVersionsResponse.API_KEY, 0, 0)]
        greeting, refusal = (
            ApiVersionsResponse(error_code=error, api_keys=versions, version=0)
            for error in (0, _UNSUPPORTED_VERSION)
        )
        self.refusal = refusal.encode()
        self.answers = {answer.API_KEY: answer.encode() for answer in (*answers, greeting)}
        self.answers[MetadataResponse.API_KEY] += _PADDING

    def led(self, timeout_s: float) -> tuple[Cost, list[Owned]]:
        """Return the leader's assignment and its cost; raises ``queue.Empty`` after the timeout."""
        return self.assigned.get(timeout=timeout_s)

    def clocks(self) -> Cost:
        """Return the client's CPU time so far, and the time."""
        return Cost(self._client_cpu_s(), perf_counter())


@contextmanager
def listening(
    strategy: str,
    members: Sequence[Member],
    topics: Mapping[str, Replicas],
    *,
    racks: Sequence[str | None] = (None,),
    client_cpu_s: Callable[[], float] = float,
) -> Iterator[Broker]:
    """Yield a listening broker; open connections last until the client disconnects.

    The first member leads. ``racks`` are the brokers' racks in its metadata.
    """
    leader = members[0].id
    join = JoinGroupResponse(
        error_code=0,
        generation_id=1,
        protocol_name=strategy,
        leader=leader,
        member_id=leader,
        members=[(each.id, each.instance_id, _subscription(each)) for each in members],
        version=5,
    )
    with Broker(join, topics, racks, client_cpu_s) as broker:
        Thread(target=broker.serve_forever, args=(_LOOK_EVERY_S,), daemon=True).start()
        try:
            yield broker
        finally:
            broker.shutdown()


def _described(name: str, replicas: Replicas) -> tuple[int, str, bool, list[tuple[Any, ...]]]:
    rows = [(0, p, held[0], list(held), list(held)) for p, held in enumerate(replicas)]
    return (0 if rows else _UNKNOWN_TOPIC, name, False, rows)


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
        decoded = ConsumerProtocolAssignment.decode(each.assignment)
        for topic, partitions in decoded.assigned_partitions:
            yield each.member_id, topic, partitions
