"""librdkafka's assignors, through confluent-kafka.

They can be called by nobody but a client that leads a group. So one consumer joins a
group at a stand-in for a broker, which tells it that it leads all the members of the
workload; what is timed is the leader's silence, from the last answer it needed to its
assignment. That includes taking in the cluster's metadata and writing the answer down.

The consumer has a process of its own (this module, run), which is killed: closing a client
that nobody polls can hang, with every other thread of Python waiting.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Final, cast

from assignors.model import Group, Owners
from benchmarks.broker import Broker, Led
from benchmarks.measuring import (
    Budget,
    Competitor,
    Cost,
    Measured,
    UnavailableError,
    medians,
    repeated,
)
from benchmarks.workloads import LIBRDKAFKA

_STRATEGIES: Final = frozenset({"range", "roundrobin", "cooperative-sticky"})
_PATIENCE_S: Final = 120.0


@contextmanager
def competitor() -> Iterator[Competitor]:
    """Yield librdkafka.

    Raises UnavailableError if confluent-kafka is not installed, or not on Linux.
    """
    if sys.platform != "linux":
        message = "only Linux tells the CPU time of another process"
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
    return Measured(medians([cost for cost, _ in runs]), len(runs), _owners(group, runs[0][1]))


def _run(strategy: str, group: Group) -> tuple[Cost, Led]:
    command = [sys.executable, "-m", "benchmarks.librdkafka"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as client:
        try:
            with Broker(strategy, group, _cpu_clock(client.pid)) as broker:
                orders = (broker.address, strategy, *group.topics)
                print(*orders, file=cast("IO[str]", client.stdin), flush=True)
                led = broker.led(_PATIENCE_S)
        finally:
            client.kill()
    return led.cost, led


def _cpu_clock(pid: int) -> Callable[[], float]:
    """Return what reads the seconds of CPU that a process has used."""
    # The clock that clock_getcpuclockid(3) gives for a process; Python does not offer the call.
    clock = (~pid << 3) | 2
    return lambda: time.clock_gettime(clock)


def _owners(group: Group, led: Led) -> Owners:
    owners = group.nobody()
    first = dict(zip(group.topics, group.topic_starts.tolist(), strict=False))
    number = {member: m for m, member in enumerate(group.members)}
    for member, topic, partitions in led.assigned:
        owners[[first[topic] + partition for partition in partitions]] = number[member]
    return owners


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
