"""What watching a group keeps of its snapshots."""

from collections.abc import Iterator
from time import monotonic

import numpy as np
import pytest
import streamlit as st

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.measuring.partition_times import partition_times
from evaluation.reading import Reading
from evaluation.rebalance.owner_changes import changes
from evaluation.rebalance.post_mortem import RebalanceTrigger, post_mortem
from tests.named import named
from ui import scenario
from ui.connect.watch import _is_to_follow, _Watch
from ui.lag_in_time import words


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    st.session_state.clear()
    yield
    st.session_state.clear()


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


@pytest.mark.parametrize(
    ("followed_s_ago", "interval_s", "partitions", "is_to_follow"),
    [
        (9.0, 10.0, 1, True),  # four fifths of the interval are over
        (7.0, 10.0, 1, False),
        (9.0, 10.0, 20_000, False),  # a page of 20,000 partitions follows every 20 s
        (21.0, 10.0, 20_000, True),
    ],
)
def test_the_page_follows_a_large_group_less_often(
    followed_s_ago: float, interval_s: float, partitions: int, is_to_follow: bool
) -> None:
    shown, newest = (_sized(partitions, at_s) for at_s in (100.0, 110.0))
    scenario.show("g", shown)
    seen = _Watch(("cluster", "g"), reading=newest, followed=shown)
    seen.followed_at = monotonic() - followed_s_ago

    assert _is_to_follow(seen, interval_s) is is_to_follow


def test_the_page_follows_at_once_and_never_what_it_shows_or_what_was_opened_instead() -> None:
    first, second = _sized(1, 100.0), _sized(1, 110.0)
    seen = _Watch(("cluster", "g"))
    nothing = _is_to_follow(seen, 10.0)
    seen.reading = first
    at_once = _is_to_follow(seen, 10.0)
    seen.followed, seen.followed_at = first, monotonic() - 60.0
    scenario.show("g", first)
    again = _is_to_follow(seen, 10.0)
    seen.reading = second
    scenario.show("another", _sized(3, 100.0))

    assert (nothing, at_once, again, _is_to_follow(seen, 10.0)) == (False, True, False, False)


def _sized(partitions: int, at_s: float) -> Reading:
    group = Group.fresh({"t": partitions}, ["a"])
    history = OffsetHistory((Moment.of(group, at_s),))
    return Reading(group=group, format="live", rows=partitions, history=history)
