"""The Java assignor in real groups: as predicted, in two rounds, and nothing left behind."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import psutil
import pytest

from assignors.fair import fair
from assignors.naming import assignment_of
from assignors.numbering import Member, Topic, group_of
from tests.broker.java_harness import Harness
from tests.broker.kafka_node import Cluster
from tests.broker.plugin_groups import (
    PluginGroup,
    Settled,
    fill,
    make_topics,
    traffic,
)
from tests.pipeline.rates import weights_file

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]

_STILL: Final = {"assignor.load.horizon.ms": "0"}
_BUDGET: Final = 3
"""A tenth of 24 partitions, rounded up."""
_REBALANCES, _DEEP = 8, 50


def zipf(topics: dict[str, int], most: float) -> dict[tuple[str, int], float]:
    """Return a figure for each partition, the n-th a share 1 / n of the largest."""
    places = [(topic, p) for topic, size in topics.items() for p in range(size)]
    return {place: most / rank for rank, place in enumerate(places, 1)}


@pytest.fixture(scope="module")
def still(kafka: Cluster, harness: Harness) -> Iterator[PluginGroup]:
    """A group of three and a backlog that nobody reads."""
    topics = {"still-a": 12, "still-b": 12}
    make_topics(kafka.bootstrap, topics)
    fill(kafka.bootstrap, {place: int(n) for place, n in zipf(topics, 3000).items()})
    group = PluginGroup(harness, kafka.bootstrap, "still", topics, _STILL)
    group.start("c0", "c1", "c2")
    yield group
    _close(group)


@pytest.fixture(scope="module")
def events(still: PluginGroup) -> dict[str, Settled]:
    """What follows each event, one after the other."""
    events = {"start": still.settle()}
    still.start("c3")
    events["join"] = still.settle()
    for repeat in ("first repeat", "second repeat", "third repeat", "fourth repeat"):
        still.rebalance()
        events[repeat] = still.settle()
    still.close("c1")
    events["leave"] = still.settle()
    still.close("c0")
    events["the leader leaves"] = still.settle()
    return events


def test_every_rebalance_is_as_predicted_from_what_its_leader_saw(
    events: dict[str, Settled],
) -> None:
    assert [event for event, after in events.items() if not after.is_as_predicted] == []


def test_every_decision_takes_two_rounds_at_most(events: dict[str, Settled]) -> None:
    slow = {e: after for e, after in events.items() if after.rounds > 2 * len(after.seen)}

    assert slow == {}


def test_who_joins_does_not_stay_idle(events: dict[str, Settled]) -> None:
    assert events["join"].of["c3"]


def test_nothing_moves_when_nothing_changed_and_the_budget_was_not_used_up(
    events: dict[str, Settled],
) -> None:
    states = [after.of for event, after in events.items() if "repeat" in event]
    moved = [sum(len(now[name] - then[name]) for name in now) for then, now in pairwise(states)]

    assert all(later == 0 for earlier, later in pairwise(moved) if earlier < _BUDGET)
    assert moved[-1] == 0


def test_a_leave_takes_nothing_from_who_stays_beyond_the_budget(
    events: dict[str, Settled],
) -> None:
    before, after = events["fourth repeat"].of, events["leave"].of

    moved = sum(len(before[name] - after[name]) for name in after)

    assert moved <= _BUDGET


def test_nothing_was_ever_held_twice(events: dict[str, Settled], still: PluginGroup) -> None:
    assert events
    assert still.held_twice == []


def test_rebalances_leave_no_thread_and_no_connection(
    events: dict[str, Settled], still: PluginGroup
) -> None:
    assert events
    _leave_nothing(still, _REBALANCES)


@pytest.mark.deep
def test_fifty_rebalances_leave_no_thread_and_no_connection(
    events: dict[str, Settled], still: PluginGroup
) -> None:
    assert events
    _leave_nothing(still, _DEEP)


def _leave_nothing(group: PluginGroup, rebalances: int) -> None:
    process = psutil.Process(group.harness.process.pid)
    before = len(process.net_connections())
    threads = group.harness.ask("threads")["names"]

    for _ in range(rebalances):
        group.rebalance()
        group.settle()

    assert group.harness.ask("threads")["names"] == threads
    assert len(process.net_connections()) <= before


@pytest.mark.parametrize(
    ("strategy", "protocol"),
    [("lag-based", "cooperative"), ("lag-capped", "cooperative"), ("load-sticky", "eager")],
    ids=["lag-based", "lag-capped", "load-sticky, eager"],
)
def test_eager_assignors_assign_as_predicted_in_one_round(
    still: PluginGroup, strategy: str, protocol: str
) -> None:
    config = {
        **_STILL,
        "partition.assignment.strategy": strategy,
        "assignor.load.protocol": protocol,
    }
    group = PluginGroup(still.harness, still.servers, f"eager-{strategy}", still.topics, config)
    group.start("c0", "c1")
    start = group.settle()
    group.start("c2")
    join = group.settle()
    _close(group)

    assert start.is_as_predicted
    assert join.is_as_predicted
    assert join.rounds == 1


def test_the_pipelines_weights_file_gives_the_rates(still: PluginGroup, tmp_path: Path) -> None:
    rates = {"still-a": [0.25 * p for p in range(12)], "still-b": [40.125, *[1.5] * 11]}
    config = {"assignor.load.weights.file": str(weights_file(tmp_path, rates))}
    group = PluginGroup(still.harness, still.servers, "rated", still.topics, config)
    group.start("c0", "c1")
    group.settle()
    group.start("c2")
    after = group.settle()
    _close(group)

    horizon_s = 300
    assert after.is_as_predicted
    assert after.seen[-1]["arrived"] == {
        topic: [round(rate * horizon_s) for rate in of_topic] for topic, of_topic in rates.items()
    }


def test_fair_counts_are_even_over_topics_in_a_real_group(still: PluginGroup) -> None:
    config = {"partition.assignment.strategy": "fair"}
    group = PluginGroup(still.harness, still.servers, "even", still.topics, config)
    group.start("c0", "c1", "c2")
    owned = group.settle().owned
    _close(group)

    topics = {name: Topic(size) for name, size in still.topics.items()}
    asked = group_of(topics, [Member(id=member, topics=list(topics)) for member in owned])
    assert owned == {m: set(held) for m, held in assignment_of(asked, fair(asked)).items()}


def test_under_traffic_every_rebalance_is_as_its_leader_saw_it(
    kafka: Cluster, harness: Harness
) -> None:
    topics = {"busy-a": 8, "busy-b": 8}
    make_topics(kafka.bootstrap, topics)
    group = PluginGroup(
        harness, kafka.bootstrap, "busy", topics, {"reader.rate": "150", "reader.commit.ms": "500"}
    )
    after = []
    with traffic(kafka.bootstrap, zipf(topics, 100)):
        group.start("c0", "c1", "c2")
        after.append(group.settle())
        group.start("c3")
        after.append(group.settle())
        joiner = after[-1].of["c3"]
        group.rebalance()
        after.append(group.settle())
        group.close("c0")
        after.append(group.settle())
    _close(group)

    assert [each.is_as_predicted for each in after] == [True] * 4
    assert [each.rounds for each in after if each.rounds > 2 * len(each.seen)] == []
    assert joiner
    assert group.held_twice == []


def _close(group: PluginGroup) -> None:
    for name in list(group.running):
        group.close(name)
