"""A stand-in for a Kafka broker: it knows one group, and makes the first client its leader.

It speaks the oldest version of the few requests that joining a group takes, one thread
a connection, and takes the time between its last answer and the leader's assignment.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from operator import sub
from queue import Queue
from threading import Thread
from time import perf_counter
from types import TracebackType
from typing import Final, NamedTuple, Self

from assignors import numbering
from assignors.model import Group
from benchmarks.measuring import Cost
from benchmarks.wire import Reader, array, blob, int16, int32, text

_METADATA, _COORDINATOR, _JOIN, _HEARTBEAT, _LEAVE, _SYNC, _VERSIONS = 3, 10, 11, 12, 13, 14, 18
_SPOKEN: Final = (_METADATA, _COORDINATOR, _JOIN, _HEARTBEAT, _LEAVE, _SYNC, _VERSIONS)
_CHECKED_FOR: Final = (0, 1, 2, 8, 9)
"""Produce, fetch and offsets: clients want to see them, though this group never gets there."""
_NEWEST_CHECKED_FOR: Final = 2
_UNSUPPORTED_VERSION: Final = 35
_BROKER: Final = 1
_GENERATION: Final = 1
_WITH_RACK: Final = 3
"""The version of a subscription that tells owned partitions, generation and rack."""


class Led(NamedTuple):
    """What the leader decided, and what it took."""

    cost: Cost
    assigned: list[tuple[str, str, list[int]]]
    """Member, topic, partitions."""


class Broker:
    """One group on a port of its own, for as long as the ``with`` block lasts."""

    def __init__(self, strategy: str, group: Group, client_cpu_s: Callable[[], float]) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._led: Queue[Led] = Queue()
        self._client_cpu_s = client_cpu_s
        self._idle_since = self._clocks()
        host, port = self._socket.getsockname()
        self.address = f"{host}:{port}"
        nodes = int32(_BROKER) + text(host) + int32(port)
        leader = text(group.members[0])
        members = [
            text(member.id) + blob(_subscription(member)) for member in numbering.members_of(group)
        ]
        no_error = int16(0)
        nothing = blob(int16(0) + array([]) + blob(b""))
        versions = array(
            [int16(key) + int16(0) + int16(0) for key in _SPOKEN]
            + [int16(key) + int16(0) + int16(_NEWEST_CHECKED_FOR) for key in _CHECKED_FOR]
        )
        self._answers = {
            _METADATA: array([nodes]) + _topics(group),
            _COORDINATOR: no_error + nodes,
            _JOIN: no_error + int32(_GENERATION) + text(strategy) + leader + leader
            + array(members),
            _HEARTBEAT: no_error,
            _LEAVE: no_error,
            _SYNC: no_error + nothing,
            _VERSIONS: no_error + versions,
        }  # fmt: skip
        self._refusal = int16(_UNSUPPORTED_VERSION) + versions

    def __enter__(self) -> Self:
        """Begin to listen."""
        Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening; what is connected ends when the client hangs up."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def led(self, patience_s: float) -> Led:
        """Wait for the leader's assignment; ``queue.Empty`` after that many seconds."""
        return self._led.get(timeout=patience_s)

    def _listen(self) -> None:
        with suppress(OSError):  # closed: nobody else will call
            while True:
                connection, _ = self._socket.accept()
                Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        """Answer one client's requests until it hangs up."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, connection.makefile("rb") as stream, suppress(OSError):
            while size := stream.read(4):
                cost = Cost(*map(sub, self._clocks(), self._idle_since))
                request = Reader(stream.read(int.from_bytes(size)))
                key, version, correlation = request.int16(), request.int16(), request.int32()
                answer = self._answers[key]
                if key == _VERSIONS and version > 0:
                    answer = self._refusal
                connection.sendall(blob(int32(correlation) + answer))
                if key == _SYNC:
                    self._led.put(Led(cost, _assigned(request)))
                elif key in (_JOIN, _METADATA):
                    self._idle_since = self._clocks()

    def _clocks(self) -> Cost:
        """Return what the client has cost so far, and the time."""
        return Cost(self._client_cpu_s() * 1000, perf_counter() * 1000)


def _topics(group: Group) -> bytes:
    """Return every topic as a metadata response tells it, led and held by the one broker."""
    held = int32(_BROKER) + array([int32(_BROKER)]) * 2
    return array(
        int16(0) + text(topic) + array(int16(0) + int32(p) + held for p in range(size))
        for topic, size in zip(group.topics, group.topic_sizes.tolist(), strict=True)
    )


def _subscription(member: numbering.Member) -> bytes:
    by_topic: dict[str, list[int]] = {}
    for topic, partition in member.owned:
        by_topic.setdefault(topic, []).append(partition)
    owned = array(text(topic) + array(map(int32, held)) for topic, held in by_topic.items())
    generation = -1 if member.generation is None else member.generation
    wanted, no_user_data, no_rack = array(map(text, member.topics)), int32(-1), int16(-1)
    return int16(_WITH_RACK) + wanted + no_user_data + owned + int32(generation) + no_rack


def _assigned(request: Reader) -> list[tuple[str, str, list[int]]]:
    """Read what follows the head of a SyncGroup request."""
    request.text()  # client
    request.text()  # group
    request.int32()  # generation
    request.text()  # leader
    found = []
    for _ in range(request.int32()):
        member, assignment = request.text(), Reader(request.blob())
        assignment.int16()  # version
        for _ in range(assignment.int32()):
            topic, count = assignment.text(), assignment.int32()
            found.append((member, topic, [assignment.int32() for _ in range(count)]))
    return found
