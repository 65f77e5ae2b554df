"""A group's times, compared with closed forms; its two snapshots are at 0 and 60 s."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNKNOWN, Group
from evaluation.measuring.consumer_times import consumers_at, consumers_now
from evaluation.measuring.offset_history import (
    Moment,
    OffsetHistory,
    history_offsets,
    thinned,
)
from evaluation.measuring.partition_times import (
    Basis,
    PartitionTimes,
    partition_times,
    time_lags_over_time,
)


def snapshot(
    committed: list[int],
    ends: list[int],
    begin: list[int] | None = None,
    rates: list[float] | None = None,
) -> Group:
    lags = np.where(np.array(committed) == UNKNOWN, UNKNOWN, np.subtract(ends, committed))
    return Group.of(["orders"], [len(ends)], ["c0", "c1"], lags=lags, rates=rates).with_offsets(
        begin=begin, end=ends, committed=committed
    )


def over_a_minute(earlier: Group, later: Group, retention_s: float | None = None) -> PartitionTimes:
    history = OffsetHistory((Moment.of(earlier, 0.0), Moment.of(later, 60.0)))
    return partition_times(later, history, retention_s)


def test_rates_time_lag_and_catch_up_follow_from_two_snapshots() -> None:
    earlier, later = snapshot([0, 0], [600, 100]), snapshot([900, 100], [1_200, 100])

    times = over_a_minute(earlier, later)

    assert times.produced.tolist() == [10, 0]
    assert times.consumed.tolist() == [15, pytest.approx(100 / 60)]
    assert times.age_s.tolist() == [30, 0]  # 300 waiting, written at 10 a second
    assert times.basis.tolist() == [Basis.BETWEEN, Basis.BETWEEN]
    assert times.catch_up_s.tolist() == [60, 0]  # 300 at 15 - 10 a second


def test_an_older_record_was_written_at_the_present_rate_or_is_at_least_so_old() -> None:
    earlier, later = snapshot([0, 0], [9_400, 500]), snapshot([1_000, 100], [10_000, 500])

    times = over_a_minute(earlier, later, retention_s=3_600)

    assert times.age_s.tolist() == [900, 60]
    assert times.basis.tolist() == [Basis.AT_RATE, Basis.AT_LEAST]
    assert np.isnan(times.loss_s[1])  # "at least a minute old" is too little


def test_a_stated_rate_serves_where_there_is_no_history() -> None:
    group = snapshot([0, 0], [600, 7], rates=[10.0, np.nan])

    times = partition_times(group, OffsetHistory())

    assert times.age_s.tolist() == [60, pytest.approx(np.nan, nan_ok=True)]
    assert times.basis.tolist() == [Basis.AT_RATE, Basis.NOTHING]
    assert np.isnan(times.catch_up_s).all()


def test_what_the_cluster_answered_goes_before_what_follows() -> None:
    group = snapshot([0, 0], [600, 7])
    moment = Moment.of(group, 0.0)._replace(age_s={"orders": np.array([42.0, np.nan])})
    history = OffsetHistory((moment,))

    times = partition_times(group, history)

    assert times.age_s.tolist() == [42, pytest.approx(np.nan, nan_ok=True)]
    assert times.basis.tolist() == [Basis.REPORTED, Basis.NOTHING]


def test_loss_is_the_earlier_of_age_and_size() -> None:
    earlier = snapshot([400, 400], [1_000, 1_000], [0, 300])
    later = snapshot([700, 700], [1_600, 1_600], [0, 400])

    times = over_a_minute(earlier, later, retention_s=3_690)

    # Read at 5, written at 10 a second; 900 wait, the next is 90 s old: it ages by 0.5 s/s.
    by_age, by_size = (3_690 - 90) / 0.5, (700 - 400) / (10 - 5)
    assert times.loss_s.tolist() == [by_age, by_size]
    unlimited = OffsetHistory(
        (Moment.of(earlier, 0.0), Moment.of(later, 60.0)), unlimited=frozenset(["orders"])
    )
    assert partition_times(later, unlimited, 3_690).loss_s.tolist() == [by_age, by_age]


def test_retention_of_the_cluster_counts_unless_another_is_stated() -> None:
    later = snapshot([0], [600], rates=[10.0])
    history = OffsetHistory((Moment.of(later, 0.0),), retention_s={"orders": 50.0})

    assert partition_times(later, history).retention_s.tolist() == [50]
    assert partition_times(later, history, 70.0).retention_s.tolist() == [70]


def test_unknown_stays_unknown() -> None:
    earlier, later = snapshot([UNKNOWN], [600]), snapshot([UNKNOWN], [1_200])

    times = over_a_minute(earlier, later, retention_s=3_600)

    assert times.produced.tolist() == [10]
    for values in (times.lag, times.consumed, times.age_s, times.catch_up_s, times.loss_s):
        assert np.isnan(values).all()


def test_offsets_are_matched_by_topic_and_number() -> None:
    earlier = Group.of(["a", "t"], [1, 2], ["c"]).with_offsets(end=[7, 100, 200])
    later = Group.of(["t", "u"], [3, 1], ["c"]).with_offsets(end=[160, 200, 50, 9])

    found = history_offsets(later, [Moment.of(earlier, 0.0), Moment.of(later, 1.0)])

    assert found[:, 1].tolist() == [[100, 200, UNKNOWN, UNKNOWN], [160, 200, 50, 9]]


def test_long_histories_are_thinned_out_from_first_to_last() -> None:
    assert thinned(range(9), 500_000) == [0, 2, 5, 8]
    assert thinned(range(9), 5_000_000) == [0, 8]
    assert thinned(range(9), 5) == range(9)
    assert thinned(range(9), 500_000, is_latest_kept=True) == range(5, 9)


def test_a_consumer_is_as_late_as_its_latest_partition() -> None:
    earlier = snapshot([0, 0, 0], [600, 600, 600])
    later = snapshot([900, 600, 1_200], [1_200, 1_200, 1_200])
    times = over_a_minute(earlier, later, retention_s=10_000)

    found = consumers_now(times, np.array([0, 0, 1], np.int32), 3)

    assert found.age_s.tolist() == [60, 0, 0]
    assert found.catch_up_s.tolist() == [np.inf, 0, 0]  # the second just keeps up
    assert found.loss_s.tolist() == [np.inf] * 3


def test_partitions_of_one_consumer_catch_up_when_their_sum_does() -> None:
    # A minute ago 300/s of t-0 and 20/s of t-1 arrived; a client that hands records on in the
    # order in which it fetched them still reads 187.5/s and 12.5/s, where 20/s each arrive now.
    # 5,025 and 575 wait: 5,600 / (200 - 40) = 35 s, not the 5,025 / 167.5 = 30 s of t-0 alone.
    # t-2 stands: its 600 are nobody's gain. c1 gains nothing in all, so t-3 goes by its own.
    def seen(committed: list[int], ends: list[int]) -> Group:
        lags = np.subtract(ends, committed)
        return Group.of(["t"], [5], ["c0", "c1"], owners=[0, 0, 0, 1, 1], lags=lags).with_offsets(
            end=ends, committed=committed
        )

    earlier = seen([0, 0, 0, 0, 0], [15_075, 125, 600, 6_000, 6_000])
    later = seen([11_250, 750, 0, 1_200, 600], [16_275, 1_325, 600, 6_600, 7_800])

    times = over_a_minute(earlier, later, retention_s=3_600)

    assert times.catch_up_s.tolist() == [35, 35, np.inf, 540, np.inf]  # 5,400 at 20 - 10 a second
    assert np.isinf(times.loss_s).tolist() == [True, True, False, True, False]
    found = consumers_now(times, earlier.present_owners, 2)
    assert found.catch_up_s.tolist() == [np.inf, np.inf]


def test_under_another_assignment_the_speed_is_shared() -> None:
    earlier, later = snapshot([0, 0], [600, 300]), snapshot([0, 300], [1_200, 600])
    times = over_a_minute(earlier, later, retention_s=3_720)

    found = consumers_at(times, np.array([0, 0], np.int32), np.array([10.0, 7.0]))

    # 1,200 and 300 wait, 10 and 5 a second arrive: more than the one consumer reads.
    assert found.catch_up_s.tolist() == [np.inf, 0]
    # Each partition is read at 5: the first ages by 0.5 s/s, the second not at all.
    assert found.loss_s.tolist() == [(3_720 - 120) / 0.5, np.inf]


def test_who_has_no_lag_has_caught_up_though_more_arrives_than_is_read() -> None:
    group = Group.of(["t"], [4], ["a", "b"], lags=[0, 0, 100, UNKNOWN], rates=[9.0] * 4)
    times = partition_times(group, OffsetHistory())
    owners = np.array([0, -1, 1, 1], np.int32)

    found = consumers_at(times, owners, np.array([1.0, 28.0]))
    capped = consumers_at(times, owners, np.array([1.0, 28.0]), partition_cap=14.0)

    assert found.catch_up_s.tolist() == [0.0, 10.0]  # 100 wait, 18 a second arrive, 28 are read
    assert capped.catch_up_s.tolist() == [0.0, 20.0]  # of one partition 14, and 9 arrive


@given(
    st.lists(st.integers(0, 5_000), min_size=1, max_size=6),
    st.floats(0.5, 50),
    st.floats(0.5, 500),
)
def test_catching_up_equals_reading_by_record(lags: list[int], rate: float, speed: float) -> None:
    size = len(lags)
    times = partition_times(
        Group.of(["t"], [size], ["c"], lags=lags, rates=[rate] * size), OffsetHistory()
    )

    (seconds,) = consumers_at(times, np.zeros(size, np.int32), np.array([speed])).catch_up_s

    if np.isfinite(seconds):
        read, arrived = speed * seconds, sum(lags) + size * rate * seconds
        assert read == pytest.approx(arrived if sum(lags) else 0.0)
    else:
        assert speed <= size * rate


def test_an_edited_lag_counts_as_if_it_had_been_found() -> None:
    earlier, later = snapshot([0], [600]), snapshot([900], [1_200])
    history = OffsetHistory((Moment.of(earlier, 0.0), Moment.of(later, 60.0)))

    times = partition_times(later.with_lags(np.array([450])), history)

    assert times.age_s.tolist() == [45]


def test_a_few_seconds_behind_is_keeping_up() -> None:
    earlier, later = snapshot([590, 0], [600, 600]), snapshot([1_180, 500], [1_200, 1_200])

    times = over_a_minute(earlier, later, retention_s=3_600)

    assert times.age_s.tolist() == [2, 70]
    assert times.catch_up_s.tolist() == [0, np.inf]
    assert times.loss_s[0] == np.inf
    assert np.isfinite(times.loss_s[1])


def test_time_lags_over_time_know_no_later_snapshot() -> None:
    groups = [snapshot([0], [600]), snapshot([900], [1_200]), snapshot([1_200], [1_800])]
    moments = [Moment.of(group, 60.0 * k) for k, group in enumerate(groups)]
    asked = moments[2]._replace(age_s={"orders": np.array([75.0])})

    found = [
        time_lags_over_time(
            groups[-1], OffsetHistory((*moments[:2], last)), np.array([0]), np.array([8.0])
        )
        for last in (moments[2], asked)
    ]

    # The first by the rate, 600 / 8; the next between two ends, 10 a second; the last as given.
    assert found[0][:, 0].tolist() == [75, 30, 60]
    assert found[1][:, 0].tolist() == [75, 30, 75]


def test_a_group_without_topics_has_a_history_of_nothing() -> None:
    group = Group.of([], [], ["c"])

    times = partition_times(
        group, OffsetHistory((Moment.of(group, 0.0), Moment.of(group, 60.0))), 60.0
    )

    assert times.age_s.size == times.loss_s.size == 0


def test_present_rates_are_those_of_the_last_minutes() -> None:
    ends, commits = [0, 6_000, 6_600, 12_600], [0, 0, 60, 660]
    groups = [snapshot([read], [end]) for read, end in zip(commits, ends, strict=True)]

    def rates(times_s: list[float]) -> tuple[float, float, float]:
        moments = map(Moment.of, groups, times_s)
        history = OffsetHistory(tuple(moments))
        found = partition_times(groups[-1], history)
        return float(found.produced[0]), float(found.consumed[0]), history.rates_span_s

    assert rates([0, 30, 60, 90]) == (140, 660 / 90, 90)  # all are near
    assert rates([0, 60, 120, 180]) == (100, 10, 60)  # ten times as much since two minutes
    assert rates([0, 240, 840, 1_140]) == (20, 2, 300)
    assert rates([0, 600, 660, 1_660]) == (6, 0.6, 1_000)  # the last two are further apart


def test_without_an_owner_there_is_no_catch_up_or_loss() -> None:
    times = partition_times(snapshot([0], [600], rates=[10.0]), OffsetHistory(), 50.0)

    found = consumers_at(times, np.array([-1], np.int32), np.array([5.0]))

    assert (found.catch_up_s.tolist(), found.loss_s.tolist()) == ([0], [np.inf])


@pytest.mark.parametrize(
    ("ends", "commits", "rates"),
    [
        # 100/s are read in two minutes, then 50/s in two: 50/s is what is read now.
        ([0, 6_000, 12_000, 18_000, 24_000], [0, 6_000, 12_000, 15_000, 18_000], (100, 50, 120)),
        # 100/s arrive, then 300/s: the last two minutes count.
        ([0, 6_000, 12_000, 30_000, 48_000], [0, 6_000, 12_000, 18_000, 24_000], (300, 100, 120)),
        # A burst of one minute is no change: 16,000 in four minutes are 66.7/s.
        (
            [0, 2_000, 12_000, 14_000, 16_000],
            [0, 2_000, 4_000, 6_000, 8_000],
            (200 / 3, 100 / 3, 240),
        ),
    ],
)
def test_present_rates_begin_where_they_changed(
    ends: list[int], commits: list[int], rates: tuple[float, float, float]
) -> None:
    groups = [snapshot([read], [end]) for read, end in zip(commits, ends, strict=True)]
    history = OffsetHistory(tuple(Moment.of(group, 60.0 * k) for k, group in enumerate(groups)))

    found = partition_times(groups[-1], history)

    now = (float(found.produced[0]), float(found.consumed[0]), history.rates_span_s)
    assert now == pytest.approx(rates, rel=1e-3)
