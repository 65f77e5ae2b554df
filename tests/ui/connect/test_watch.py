"""What watching a group keeps of its snapshots."""

import numpy as np

from assignors.numbering import Member, Topic, group_of
from evaluation.measuring.movement import changes
from evaluation.measuring.offset_history import Moment, OffsetHistory, partition_times
from evaluation.rebalance.post_mortem import RebalanceTrigger, post_mortem
from sources.reading import Reading
from tests.named import named
from ui.connect.watch import _Watch
from ui.lag_in_time import words


def _read(at_s: float, end: int, committed: int) -> Reading:
    topic = Topic(1, begin=[0], end=[end], committed=[committed])
    group = group_of({"t": topic}, [Member("a", ["t"], owned=[("t", 0)])])
    history = OffsetHistory((Moment.of(group, at_s),))
    return Reading(group=group, format="live", rows=1, history=history)


def test_a_snapshot_that_is_not_later_is_dropped() -> None:
    seen = _Watch(("cluster", "g"))

    for at_s, end in ((100.0, 600), (100.0, 700), (40.0, 800), (110.0, 900)):
        seen.add(_read(at_s, end, committed=0))

    assert seen.reading is not None
    assert seen.reading.history is not None
    assert seen.reading.history.times_s.tolist() == [100, 110]
    assert partition_times(seen.reading.group, seen.reading.history).produced.tolist() == [30]


def test_two_snapshots_at_one_time_give_no_rate_and_hide_no_lag() -> None:
    first, second = _read(100.0, 600, 0), _read(100.0, 700, 100)
    assert first.history is not None
    assert second.history is not None
    both = OffsetHistory((*first.history.moments, *second.history.moments))

    times = partition_times(second.group, both)

    assert np.isnan(times.produced).all()
    assert np.isnan(times.consumed).all()
    assert "read to its end" not in words.conclusion(second.group, times)


def _owned(at_s: float, **owned: list[int]) -> Reading:
    """Return a snapshot of six partitions with these owners; each has read all but one record."""
    topic = Topic(6, begin=[0] * 6, end=[int(at_s)] * 6, committed=[int(at_s) - 1] * 6)
    members = [Member(name, ["t"], owned=[("t", p) for p in of]) for name, of in owned.items()]
    group = group_of({"t": topic}, members)
    return Reading(
        group=group, format="live", rows=6, history=OffsetHistory((Moment.of(group, at_s),))
    )


def watched() -> Reading:
    """Return a group watched while c joined: 4 and 5 had to move to it, 0 and 2 did not."""
    seen = _Watch(("cluster", "g"))
    seen.add(_owned(100.0, a=[0, 1, 4], b=[2, 3, 5]))
    seen.add(_owned(110.0, a=[1, 2], b=[0, 3], c=[4, 5]))
    assert seen.reading is not None
    return seen.reading


def test_a_rebalance_that_was_watched_is_looked_at_afterwards() -> None:
    reading = watched()
    assert reading.history is not None

    (change,) = changes(reading.group, reading.history)
    told = post_mortem(change, named("range", "sticky"))

    assert (told.trigger, told.by, len(told.moved)) == (RebalanceTrigger.JOINED, ("c",), 4)
    assert told.change.rebalance.needless == 2
    assert {each.strategy.name: each.moved for each in told.would_have}["sticky"] == 2
