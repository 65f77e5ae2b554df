"""What strategies do to time lag, on a real broker: ``python -m benchmarks.plugins``.

The same producers and, for each strategy, a group of the same consumers, at once and side by side:
an hour of restarts, a join and a leave, compressed into ``--seconds``. Consumers read at a fixed
speed; partitions get Pareto-distributed rates that together take two thirds of it. Everything that
an hour has is divided by the same factor, five minutes of arrivals included.

A partition's time lag is how long ago its next unread record was written, in seconds of the run: of
the hour it is as many times longer as the run is shorter, but for the pauses of rebalances. "Above
its speed" is the share of the time in which some consumer gets more than it reads; "busiest" what
the busiest gets, as a share of its speed, the median over time, and "predicted" what the page says
of it: the median of what a start of the group brings.

The table is printed as Markdown; progress goes to standard error. It needs Java, as the broker's
tests do.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
from confluent_kafka import ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.comparing.outlook import outlook
from plugins.kafka_jars import KAFKA, java
from tests.broker.consumers import JavaClient, ToStart
from tests.broker.java_harness import Harness, compiled, running_harness
from tests.broker.kafka_node import NEVER_KILLED, running_cluster

_HOUR_S: Final = 3600
_HORIZON_S: Final = 300
_TOPICS: Final = 4
_PARTITIONS: Final = 6
_CONSUMERS: Final = 6
_SPEED: Final = 100
"""Records per second that a consumer reads."""
_LOAD: Final = 0.65
"""The share of all consumers' speed that is written."""
_HEAVIEST: Final = 0.8
"""No partition gets more than this share of one consumer's speed."""
_SHAPE: Final = 1.1
_SAMPLE_S: Final = 0.5
_TIMEOUT_S: Final = 60
_STRATEGIES: Final[Mapping[str, Mapping[str, str]]] = {
    "range": {"partition.assignment.strategy": "range"},
    "cooperative-sticky": {"partition.assignment.strategy": "cooperative-sticky"},
    "uniform": {"group.protocol": "consumer", "group.remote.assignor": "uniform"},
    "load-sticky": {"partition.assignment.strategy": "load-sticky"},
}
_BY_NAME: Final = {"uniform": "uniform-kafka-18688"}
"""The strategy that predicts, where it has another name."""
_EVENTS: Final[Sequence[tuple[float, str, int]]] = (
    *((0.12, "stop", 0), (0.14, "start", 0), (0.24, "stop", 1), (0.26, "start", 1)),
    *((0.36, "start", 6), (0.48, "stop", 2), (0.50, "start", 2)),
    *((0.62, "stop", 6), (0.74, "stop", 3), (0.76, "start", 3), (0.88, "stop", 4)),
    (0.90, "start", 4),
)
"""Share of the hour, what happens, and to which consumer: five restarts, a join and a leave."""


class GroupTimes(NamedTuple):
    """What one group went through."""

    worst_s: float
    """The largest time lag of a partition at any moment."""
    mean_s: float
    """The mean time lag of a record that is written at any moment."""
    above: float
    """The share of the time in which some consumer gets more than it reads."""
    busiest: float
    """What the busiest consumer gets, as a share of its speed: the median over time."""
    predicted: float
    """The same by the page: the median of what a start of the group under the strategy brings."""
    moves: int
    """Partitions that went from one consumer to another while both ran."""
    rounds: int
    """Generations of a classic group, epochs of a broker-side one."""


@dataclass
class _Watched:
    """A group under observation."""

    name: str
    rates: Mapping[tuple[str, int], float]
    lags: list[list[float]] = field(default_factory=list)
    busiest: list[float] = field(default_factory=list)
    owners: dict[tuple[str, int], str] = field(default_factory=dict)
    moves: int = 0
    rounds: int = 0

    def see(self, states: Mapping[str, Any], lags_s: list[float]) -> None:
        """Record one moment."""
        self.lags.append(lags_s)
        carried = []
        for name, state in states.items():
            newest = max(state["held"], key=int, default=None)
            held = [(t, p) for t, p in state["held"].get(newest, ())]
            carried.append(sum(self.rates[partition] for partition in held))
            self.rounds = max(self.rounds, int(newest or 0))
            for partition in held:
                before = self.owners.get(partition)
                self.moves += before not in (None, name) and before in states
                self.owners[partition] = name
        self.busiest.append(max(carried, default=0) / _SPEED)

    def figures(self, predicted: float) -> GroupTimes:
        """Sum up what was seen."""
        lags, rates = np.array(self.lags), np.array(list(self.rates.values()))
        return GroupTimes(
            float(lags.max()),
            float(np.average(lags.mean(axis=0), weights=rates)),
            float(np.mean(np.array(self.busiest) > 1)),
            float(np.median(self.busiest)),
            predicted,
            self.moves,
            self.rounds,
        )


def main(arguments: Sequence[str]) -> None:
    """Run the groups and print the table."""
    parser = ArgumentParser(prog="python -m benchmarks.plugins", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="length of the hour")
    parser.add_argument("--runs", type=int, default=3, help="runs, each with other rates")
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        classes = Path(folder) / "classes"
        classes.mkdir()
        paths = compiled(classes)
        with running_cluster(Path(folder) / "kafka", settings=NEVER_KILLED) as cluster:
            runs = []
            for number in range(chosen.runs):
                print(f"run {number + 1} of {chosen.runs}", file=sys.stderr)
                log = Path(folder) / f"consumers-{number}.log"
                with running_harness(paths, log, java()) as harness:
                    runs.append(_run(harness, cluster.bootstrap, number, chosen.seconds))
    print(
        f"Kafka {KAFKA}, {_CONSUMERS} consumers of {_SPEED} records/s, "
        f"{_TOPICS * _PARTITIONS} partitions, an hour in {chosen.seconds:g} s\n"
    )
    print(_table(runs))


def _run(harness: Harness, servers: str, seed: int, seconds: float) -> dict[str, GroupTimes]:
    topics = [f"run{seed}-{t}" for t in range(_TOPICS)]
    rates = _rates(topics, np.random.default_rng(seed))
    admin = AdminClient({"bootstrap.servers": servers})
    for made in admin.create_topics([NewTopic(t, _PARTITIONS, 1) for t in topics]).values():
        made.result(_TIMEOUT_S)
    horizon_ms = str(round(1000 * _HORIZON_S * seconds / _HOUR_S))
    common = {
        "bootstrap.servers": servers,
        "auto.offset.reset": "earliest",
        "max.poll.records": str(_SPEED // 10),
        "reader.rate": str(_SPEED),
        "reader.commit.ms": str(round(500 * _SAMPLE_S)),
        "assignor.load.horizon.ms": horizon_ms,
    }
    client = JavaClient(harness)

    def start(strategy: str, *consumers: int) -> None:
        config = {**common, **_STRATEGIES[strategy], "group.id": f"{strategy}-{seed}"}
        client.start(
            *(
                ToStart(f"{strategy}/{c}", {**config, "client.id": f"c{c}"}, topics)
                for c in consumers
            )
        )

    watched = {strategy: _Watched(f"{strategy}-{seed}", rates) for strategy in _STRATEGIES}
    for strategy in _STRATEGIES:
        start(strategy, *range(_CONSUMERS))
    _await_all(harness, len(rates))
    events = list(_EVENTS)
    with _produced(servers, rates) as began:
        while (elapsed := time.time() - began) < seconds:
            while events and elapsed >= events[0][0] * seconds:
                _, what, consumer = events.pop(0)
                for strategy in _STRATEGIES:
                    if what == "start":
                        start(strategy, consumer)
                    else:
                        client.close(f"{strategy}/{consumer}")
            _sample(harness, admin, watched, began)
            time.sleep(_SAMPLE_S)
    for name in harness.ask("state")["readers"]:
        client.close(name)
    return {name: each.figures(_predicted(name, rates)) for name, each in watched.items()}


def _predicted(strategy: str, rates: Mapping[tuple[str, int], float]) -> float:
    """Return the median share of its speed that the busiest consumer gets after a start."""
    per_s = 10**6
    topics = dict.fromkeys(topic for topic, _ in rates)
    lags = {t: [round(per_s * rates[t, p]) for p in range(_PARTITIONS)] for t in topics}
    members = [f"c{one}-{UUID(int=one)}" for one in range(_CONSUMERS)]
    group = Group.fresh(dict.fromkeys(topics, _PARTITIONS), members, lags)
    drawn = outlook(group, STRATEGIES[_BY_NAME.get(strategy, strategy)])
    return float(np.median(drawn.max_lags)) / per_s / _SPEED


def _rates(topics: Sequence[str], random: np.random.Generator) -> dict[tuple[str, int], float]:
    """Draw records per second; what one partition cannot get the others get."""
    partitions = [(t, p) for t in topics for p in range(_PARTITIONS)]
    shares = random.pareto(_SHAPE, len(partitions)) + 0.02
    total, most = _LOAD * _SPEED * _CONSUMERS, _HEAVIEST * _SPEED
    rates = np.minimum(shares / shares.sum() * total, most)
    for _ in partitions:
        is_open = rates < most
        rates[is_open] *= (total - rates[~is_open].sum()) / rates[is_open].sum()
        rates = np.minimum(rates, most)
    return dict(zip(partitions, rates.tolist(), strict=True))


def _await_all(harness: Harness, partitions: int) -> None:
    until = time.monotonic() + _TIMEOUT_S
    while time.monotonic() < until:
        held = dict.fromkeys(_STRATEGIES, 0)
        for name, state in harness.ask("state")["readers"].items():
            newest = max(state["held"], key=int, default=None)
            held[name.partition("/")[0]] += len(state["held"].get(newest, ()))
        if set(held.values()) == {partitions}:
            return
        time.sleep(_SAMPLE_S)
    message = f"the groups did not start: {held}"
    raise RuntimeError(message)


def _sample(
    harness: Harness, admin: AdminClient, watched: Mapping[str, _Watched], began: float
) -> None:
    states = harness.ask("state")["readers"]
    for strategy, group in watched.items():
        own = {n: s for n, s in states.items() if n.partition("/")[0] == strategy}
        group.see(own, _time_lags(admin, group, began))


def _time_lags(admin: AdminClient, group: _Watched, began: float) -> list[float]:
    """Return how long ago each partition's next unread record was written; 0 if there is none."""
    every = [TopicPartition(t, p) for t, p in group.rates]
    asked = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group.name, every)])
    told = asked[group.name].result(_TIMEOUT_S).topic_partitions
    now = time.time() - began
    read = {(one.topic, one.partition): max(one.offset, 0) for one in told}
    return [max(now - (read[partition] + 1) / rate, 0.0) for partition, rate in group.rates.items()]


@contextmanager
def _produced(servers: str, rates: Mapping[tuple[str, int], float]) -> Iterator[float]:
    """Write to each partition at its rate; yield when that began."""
    end, began = Event(), time.time()
    thread = Thread(target=partial(_produce, servers, rates, began, end), daemon=True)
    thread.start()
    try:
        yield began
    finally:
        end.set()
        thread.join(_TIMEOUT_S)


def _produce(
    servers: str, rates: Mapping[tuple[str, int], float], began: float, end: Event
) -> None:
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 5})
    written = dict.fromkeys(rates, 0)
    while not end.wait(0.02):
        elapsed = time.time() - began
        for (topic, partition), rate in rates.items():
            for _ in range(int(rate * elapsed) - written[topic, partition]):
                producer.produce(topic, b"record", partition=partition)
                written[topic, partition] += 1
        producer.poll(0)
    producer.flush(_TIMEOUT_S)


def _table(runs: Sequence[Mapping[str, GroupTimes]]) -> str:
    """Return the median of the runs and each of them in brackets; times are those of the runs."""
    columns = ("worst time lag", "mean time lag", "above its speed", "busiest", "predicted")
    head = f"| strategy | {' | '.join(columns)} | moves | rounds |"
    lines = [head, f"| --- |{' ---: |' * (head.count('|') - 2)}"]
    for strategy in _STRATEGIES:
        rows = [run[strategy] for run in runs]
        cells = [
            _cell([each.worst_s for each in rows], "{:.1f} s"),
            _cell([each.mean_s for each in rows], "{:.1f} s"),
            _cell([100 * each.above for each in rows], "{:.0f} %"),
            _cell([100 * each.busiest for each in rows], "{:.0f} %"),
            _cell([100 * each.predicted for each in rows], "{:.0f} %"),
            _cell([each.moves for each in rows], "{:.0f}"),
            _cell([each.rounds for each in rows], "{:.0f}"),
        ]
        lines.append(f"| {strategy} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(values: Sequence[float], form: str) -> str:
    every = ", ".join(form.split(" ", maxsplit=1)[0].format(value) for value in values)
    return f"{form.format(median(values))} ({every})"


if __name__ == "__main__":
    main(sys.argv[1:])
