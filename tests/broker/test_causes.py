"""On a real broker: paused, overloaded, poisoned and crashing consumers get their own verdicts.

Producers and consumers have set rates and speeds; the verdict's kind, the rates and the time to
clear are compared with what was set, and with what then happens.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.reading import Reading
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from sources.live import config_of, read_group
from tests.answers import NextRebalance
from tests.broker.kafka_node import Cluster
from tests.broker.paced import PacedConsumer, PacedProducer, entered
from tests.live.on_a_broker import commit, make_topic
from tests.patience import await_

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]
_PARTITIONS = 6
_SPEED = 200.0
_APART_S = 32.0
"""What stands is told from half a minute on."""
_WITHIN = 0.1
_TIME_WITHIN = 0.2


@contextmanager
def playing(
    kafka: Cluster, name: str, rates: Sequence[float], waiting: Sequence[int]
) -> Iterator[list[PacedConsumer]]:
    """Run three readers, among which roundrobin deals the partitions; each is committed at 0."""
    make_topic(kafka.bootstrap, name, waiting)
    commit(kafka.bootstrap, name, {(name, k): 0 for k in range(len(waiting))})
    readers = [PacedConsumer(kafka.bootstrap, name, name, f"reader-{k}", _SPEED) for k in range(3)]
    with ExitStack() as stack:
        entered(stack, readers)
        stack.enter_context(PacedProducer(kafka.bootstrap, name, dict(enumerate(rates))))
        yield readers


def snapshot(kafka: Cluster, group: str) -> Reading:
    return read_group(config_of("", kafka.bootstrap), group, with_times=True)


def seen(kafka: Cluster, group: str, settle_s: float = 3.0) -> Answer:
    """Return the answer on two snapshots, the second some seconds later."""
    time.sleep(settle_s)
    first = snapshot(kafka, group)
    time.sleep(_APART_S)
    return answered(first, snapshot(kafka, group))


def answered(*readings: Reading) -> Answer:
    moments = [each.history.moments for each in readings if each.history is not None]
    history = OffsetHistory(tuple(chain.from_iterable(moments)))
    given = given_of(replace(readings[-1], history=history))
    return answer_of(given, NextRebalance())


def lag_of(kafka: Cluster, group: str) -> int:
    return int(snapshot(kafka, group).group.counted_lags.sum())


def test_a_poisoned_record_is_told_beside_what_its_consumer_reads(kafka: Cluster) -> None:
    with playing(kafka, "poisoned", [20.0] * _PARTITIONS, [0] * _PARTITIONS) as readers:
        readers[1].poisoned = frozenset({4})
        found = seen(kafka, "poisoned")

    assert found.verdict.kind is VerdictKind.STUCK_RECORD
    assert found.verdict.partitions == (4,)
    assert found.proposal is not None
    assert found.proposal.action is Action.FIX_RECORD
    assert found.known.times.produced.tolist() == pytest.approx([20.0] * _PARTITIONS, rel=_WITHIN)


def test_paused_partitions_are_not_read_by_their_owner(kafka: Cluster) -> None:
    # reader-1 owns 1, 4, 7: two are paused, one is read.
    rates = [20.0] * 9
    with playing(kafka, "paused", rates, [0] * 9) as readers:
        readers[1].paused = frozenset({4, 7})
        found = seen(kafka, "paused")

    assert found.verdict.kind is VerdictKind.NOT_READ
    assert set(found.verdict.partitions) == {4, 7}
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK
    assert found.known.times.produced.tolist() == pytest.approx(rates, rel=_WITHIN)


def test_overloaded_consumers_are_full_and_none_of_their_partitions_stands(kafka: Cluster) -> None:
    rates = [130.0] * _PARTITIONS
    with playing(kafka, "overloaded", rates, [4_000] * _PARTITIONS):
        found = seen(kafka, "overloaded")

    assert found.verdict.kind is VerdictKind.FULL
    assert found.verdict.figures.arriving_per_s == pytest.approx(sum(rates), rel=_WITHIN)
    assert found.verdict.figures.reading_per_s == pytest.approx(3 * _SPEED, rel=_WITHIN)
    assert found.known.facts.speed.records_s == pytest.approx(_SPEED, rel=_WITHIN)
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_CONSUMERS


def test_a_backlog_clears_when_it_is_said_to(kafka: Cluster) -> None:
    with playing(kafka, "clearing", [20.0] * _PARTITIONS, [5_000] * _PARTITIONS):
        found = seen(kafka, "clearing")
        ends = found.verdict.figures.ends_s
        at = time.monotonic()
        await_(lambda: lag_of(kafka, "clearing") <= _SPEED / 2)
        took = time.monotonic() - at

    assert found.verdict.kind is VerdictKind.CATCHING_UP
    assert ends is not None
    assert np.isfinite(ends)
    assert took == pytest.approx(ends, rel=_TIME_WITHIN)


def test_consumers_that_crash_before_they_commit_are_a_crash_loop(kafka: Cluster) -> None:
    name = "crashing"
    make_topic(kafka.bootstrap, name, [500] * _PARTITIONS)
    commit(kafka.bootstrap, name, {(name, k): 100 for k in range(_PARTITIONS)})
    with PacedProducer(kafka.bootstrap, name, dict.fromkeys(range(_PARTITIONS), 20.0)):
        snapshots = []
        for _ in range(3):  # new ones once are a deploy
            with ExitStack() as stack:
                readers = [
                    PacedConsumer(kafka.bootstrap, name, name, "reader", _SPEED) for _ in range(3)
                ]
                for reader in readers:
                    reader.poisoned = frozenset(range(_PARTITIONS))
                entered(stack, readers)
                snapshots.append(snapshot(kafka, name))
            time.sleep(_APART_S)

    found = answered(*snapshots)

    assert found.verdict.kind is VerdictKind.CRASH_LOOP
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK
