"""What Streams and Connect write into the bytes that members of classic groups send and receive.

Sources: ``ConsumerProtocolSubscription``, ``ConsumerProtocolAssignment``, ``SubscriptionInfoData``
and ``AssignmentInfo`` of Kafka Streams (versions 7 to 11), ``ConnectProtocol`` and
``IncrementalCooperativeConnectProtocol`` of Connect. All numbers are big-endian. Bytes of another
form are none: every function returns None for them.
"""

import struct
from typing import Final, NamedTuple
from uuid import UUID

from live.model import NamedPartition

_MOST: Final = 1_000_000
"""Entries of a list; a longer one is no list of theirs."""
_OLDEST, _FLAT, _TAGGED, _NEWEST = 7, 10, 11, 11
"""The versions from which on sums stand, stand without nesting, and client tags follow."""

TaskId = tuple[int, int]
"""Sub-topology and partition."""
ConnectWork = tuple[str, int]
"""A connector and a task's number, -1 for the connector itself."""


class StreamsReport(NamedTuple):
    """What a thread told its leader when it joined last."""

    process: str
    offset_sums: dict[TaskId, int]
    """-2: it runs here."""
    tags: dict[str, str]


class StreamsOrder(NamedTuple):
    """What a thread was assigned."""

    partitions: tuple[NamedPartition, ...]
    """Sorted; one for each entry of ``active``, in its order."""
    active: tuple[TaskId, ...]
    """A task stands once for every topic that it reads."""
    standby: tuple[TaskId, ...]
    """Warm-ups included."""


class WorkerState(NamedTuple):
    """What a worker of Connect runs, in the order in which it reports it."""

    leader: str
    holds: tuple[ConnectWork, ...]
    delay_ms: int


class _Reader:
    """Reads one value after another; raises struct.error where the bytes end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(f">{form}", self._data, self._at)
        self._at += struct.calcsize(f">{form}")
        return int(value)

    def count(self) -> int:
        count = self.number("i")
        if not -1 <= count <= _MOST:
            message = "not a list"
            raise struct.error(message)
        return max(count, 0)

    def take(self, size: int) -> bytes:
        data = self._data[self._at : self._at + size]
        if size < 0 or len(data) < size:
            message = "too short"
            raise struct.error(message)
        self._at += size
        return data

    def text(self) -> str:
        size = self.number("h")
        return self.take(size).decode() if size >= 0 else ""

    def blob(self) -> bytes:
        size = self.number("i")
        return self.take(size) if size >= 0 else b""

    def numbers(self) -> list[int]:
        return [self.number("i") for _ in range(self.count())]


def streams_report(metadata: bytes) -> StreamsReport | None:
    """Return what a thread of Streams told when it joined; None if it is another consumer's."""
    try:
        outer = _Reader(metadata)
        outer.number("h")
        for _ in range(outer.count()):
            outer.text()
        return _report(_Reader(outer.blob()))
    except (struct.error, ValueError):
        return None


def _report(reader: _Reader) -> StreamsReport | None:
    version = reader.number("i")
    reader.number("i")
    if not _OLDEST <= version <= _NEWEST:
        return None
    process = str(UUID(bytes=reader.take(16)))
    reader.blob()  # its endpoint
    sums: dict[TaskId, int] = {}
    for _ in range(reader.count()):
        subtopology = reader.number("i")
        if version >= _FLAT:
            partition = reader.number("i")
            sums[subtopology, partition] = reader.number("q")
            reader.text()  # a named topology
        else:
            for _ in range(reader.count()):
                partition = reader.number("i")
                sums[subtopology, partition] = reader.number("q")
    tags: dict[str, str] = {}
    if version >= _TAGGED:
        reader.number("b")
        reader.number("i")
        for _ in range(reader.count()):
            key = reader.blob().decode()
            tags[key] = reader.blob().decode()
    return StreamsReport(process, sums, tags)


def streams_order(assignment: bytes) -> StreamsOrder | None:
    """Return what a thread of Streams was assigned; None for other bytes."""
    try:
        outer = _Reader(assignment)
        outer.number("h")
        partitions = [
            (topic, number)
            for topic, numbers in [(outer.text(), outer.numbers()) for _ in range(outer.count())]
            for number in numbers
        ]
        reader = _Reader(outer.blob())
        version = reader.number("i")
        reader.number("i")
        if not _OLDEST <= version <= _NEWEST:
            return None
        active = tuple(_task(reader, version) for _ in range(reader.count()))
        standby = []
        for _ in range(reader.count()):
            standby.append(_task(reader, version))
            for _ in range(reader.count()):
                reader.text()
                reader.number("i")
    except (struct.error, ValueError):
        return None
    return StreamsOrder(tuple(sorted(partitions)), active, tuple(standby))


def _task(reader: _Reader, version: int) -> TaskId:
    task = reader.number("i"), reader.number("i")
    if version >= _FLAT:
        reader.blob()  # a named topology
    return task


def worker_state(metadata: bytes, assignment: bytes) -> WorkerState | None:
    """Return what a worker holds: newly assigned, then held before, less what it stopped.

    None for other bytes, and for a worker that has not been assigned anything yet.
    """
    try:
        report = _Reader(metadata)
        version = report.number("h")
        if version < 0:
            return None
        report.text()
        report.number("q")
        before = report.blob() if version >= 1 else b""
        held = _work(before)[1] if before else ()
        leader, assigned, revoked, delay_ms = _work(assignment)
    except (struct.error, ValueError):
        return None
    kept = [each for each in held if each not in revoked and each not in assigned]
    return WorkerState(leader, (*assigned, *kept), delay_ms)


def _work(data: bytes) -> tuple[str, tuple[ConnectWork, ...], tuple[ConnectWork, ...], int]:
    """Return leader, assigned and revoked work, and the delay."""
    reader = _Reader(data)
    version = reader.number("h")
    reader.number("h")
    leader = reader.text()
    reader.text()
    reader.number("q")
    assigned = _connectors(reader)
    if version < 1:
        return leader, assigned, (), 0
    return leader, assigned, _connectors(reader), reader.number("i")


def _connectors(reader: _Reader) -> tuple[ConnectWork, ...]:
    return tuple(
        (connector, number)
        for connector, numbers in [(reader.text(), reader.numbers()) for _ in range(reader.count())]
        for number in numbers
    )
