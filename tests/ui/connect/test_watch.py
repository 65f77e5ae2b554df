"""What watching a group keeps of its snapshots."""

import numpy as np

from assignors.numbering import Member, Topic, group_of
from evaluation.measuring.offset_history import Moment, OffsetHistory, partition_times
from sources.reading import Reading
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
