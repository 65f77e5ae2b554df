"""A broker that coordinates thousands of groups which do not exist, for ``benchmarks.watch``.

It answers what librdkafka's admin client asks, in versions without tagged fields. Every group reads
a topic of its own, with five consumers; one group in a hundred has a consumer that stopped.
"""

import socket
import socketserver
import struct
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

HOST: Final = "127.0.0.1"
CONSUMERS: Final = 5
_LIST_OFFSETS, _METADATA, _OFFSET_FETCH, _FIND_COORDINATOR = 2, 3, 9, 10
_DESCRIBE_GROUPS, _LIST_GROUPS, _API_VERSIONS, _DESCRIBE_CONFIGS = 15, 16, 18, 32
_VERSIONS: Final = {
    _LIST_OFFSETS: 3,
    _METADATA: 8,
    _OFFSET_FETCH: 5,
    _FIND_COORDINATOR: 2,
    _DESCRIBE_GROUPS: 4,
    _LIST_GROUPS: 2,
    _API_VERSIONS: 3,
    _DESCRIBE_CONFIGS: 1,
}
_STOPPED_EVERY: Final = 100
_EARLIEST: Final = -2
_NO_OPERATIONS: Final = -(2**31)


class _Request:
    """The fields of a request, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self, form: str) -> int:
        """Return a number of this form of ``struct``."""
        (value,) = struct.unpack_from(f">{form}", self._data, self._at)
        self._at += struct.calcsize(f">{form}")
        return int(value)

    def text(self) -> str:
        """Return a string; "" for null."""
        size = max(self.number("h"), 0)
        self._at += size
        return self._data[self._at - size : self._at].decode()

    def texts(self) -> list[str]:
        """Return an array of strings; [] for null."""
        return [self.text() for _ in range(self.number("i"))]


def _text(text: str | None) -> bytes:
    if text is None:
        return struct.pack(">h", -1)
    data = text.encode()
    return struct.pack(">h", len(data)) + data


def _array(items: list[bytes]) -> bytes:
    return struct.pack(">i", len(items)) + b"".join(items)


class SimulatedBroker:
    """The groups, and the answers on them."""

    def __init__(self, groups: int, partitions: int) -> None:
        self.port = 0
        self._partitions = partitions
        self._names = [f"group-{number:05}" for number in range(groups)]
        self._began_s = time.time() - 3_600
        rows = [(0, number, 0, 0, 1, 0, 1, 0, 0) for number in range(partitions)]
        form = ">i2,>i4,>i4,>i4,>i4,>i4,>i4,>i4,>i4"
        self._metadata_rows = np.array(rows, form).tobytes()
        self._answers: Mapping[int, Callable[[_Request], bytes]] = {
            _LIST_OFFSETS: self._offsets,
            _METADATA: self._metadata,
            _OFFSET_FETCH: self._committed,
            _FIND_COORDINATOR: self._coordinator,
            _DESCRIBE_GROUPS: self._described,
            _LIST_GROUPS: self._listed,
            _DESCRIBE_CONFIGS: self._configs,
        }

    def answer(self, data: bytes) -> bytes:
        """Return the response to a request, without its length."""
        request = _Request(data)
        key, _, correlation = request.number("h"), request.number("h"), request.number("i")
        request.text()
        head = struct.pack(">i", correlation)
        if key == _API_VERSIONS:
            keys = b"".join(
                struct.pack(">hhhb", key, 0, most, 0) for key, most in _VERSIONS.items()
            )
            return (
                head + struct.pack(">hb", 0, len(_VERSIONS) + 1) + keys + struct.pack(">ib", 0, 0)
            )
        return head + self._answers[key](request)

    def _ends(self, topic: str, at_s: float) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        """Return the end offsets of a topic at a time: 20 to 100 records per second each."""
        number = int(topic.rpartition("-")[2])
        rates = 20 + (np.arange(self._partitions) * 7 + number) % 80
        return (rates * (at_s - self._began_s)).astype(np.int64)

    def _offsets(self, request: _Request) -> bytes:
        request.number("i"), request.number("b")
        now_s, topics = time.time(), []
        for _ in range(request.number("i")):
            topic = request.text()
            ends = self._ends(topic, now_s)
            rows = []
            for _ in range(request.number("i")):
                partition, wanted = request.number("i"), request.number("q")
                offset = 0 if wanted == _EARLIEST else int(ends[partition])
                rows.append(struct.pack(">ihqq", partition, 0, -1, offset))
            topics.append(_text(topic) + _array(rows))
        return struct.pack(">i", 0) + _array(topics)

    def _metadata(self, request: _Request) -> bytes:
        topics = [
            struct.pack(">h", 0)
            + _text(name)
            + struct.pack(">bi", 0, self._partitions)
            + self._metadata_rows
            + struct.pack(">i", _NO_OPERATIONS)
            for name in request.texts()
        ]
        brokers = [struct.pack(">i", 0) + _text(HOST) + struct.pack(">i", self.port) + _text(None)]
        head = struct.pack(">i", 0) + _array(brokers) + _text("simulated") + struct.pack(">i", 0)
        return head + _array(topics) + struct.pack(">i", _NO_OPERATIONS)

    def _committed(self, request: _Request) -> bytes:
        group = request.text()
        topic = group.replace("group", "topic")
        offsets = self._ends(topic, time.time() - 2.0)
        if int(group.rpartition("-")[2]) % _STOPPED_EVERY == 0:
            offsets[::CONSUMERS] = self._ends(topic, self._began_s + 3_000)[::CONSUMERS]
        rows = [
            struct.pack(">iqi", partition, offset, -1) + _text("") + struct.pack(">h", 0)
            for partition, offset in enumerate(offsets.tolist())
        ]
        return struct.pack(">i", 0) + _array([_text(topic) + _array(rows)]) + struct.pack(">h", 0)

    def _coordinator(self, _request: _Request) -> bytes:
        return (
            struct.pack(">ih", 0, 0) + _text(None) + struct.pack(">i", 0) + _text(HOST)
        ) + struct.pack(">i", self.port)

    def _described(self, request: _Request) -> bytes:
        groups = [
            struct.pack(">h", 0)
            + b"".join(map(_text, (group, "Stable", "consumer", "range")))
            + _array([self._member(group, number) for number in range(CONSUMERS)])
            + struct.pack(">i", _NO_OPERATIONS)
            for group in request.texts()
        ]
        return struct.pack(">i", 0) + _array(groups)

    def _member(self, group: str, number: int) -> bytes:
        owned = np.arange(number, self._partitions, CONSUMERS)
        topic = _text(group.replace("group", "topic"))
        parts = struct.pack(">i", owned.size) + owned.astype(">i4").tobytes()
        assignment = struct.pack(">hi", 0, 1) + topic + parts + struct.pack(">i", -1)
        client = f"{group}-{number}"
        return (
            _text(f"{client}-4f1c2a9e-0000-4000-8000-00000000000{number}")
            + _text(None)
            + _text(client)
            + _text(f"/10.0.0.{number}")
            + struct.pack(">i", 0)
            + struct.pack(">i", len(assignment))
            + assignment
        )

    def _listed(self, _request: _Request) -> bytes:
        groups = [_text(name) + _text("consumer") for name in self._names]
        return struct.pack(">ih", 0, 0) + _array(groups)

    def _configs(self, request: _Request) -> bytes:
        values = {"cleanup.policy": "delete", "retention.ms": "604800000", "retention.bytes": "-1"}
        entries = [
            _text(name) + _text(value) + struct.pack(">bbb", 0, 5, 0) + _array([])
            for name, value in values.items()
        ]
        answers = []
        for _ in range(request.number("i")):
            kind, name = request.number("b"), request.text()
            request.texts()
            answers.append(
                struct.pack(">h", 0)
                + _text(None)
                + struct.pack(">b", kind)
                + _text(name)
                + _array(entries)
            )
        return struct.pack(">i", 0) + _array(answers)


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        """Answer one request after another."""
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        broker: SimulatedBroker = self.server.broker  # type: ignore[attr-defined]
        while length := self.rfile.read(4):
            answer = broker.answer(self.rfile.read(int.from_bytes(length)))
            self.wfile.write(struct.pack(">i", len(answer)) + answer)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


def main() -> None:
    """Serve this many groups of this many partitions; print the port."""
    broker = SimulatedBroker(int(sys.argv[1]), int(sys.argv[2]))
    with _Server((HOST, 0), _Handler) as server:
        server.broker = broker  # type: ignore[attr-defined]
        broker.port = server.server_address[1]
        sys.stdout.write(f"{broker.port}\n")
        sys.stdout.flush()
        server.serve_forever()


if __name__ == "__main__":
    main()
