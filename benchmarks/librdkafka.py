"""librdkafka's assignors, through confluent-kafka.

Only a client that leads a group calls them. So one consumer joins a group at a stand-in for a
broker, which makes it the leader of all members of the workload; the time measured runs from
the last answer the leader needs to its assignment, and includes reading the cluster's metadata
and encoding the assignment.

The consumer runs in a process of its own (this module), which is killed: closing a client that
nobody polls can hang, and block every other thread of Python.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Final, cast

from assignors.model import Group
from assignors.naming import member_records
from benchmarks.broker import Led, TopicMetadata, listening
from benchmarks.measuring import (
    Budget,
    Competitor,
    Cost,
    Measured,
    UnavailableError,
    medians,
    owners_of,
    repeated,
)
from benchmarks.workloads import LIBRDKAFKA

_STRATEGIES: Final = frozenset({"range", "roundrobin", "cooperative-sticky"})
_TIMEOUT_S: Final = 120.0


@contextmanager
def competitor() -> Iterator[Competitor]:
    """Yield librdkafka.

    Raises UnavailableError if confluent-kafka is not installed, or not on Linux.
    """
    if sys.platform != "linux":
        message = "only Linux reports the CPU time of another process"
        raise UnavailableError(message)
    try:
        version = import_module("confluent_kafka").libversion()[0]
    except ImportError as error:
        message = "the package confluent-kafka is not installed"
        raise UnavailableError(message) from error
    yield Competitor(LIBRDKAFKA, version, _STRATEGIES, _measure)


def _measure(strategy: str, group: Group, budget: Budget) -> Measured:
    """Return the medians; every run is a new client and a new group."""
    runs = list(repeated(lambda: _run(strategy, group), budget))
    owners = owners_of(group, runs[0][1].assigned)
    return Measured(medians([cost for cost, _ in runs]), len(runs), owners)


def _run(strategy: str, group: Group) -> tuple[Cost, Led]:
    command = [sys.executable, "-m", "benchmarks.librdkafka"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as client:
        try:
            clock = _cpu_clock(client.pid)
            with listening(
                strategy, member_records(group), _topics(group), client_cpu_s=clock
            ) as broker:
                orders = (broker.address, strategy, *group.topics)
                print(*orders, file=cast("IO[str]", client.stdin), flush=True)
                led = broker.led(_TIMEOUT_S)
        finally:
            client.kill()
    return led.cost, led


def _topics(group: Group) -> list[TopicMetadata]:
    """Return every topic, held by the one broker."""
    sizes = group.topic_sizes.tolist()
    return [
        TopicMetadata(name, [[0]] * size) for name, size in zip(group.topics, sizes, strict=True)
    ]


def _cpu_clock(pid: int) -> Callable[[], float]:
    """Return what reads the seconds of CPU that a process has used."""
    # The clock that clock_getcpuclockid(3) gives for a process; Python does not offer the call.
    clock = (~pid << 3) | 2
    return lambda: time.clock_gettime(clock)


def _consume(address: str, strategy: str, *topics: str) -> None:
    """Take part in the group until killed, or nobody is left to do it."""
    consumer = import_module("confluent_kafka").Consumer(
        {
            "bootstrap.servers": address,
            "group.id": "bench",
            "partition.assignment.strategy": strategy,
        }
    )
    consumer.subscribe(list(topics))
    sys.stdin.read()
    os._exit(0)  # without closing the consumer


if __name__ == "__main__":
    _consume(*sys.stdin.readline().split())
