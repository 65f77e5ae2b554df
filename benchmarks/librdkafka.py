"""librdkafka's assignors, through confluent-kafka.

Only a client that leads a group calls them. One consumer therefore joins a group on a fake broker,
which makes it the leader of all members of the workload. The measured time runs from the last
response the leader needs to its assignment, and includes reading the cluster's metadata and
encoding the assignment.

The consumer runs in a separate process (this module), which is killed: closing a client that is not
polled can hang, and blocks every other Python thread.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import IO, Final, cast

from confluent_kafka import Consumer, libversion

from assignors.model import Group
from assignors.naming import member_records
from benchmarks.broker import listening
from benchmarks.competitors import Competitor, Measured, Owned, owners_of
from benchmarks.measuring import Cost, Repeats, repeated
from benchmarks.workloads import LIBRDKAFKA

_STRATEGIES: Final = frozenset({"range", "roundrobin", "cooperative-sticky"})
_TIMEOUT_S: Final = 120.0


def _measure(strategy: str, group: Group, budget: Repeats) -> Measured:
    """Return the median costs; every run uses a new client and a new group."""
    cost, assigned = repeated(partial(_run, strategy, group), budget)
    return Measured(cost, owners_of(group, assigned))


def _run(strategy: str, group: Group) -> tuple[Cost, list[Owned]]:
    command = [sys.executable, "-m", "benchmarks.librdkafka"]
    sizes = zip(group.topics, group.topic_sizes.tolist(), strict=True)
    topics = {name: [[0]] * size for name, size in sizes}
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as client:
        try:
            clock = _cpu_clock(client.pid)
            with listening(strategy, member_records(group), topics, client_cpu_s=clock) as broker:
                orders = (broker.address, strategy, *group.topics)
                print(*orders, file=cast("IO[str]", client.stdin), flush=True)
                led = broker.led(_TIMEOUT_S)
        finally:
            client.kill()
    return led


def _cpu_clock(pid: int) -> Callable[[], float]:
    """Return a function that reads the CPU seconds of a process."""
    # The process CPU clock of clock_getcpuclockid(3), which Python does not expose.
    clock = (~pid << 3) | 2
    return lambda: time.clock_gettime(clock)


librdkafka: Final = Competitor(LIBRDKAFKA, libversion()[0], _STRATEGIES, _measure)


def _consume(address: str, strategy: str, *topics: str) -> None:
    """Take part in the group until killed, or until the parent process has ended."""
    consumer = Consumer(
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
