"""What is diagnosed is what was played, with its rates and times."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from evaluation.diagnosis.figures import figures_of
from evaluation.diagnosis.findings import (
    CatchingUp,
    CrashLoop,
    Finding,
    Full,
    Hot,
    LagConcentrated,
    LeftUnread,
    MoreArrives,
    ReadOutside,
    Slower,
    Stopped,
    StuckRecord,
    TooHot,
    Uneven,
)
from evaluation.measuring.facts import Source
from evaluation.measuring.offset_history import Moment, OffsetHistory
from tests.advice.groups import Case
from tests.evaluation.diagnosis.flows import Play, Reader, undated

_Kind = TypeVar("_Kind")
_RATE = 0.1
_TIME = 0.2


def readers(count: int, each: int, speed: float) -> list[Reader]:
    """Return consumers of consecutive partitions."""
    return [
        Reader(name=f"c{m}", partitions=range(m * each, (m + 1) * each), speed=speed)
        for m in range(count)
    ]


def only(found: tuple[Finding, ...], kind: type[_Kind]) -> _Kind:
    """Return the one finding, which is of this kind."""
    (finding,) = found
    assert isinstance(finding, kind), finding
    return finding


def test_consumers_that_stop_are_all_named_with_all_their_partitions() -> None:
    # Three of eight stop at 10 s; 20/s arrive in each of 16 partitions.
    group = readers(8, 2, 200.0)
    for m in (1, 4, 6):
        group[m].stops_at_s = 10.0
    play = Play(rates=[20.0] * 16, readers=group)
    play.run(20)

    found = play.seen(60.0)

    stopped = only(found.findings, Stopped)
    assert stopped.members == (1, 4, 6)
    assert stopped.partitions == (2, 3, 8, 9, 12, 13)
    assert stopped.arriving == pytest.approx(6 * 20.0, rel=_RATE)
    assert (stopped.since_s, stopped.is_older) == (60.0, True)
    assert stopped.arrived == pytest.approx(6 * 20 * 60, rel=_RATE)
    without_times = only(undated(found).findings, Stopped)
    assert (without_times.members, without_times.partitions) == ((1, 4, 6), stopped.partitions)
    assert np.isnan(without_times.since_s)


def test_a_consumer_that_stops_after_the_first_snapshot_has_stopped() -> None:
    # It had caught up at 20 s, and stopped at 21 s.
    group = readers(2, 2, 200.0)
    group[1].stops_at_s = 21.0
    play = Play(rates=[20.0] * 4, readers=group)
    play.run(20)

    found = play.seen(60.0, 60.0)

    assert only(found.findings, Stopped).members == (1,)


def test_an_overloaded_group_that_drains_what_it_fetched_has_no_stuck_record() -> None:
    # One consumer reads 100/s of 8 partitions that get 60/s each, 3,000 records of one at a time:
    # for 30 s it reads one partition, and the others stand. No two partitions fit on one consumer.
    group = readers(1, 8, 100.0)
    group[0].fetches = 3_000
    play = Play(rates=[60.0] * 8, readers=group, waiting=[40_000] * 8)
    play.run(20)

    found = play.seen(60.0)

    full = only(found.findings, Full)
    assert full.partitions == tuple(range(8))
    assert full.arriving == pytest.approx(480.0, rel=_RATE)
    assert full.reading == pytest.approx(100.0, rel=_RATE)
    assert found.facts.speed.records_s == pytest.approx(100.0, rel=_RATE)
    assert full.needed == 8


def test_a_poison_record_is_told_and_is_no_measure_of_speed() -> None:
    # c0 reads 300/s and gets 3 x 20/s, but t-1 fails at 1,500. c1 has a backlog and reads 300/s.
    group = readers(2, 3, 300.0)
    group[0].poison = {1: 1_500}
    play = Play(rates=[20.0] * 3 + [120.0] * 3, readers=group, waiting=[0] * 3 + [20_000] * 3)
    play.run(60)

    found = play.seen(60.0)

    stuck, full = found.findings
    assert isinstance(stuck, StuckRecord)
    assert (stuck.members, stuck.partitions, stuck.offset) == ((0,), (1,), 1_500)
    assert stuck.arriving == pytest.approx(20.0, rel=_RATE)
    assert isinstance(full, Uneven | Full)
    assert found.facts.speed.source is Source.MEASURED
    assert not found.facts.speed.is_least
    assert found.facts.speed.records_s == pytest.approx(300.0, rel=_RATE)
    assert StuckRecord in {type(each) for each in undated(found).findings}


def test_several_partitions_that_stand_on_one_consumer_are_left_unread_and_not_skipped() -> None:
    group = readers(1, 4, 300.0)
    group[0].paused = (1, 2)
    play = Play(rates=[20.0] * 4, readers=group)
    play.run(60)

    found = play.seen(60.0)

    left = only(found.findings, LeftUnread)
    assert (left.members, left.partitions) == ((0,), (1, 2))
    assert left.lag == pytest.approx(2 * 20 * 120, rel=_RATE)
    assert only(undated(found).findings, LeftUnread).partitions == (1, 2)


def test_consumers_that_crash_before_they_commit_are_a_crash_loop() -> None:
    group = readers(3, 2, 200.0)
    for reader in group:
        reader.crashes_every_s = 20.0
    play = Play(rates=[20.0] * 6, readers=group)
    play.run(30)

    found = play.seen(30.0, 30.0)

    loop = only(found.findings, CrashLoop)
    assert (loop.members, loop.partitions) == ((0, 1, 2), tuple(range(6)))
    assert loop.arriving == pytest.approx(120.0, rel=_RATE)
    assert isinstance(only(undated(found).findings, CrashLoop), CrashLoop)


def test_a_hot_partition_gets_its_rates_and_what_a_consumer_of_its_own_reads() -> None:
    group = readers(4, 2, 200.0)
    play = Play(rates=[300.0] + [20.0] * 7, readers=group)
    play.run(60)

    found = play.seen(60.0)

    hot = found.findings[0]
    assert isinstance(hot, TooHot)
    assert hot.partitions == (0,)
    assert hot.arriving == pytest.approx(300.0, rel=_RATE)
    assert hot.usual == pytest.approx(20.0, rel=_RATE)
    assert hot.alone == pytest.approx(200.0, rel=_RATE)


def test_a_hot_partition_is_told_once_where_all_consumers_are_full() -> None:
    # 90/s in t-3 is 4.5 times the median of 20/s; each of three consumers reads 40/s.
    rates = [5.0, 20.0, 20.0, 90.0, 0.0, 0.0, 5.0, 20.0, 20.0]
    play = Play(rates=rates, readers=readers(3, 3, 40.0), waiting=[0] * 8 + [9_000])
    play.run(10)

    found = play.seen(60.0)

    hot, full = found.findings
    assert isinstance(hot, TooHot)
    assert hot.partitions == (3,)
    assert isinstance(full, Full)
    assert full.members == (0, 1, 2)
    assert full.arriving == pytest.approx(180.0, rel=_RATE)
    assert 3 not in full.partitions


def test_hot_is_what_gets_four_times_the_median_however_much_the_hot_ones_get() -> None:
    # 90/s is 4.5 times the median, and 3.3 times the mean of 27/s.
    play = Play(rates=[90.0, 20.0] * 2 + [20.0] * 16, readers=readers(10, 2, 70.0))
    play.run(60)

    found = play.seen(60.0)

    hot = [each for each in found.findings if isinstance(each, TooHot)]
    assert sorted(p for each in hot for p in each.partitions) == [0, 2]


def test_a_group_that_reads_just_what_arrives_is_not_overloaded_and_never_done() -> None:
    play = Play(rates=[100.0], readers=readers(1, 1, 100.0), waiting=[5_000])
    play.run(20)

    found = play.seen(60.0)

    over = only(found.findings, CatchingUp)
    assert over.arriving == over.reading
    assert over.lag >= 5_000


@pytest.mark.parametrize("fetches", [200, 2_000])
def test_a_backlog_is_read_when_it_is_said_to_be(fetches: int) -> None:
    # 2 x 24,000 wait for one consumer that reads 400/s where 2 x 50/s arrive: 48,000 / 300 = 160 s.
    group = readers(1, 2, 400.0)
    group[0].fetches = fetches
    play = Play(rates=[50.0] * 2, readers=group, waiting=[24_000] * 2)
    play.run(10)

    found = play.seen(60.0)

    over = only(found.findings, CatchingUp)
    assert over.reading == pytest.approx(400.0, rel=_RATE)
    assert over.arriving == pytest.approx(100.0, rel=_RATE)
    took = 0.0
    while play.lag > 100:
        play.run(1)
        took += 1
    assert over.over_s == pytest.approx(took, rel=_TIME)


def test_consumers_that_slow_down_are_told_from_arrivals_that_rise() -> None:
    group = readers(2, 2, 200.0)
    play = Play(rates=[90.0] * 4, readers=group, waiting=[5_000] * 4)
    play.run(10)
    before = play.seen(60.0, 60.0).history
    for reader in group:
        reader.speed = 100.0

    after = play.seen(60.0, 60.0)

    history = replace(before, moments=(*before.moments[:-1], *after.history.moments))
    slower = only(Case(after.group, history).findings, Slower)
    assert slower.before == pytest.approx(400.0, rel=_RATE)
    assert slower.reading == pytest.approx(200.0, rel=_RATE)
    assert slower.since_s == pytest.approx(120.0, rel=_RATE)


def test_a_reader_outside_the_group_is_no_alarm_and_has_rates() -> None:
    reader = Reader(name="job", partitions=range(4), speed=500.0)
    play = Play(rates=[50.0] * 4, readers=[reader], waiting=[15_000] * 4, is_outside=True)
    play.run(10)

    found = play.seen(60.0)

    outside = only(found.findings, ReadOutside)
    assert outside.reading == pytest.approx(500.0, rel=_RATE)
    assert outside.arriving == pytest.approx(200.0, rel=_RATE)
    took = 0.0
    while play.lag > 100:
        play.run(1)
        took += 1
    assert outside.over_s == pytest.approx(took, rel=_TIME)


def test_without_times_the_share_of_the_lag_stays_said() -> None:
    group = readers(4, 2, 200.0)
    play = Play(rates=[300.0] + [20.0] * 7, readers=group, waiting=[90_000] + [0] * 7)
    play.run(60)

    found = undated(play.seen(60.0))

    assert only(found.findings, LagConcentrated).partition == 0


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Draw up to three consumers of up to four partitions, without poison and pauses."""
    members, each = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    group = readers(members, each, 0.0)
    for reader in group:
        reader.speed = draw(st.sampled_from([40.0, 100.0, 250.0]))
        reader.fetches = draw(st.sampled_from([50, 500, 4_000]))
    count = members * each
    rates = draw(st.lists(st.sampled_from([0.0, 5.0, 20.0, 90.0]), min_size=count, max_size=count))
    waiting = draw(st.lists(st.sampled_from([0, 300, 9_000]), min_size=count, max_size=count))
    return Play(rates=rates, readers=group, waiting=waiting)


@given(plays(), st.sampled_from([(60.0,), (40.0, 40.0)]))
def test_what_only_waits_is_never_called_stopped_stuck_or_unread(
    play: Play, every_s: tuple[float, ...]
) -> None:
    play.run(10)

    found = play.seen(*every_s)

    for each in (*found.findings, *undated(found).findings):
        assert not isinstance(each, Stopped | StuckRecord | LeftUnread | CrashLoop), each


@given(plays(), st.booleans(), st.randoms(use_true_random=False))
def test_each_partition_is_explained_once_and_names_and_order_do_not_matter(
    play: Play, has_stopped: bool, random: Random
) -> None:
    if has_stopped:
        play.readers[0].stops_at_s = 5.0
    order = [*range(len(play.readers))]
    random.shuffle(order)
    shuffled = replace(
        play, readers=[replace(play.readers[m], name=f"m{k}") for k, m in enumerate(order)]
    )
    for each in (play, shuffled):
        each.run(10)

    found, other = play.seen(60.0), renamed(shuffled.seen(60.0))

    explained = [p for finding in found.findings for p in finding.partitions]
    assert len(explained) == len({*explained})
    assert told_by(found, [f"m{order.index(m)}" for m in range(len(order))]) == told_by(
        other, other.group.members
    )


def renamed(found: Case) -> Case:
    """Return the same group with a topic of another name."""
    layout = replace(found.group.layout, topics=("z",))
    moments = tuple(
        moment._replace(topics={"z": moment.topics["t"]}, held=None)
        for moment in found.history.moments
    )
    return Case(replace(found.group, layout=layout), replace(found.history, moments=moments))


def told_by(found: Case, members: Sequence[str]) -> list[tuple[object, ...]]:
    """Return kind, partitions, consumers by these names and figures of each finding."""
    return [
        (type(each), each.partitions, {members[m] for m in each.members}, figures_of(each))
        for each in found.findings
    ]


@given(st.integers(1, 4), st.integers(2, 5), st.data())
def test_a_record_that_fails_is_found_wherever_consumers_have_time(
    members: int, each: int, data: st.DataObject
) -> None:
    # Every consumer reads 500/s and gets 20/s of each partition; some fail at one record. Where
    # each of three or more does, that is one cause.
    group = readers(members, each, 500.0)
    failing = {
        reader.name: data.draw(st.sampled_from(reader.partitions))
        for reader in group
        if data.draw(st.booleans())
    }
    for reader in group:
        if reader.name in failing:
            reader.poison = {failing[reader.name]: 1_100}
    play = Play(rates=[20.0] * (members * each), readers=group)
    play.run(30)

    found = play.seen(60.0)

    cause = LeftUnread if len(failing) == members >= 3 else StuckRecord
    assert {type(each) for each in found.findings} <= {cause}
    assert {p for each in found.findings for p in each.partitions} == {*failing.values()}


def test_a_group_is_not_full_as_a_whole_where_the_reading_of_one_consumer_is_unknown() -> None:
    # t-0 gets 12 in a minute and 1 is read; in t-1 4,800 arrive, and the offset jumps to the end.
    ends, committed = [(12, 204), (12, 204), (24, 5_004)], [(0, 0), (0, 1), (1, 5_002)]
    groups = [
        Group.of(["t"], [2], ["c0", "c1"], owners=[0, 1], lags=np.subtract(end, done)).with_offsets(
            end=np.array(end), committed=np.array(done)
        )
        for end, done in zip(ends, committed, strict=True)
    ]
    moments = tuple(Moment.of(group, 60.0 * k) for k, group in enumerate(groups))

    found = Case(groups[-1], OffsetHistory(moments))

    kinds = Full | MoreArrives | Uneven | TooHot | Hot
    full = [each for each in found.findings if isinstance(each, kinds)]
    assert [each.partitions for each in full] == [(0,)]
    assert [each.members for each in full] == [(0,)]
    assert full[0].arriving == pytest.approx(0.2)
    assert full[0].reading == pytest.approx(1 / 60)
