"""Consumers of kafka-python and aiokafka under our own assignor: each rebalance is as predicted."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

import numpy as np
import pytest
from aiokafka import AIOKafkaConsumer
from kafka import KafkaConsumer
from kafka_assignments_plugins import for_aiokafka, for_kafka_python

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.offset_history import OffsetHistory
from evaluation.rebalance.observed import Observed, observed
from sources.errors import SourceError
from sources.live import config_of, read_group
from tests.broker.kafka_node import Cluster
from tests.live.on_a_broker import commit, make_topic

pytestmark = pytest.mark.needs("broker")
_TIMEOUT_S: Final = 90
_RECORDS: Final = [400, 3, 90, 55, 7, 120, 30, 1, 0, 66, 21, 9, 250, 2, 14, 80]


class Consumers:
    """Consumers that read nothing on: lag stands still, so that a prediction can be exact."""

    def __init__(
        self, run: Callable[[str, str, str, Event], None], servers: str, name: str
    ) -> None:
        self.run, self.servers, self.name = run, servers, name
        self.ends: list[tuple[Event, Thread]] = []

    def join(self) -> None:
        end = Event()
        thread = Thread(target=self.run, args=(self.servers, self.name, self.name, end))
        self.ends.append((end, thread))
        thread.start()

    def leave(self) -> None:
        end, thread = self.ends.pop(0)
        end.set()
        thread.join()

    def stable(self, differs_from: Group | None = None) -> Group:
        """Return the group once all its consumers own something and nothing changes any more."""
        until, last = time.monotonic() + _TIMEOUT_S, None
        config = config_of("", self.servers, {"auto.offset.reset": "earliest"})
        while time.monotonic() < until:
            time.sleep(1)
            try:
                group = read_group(config, self.name).group
            except SourceError:
                continue
            owned = {m: sorted(p) for m, p in group.named(group.present_owners).items()}
            is_whole = (group.present_owners >= 0).all() and len(owned) == len(self.ends)
            is_new = differs_from is None or group.members != differs_from.members
            if is_whole and is_new and owned == last:
                return group
            last = owned
        raise AssertionError(last)


def run_kafka_python(servers: str, group: str, topic: str, end: Event) -> None:
    client = {"bootstrap_servers": servers}
    assignor = for_kafka_python.LoadStickyAssignor(
        group, client, auto_offset_reset="earliest", horizon_s=0
    )
    consumer = KafkaConsumer(
        topic,
        **client,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        partition_assignment_strategy=[assignor],
    )
    while not end.is_set():
        consumer.poll(timeout_ms=200)
    consumer.close()


def run_aiokafka(servers: str, group: str, topic: str, end: Event) -> None:
    asyncio.run(_aiokafka(servers, group, topic, end))


async def _aiokafka(servers: str, group: str, topic: str, end: Event) -> None:
    client = {"bootstrap_servers": servers}
    assignor = for_aiokafka.LoadStickyAssignor(
        group, client, auto_offset_reset="earliest", horizon_s=0
    )
    consumer = AIOKafkaConsumer(
        topic,
        **client,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        partition_assignment_strategy=[assignor],
    )
    await consumer.start()
    while not end.is_set():
        await consumer.getmany(timeout_ms=200)
    await consumer.stop()


@contextmanager
def consumers(
    run: Callable[[str, str, str, Event], None], servers: str, name: str
) -> Iterator[Consumers]:
    make_topic(servers, name, _RECORDS)
    commit(servers, name, {(name, partition): 0 for partition in range(len(_RECORDS))})
    group = Consumers(run, servers, name)
    try:
        yield group
    finally:
        while group.ends:
            group.leave()


@pytest.mark.parametrize(
    ("run", "name"), [(run_kafka_python, "by-kafka-python"), (run_aiokafka, "by-aiokafka")]
)
def test_joins_and_leaves_end_as_predicted_and_nobody_stays_idle(
    kafka: Cluster, run: Callable[[str, str, str, Event], None], name: str
) -> None:
    with consumers(run, kafka.bootstrap, name) as group:
        group.join()
        group.join()
        first = group.stable()
        group.join()
        joined = group.stable(first)
        group.leave()
        left = group.stable(joined)

    for before, after in ((first, joined), (joined, left)):
        event = _event(before, after)
        assert event.unlike_prediction == 0
        assert np.bincount(after.present_owners).min() > 0


def _event(before: Group, after: Group) -> Observed:
    found = observed(before, after, OffsetHistory(), STRATEGIES["load-sticky"])
    assert found is not None
    return found
