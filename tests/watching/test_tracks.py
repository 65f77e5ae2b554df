"""What is remembered of groups: bounded, and the same as reading each anew."""

import gc
import tracemalloc
from dataclasses import replace

import numpy as np
import psutil
import pytest

from assignors.model import Group
from live.model import GroupReading
from sources.live_groups import reading_of, reread
from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from tests.watching.test_watch import Polled
from watching.tracks import Tracks


def same(one: Group, other: Group) -> bool:
    """Whether two groups agree in all that an answer starts from."""
    arrays = [
        (one.offsets.lags, other.offsets.lags),
        (one.offsets.begin, other.offsets.begin),
        (one.offsets.end, other.offsets.end),
        (one.offsets.committed, other.offsets.committed),
        (one.present_owners, other.present_owners),
    ]
    return (
        all(np.array_equal(np.array(a), np.array(b)) for a, b in arrays)
        and one.members == other.members
        and one.topics == other.topics
    )


def later(group: SimulatedGroup, change: str) -> GroupReading:  # noqa: PLR0911 -- one a change
    """Return the group a minute later, with one more change."""
    group.pass_(60.0)
    now = group.read()
    topic = now.topics["orders"]
    match change:
        case "no leader":
            topics = {"orders": replace(topic, end=(None, *topic.end[1:]))}
            return replace(now, topics=topics)
        case "no end at all":
            return replace(now, topics={"orders": replace(topic, end=(None,) * 4)})
        case "a commit is gone":
            return replace(now, committed={p: at for p, at in now.committed.items() if p[1]})
        case "another topic":
            return replace(now, topics={**now.topics, "x": replace(topic, name="x")})
        case "a partition more":
            group.partitions += 1
            group.ends.append(7)
            group.committed.append(5)
            return group.read()
        case "a consumer left":
            group.consumers = ("b",)
            return group.read()
        case "rebalancing":
            return replace(now, description=replace(now.description, state="PreparingRebalance"))
        case "no commits":
            return replace(now, committed={})
        case _:
            return now


@pytest.mark.parametrize(
    "change",
    [
        *("nothing", "no leader", "no end at all", "a commit is gone", "another topic"),
        *("a partition more", "a consumer left", "rebalancing", "no commits"),
    ],
)
def test_a_group_read_again_is_as_if_read_anew(change: str) -> None:
    group = SimulatedGroup("g")
    then = group.read()
    now = later(group, change)

    again, anew = reread(reading_of(then), then, now), reading_of(now)

    assert same(again.group, anew.group)
    assert (again.kind, again.state, again.strategy) == (anew.kind, anew.state, anew.strategy)
    assert (again.rebalancing is None) == (anew.rebalancing is None)
    assert again.hosts == anew.hosts


def test_a_group_keeps_its_last_snapshots() -> None:
    tracks, group = Tracks(), SimulatedGroup("g")
    for number in range(40):
        track = tracks.add(group.read(), float(number))

    assert [moment.at_s for moment in track.moments] == [float(n) for n in range(24, 40)]


def test_a_large_group_keeps_fewer() -> None:
    tracks, reading = Tracks(most_offsets=40), SimulatedGroup("large", partitions=10).read()
    for number in range(6):
        track = tracks.add(reading, float(number))

    assert len(track.moments) == 4


def test_groups_that_are_gone_are_forgotten() -> None:
    tracks = Tracks()
    for name in ("a", "b"):
        tracks.add(SimulatedGroup(name).read(), 0.0)

    tracks.forget_others({"b"})

    with pytest.raises(KeyError):
        tracks.given("a")
    assert tracks.given("b").group.id == "b"


def held_after(polled: Polled, polls: int) -> int:
    """Return how many bytes are held after more polls, besides what was said."""
    polled.poll(polls)
    polled.said.clear()
    polled.sent.clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
def test_polls_leak_nothing() -> None:
    polled = Polled(SimulatedCluster([SimulatedGroup("g")]))
    polled.poll(20)
    tracemalloc.start()
    try:
        first, second = held_after(polled, 20), held_after(polled, 80)
    finally:
        tracemalloc.stop()

    assert second - first < 25_000  # 80 snapshots take more than twice as much


@pytest.mark.deep
@pytest.mark.timeout(3_600)
def test_two_weeks_of_polls_with_groups_that_come_and_go_leak_nothing() -> None:
    lasting = SimulatedGroup("lasting")
    cluster = SimulatedCluster([lasting])
    polled = Polled(cluster)

    def passes() -> None:
        """Let a consumer stop and come back, and another group take the place of one."""
        number = int(cluster.now_s // 60)
        name = f"new-{number // 10}"
        cluster.groups = [lasting, SimulatedGroup(name, topic=name)]
        lasting.stopped = {"a"} if number % 50 < 10 else set()
        lasting.consumers = ("a", "b", "c") if number % 30 < 5 else ("a", "b")
        polled.said.clear()
        polled.sent.clear()

    cluster.before = passes
    polled.poll(2_000)
    process = psutil.Process()
    first = process.memory_info().rss
    polled.poll(14 * 24 * 60 - 2_000)

    assert process.memory_info().rss - first < 15_000_000  # half of what their snapshots take
