"""On a real broker: the incident line names who and why, with the speeds and rates set."""

import time
from contextlib import ExitStack
from typing import Final

import pytest

from evaluation.facts import Facts, Source, facts_of
from evaluation.incident import Cause, diagnose
from evaluation.offset_history import OffsetHistory, PartitionTimes, partition_times
from sources.live import config_of, read_group
from sources.reading import Reading
from tests.broker.kafka_node import Cluster
from tests.broker.paced import PacedConsumer, PacedProducer, entered
from tests.live.on_a_broker import make_topic
from ui.compare.incident import sentence_of

pytestmark = [pytest.mark.needs("broker"), pytest.mark.slow]
_GROUP, _TOPIC = "paced", "paced-topic"
_SPEED: Final = 200.0
_USUAL, _HOT = 20.0, 300.0
_WAITING: Final = 3_000
_WITHIN: Final = 0.1


def snapshot(kafka: Cluster) -> Reading:
    return read_group(config_of("", kafka.bootstrap), _GROUP, with_times=True)


def seen(first: Reading, last: Reading) -> tuple[OffsetHistory, PartitionTimes, Facts]:
    """Return what two snapshots tell."""
    assert first.history is not None
    assert last.history is not None
    history = OffsetHistory((*first.history.moments, *last.history.moments))
    times = partition_times(last.group, history)
    return history, times, facts_of(last.group, history, times)


def test_a_consumer_that_stands_and_a_hot_partition_are_named_with_their_rates(
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
        stack.enter_context(PacedProducer(kafka.bootstrap, _TOPIC, rates))
        time.sleep(5)
        readers[1].stands.set()
        time.sleep(2)
        first = snapshot(kafka)
        time.sleep(35)
        last = snapshot(kafka)

        history, times, facts = seen(first, last)
        found = diagnose(last.group, history, times, facts)
        said = [sentence_of(each, last.group, facts, last.hosts) for each in found]

    assert [finding.cause for finding in found] == [Cause.STILL, Cause.HOT], said
    assert "reader" in said[0]
    assert "**reads nothing**" in said[0]
    assert "no strategy" in said[0]
    assert "paced" in said[1]
    assert found[0].partitions == (1, 4)
    assert found[1].partitions == (0,)
    assert facts.speed.source is Source.MEASURED
    assert not facts.speed.is_least
    assert facts.speed.records_s == pytest.approx(_SPEED, rel=_WITHIN)
    assert times.produced.tolist() == pytest.approx([_HOT, *[_USUAL] * 5], rel=_WITHIN)
    assert found[1].reading < found[1].arriving
