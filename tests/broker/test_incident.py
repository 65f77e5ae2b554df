"""On a real broker: the incident line and the drain times are what then happens."""

import time
from contextlib import ExitStack
from typing import Final

import pytest
from confluent_kafka import Consumer, TopicPartition

from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import (
    Stopped,
    TooHot,
)
from evaluation.measuring.facts import Facts, Source, facts_of
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.measuring.partition_times import PartitionTimes, partition_times
from evaluation.reading import Reading
from sources.live import config_of, read_group
from tests.broker.kafka_node import Cluster
from tests.broker.paced import PacedConsumer, PacedProducer, entered
from tests.live.on_a_broker import make_topic

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]
_GROUP, _TOPIC = "paced", "paced-topic"
_SPEED: Final = 200.0
_USUAL, _HOT = 20.0, 300.0
_WAITING: Final = 3_000
_WITHIN: Final = 0.1
_TIMEOUT_S: Final = 120


def snapshot(kafka: Cluster) -> Reading:
    return read_group(config_of("", kafka.bootstrap), _GROUP, with_times=True)


def seen(first: Reading, last: Reading) -> tuple[OffsetHistory, PartitionTimes, Facts]:
    """Return what two snapshots tell."""
    assert first.history is not None
    assert last.history is not None
    history = OffsetHistory((*first.history.moments, *last.history.moments))
    times = partition_times(last.group, history)
    return history, times, facts_of(last.group, history, times)


def drained_at(kafka: Cluster, partition: int) -> float:
    """Return when next to nothing of a partition waits any more."""
    place = TopicPartition(_TOPIC, partition)
    looking = Consumer({"bootstrap.servers": kafka.bootstrap, "group.id": _GROUP})
    until = time.monotonic() + _TIMEOUT_S
    try:
        while time.monotonic() < until:
            _, end = looking.get_watermark_offsets(place, timeout=10)
            if end - looking.committed([place], timeout=10)[0].offset <= _USUAL:
                return time.time()
            time.sleep(0.1)
    finally:
        looking.close()
    message = "the backlog was not read"
    raise AssertionError(message)


def test_a_consumer_that_stands_a_hot_partition_and_when_its_backlog_is_read(
    kafka: Cluster,
) -> None:
    # roundrobin: reader-0 gets 0 and 3, reader-1 1 and 4, reader-2 2 and 5.
    make_topic(kafka.bootstrap, _TOPIC, [_WAITING, 0, 0, 0, 0, 0])
    readers = [
        PacedConsumer(kafka.bootstrap, _GROUP, _TOPIC, f"reader-{k}", _SPEED) for k in range(3)
    ]
    rates = dict.fromkeys(range(6), _USUAL) | {0: _HOT}
    with ExitStack() as stack:
        entered(stack, readers)
        producer = stack.enter_context(PacedProducer(kafka.bootstrap, _TOPIC, rates))
        time.sleep(5)
        readers[1].stands.set()
        time.sleep(2)
        first = snapshot(kafka)
        time.sleep(35)
        last = snapshot(kafka)

        history, times, facts = seen(first, last)
        found = diagnose(last.group, history, times, facts)

        readers[1].stands.clear()
        producer.rates[0] = _USUAL
        time.sleep(3)
        first = snapshot(kafka)
        time.sleep(10)
        last = snapshot(kafka)
        then, ahead, now = seen(first, last)
        took = drained_at(kafka, 0) - float(then.times_s[-1])

    (stopped,) = (each for each in found if isinstance(each, Stopped))
    (hot,) = (each for each in found if isinstance(each, TooHot))
    assert found.index(stopped) == 0, found
    assert stopped.partitions == (1, 4)
    assert hot.partitions == (0,)
    assert facts.speed.source is Source.MEASURED
    assert not facts.speed.is_least
    assert facts.speed.records_s == pytest.approx(_SPEED, rel=_WITHIN)
    assert times.produced.tolist() == pytest.approx([_HOT, *[_USUAL] * 5], rel=_WITHIN)
    assert hot.reading < hot.arriving
    assert now.speed.records_s == pytest.approx(_SPEED, rel=_WITHIN)
    # Of what both partitions of the consumer gain: 0 and 3 are read in the order of arrival.
    assert took == pytest.approx(float(ahead.catch_up_s[0]), rel=_WITHIN)
