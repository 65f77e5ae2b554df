"""What is known of a group's flow, worked out by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import UNKNOWN, Group
from evaluation.measuring.facts import Facts, Source, Speed, facts_of
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.measuring.partition_times import partition_times

_Offsets = tuple[Sequence[int], Sequence[int]]


def facts(moments: Sequence[_Offsets], owners: Sequence[int], **known: object) -> Facts:
    """Return the facts of consumers with these end and committed offsets, a minute apart."""
    members = [f"c{m}" for m in range(max(owners) + 1)]
    groups = [
        Group.of(["t"], [len(ends)], members, owners=owners).with_offsets(end=ends, committed=read)
        for ends, read in moments
    ]
    lags = [
        UNKNOWN if read == UNKNOWN else end - read for end, read in zip(*moments[-1], strict=True)
    ]
    groups[-1] = groups[-1].with_lags(np.array(lags))
    each = (Moment.of(group, 60.0 * k) for k, group in enumerate(groups))
    history = OffsetHistory(tuple(each))
    times = partition_times(groups[-1], history)
    return facts_of(groups[-1], history, times, **known)  # type: ignore[arg-type] # few, by name


def test_a_consumer_with_a_backlog_throughout_reads_at_its_speed() -> None:
    # 36,000 read in 60 s from a backlog of 60,000 and more: 600/s. The other keeps up with 100/s.
    found = facts(
        [([100_000, 5_000], [40_000, 5_000]), ([154_000, 11_000], [76_000, 11_000])], [0, 1]
    )

    assert found.reading.tolist() == [600, 100]
    assert found.is_busy.tolist() == [True, False]
    assert found.speed == Speed(600, Source.MEASURED)
    assert (found.total_arriving, found.arriving_source) == (1_000, Source.MEASURED)
    assert found.span_s == 60


def test_the_first_commit_to_a_partition_hides_no_speed() -> None:
    # c0 reads 600/s from the backlog of t-0, and committed to t-1 for the first time in between.
    found = facts([([100_000, 500], [40_000, UNKNOWN]), ([154_000, 1_100], [76_000, 300])], [0, 0])

    assert found.speed == Speed(600, Source.MEASURED)


def test_what_consumers_that_keep_up_read_is_a_lower_bound() -> None:
    found = facts([([0, 0], [0, 0]), ([6_000, 12_000], [6_000, 12_000])], [0, 1])

    assert found.speed == Speed(200, Source.MEASURED, is_least=True)


def test_a_lag_of_what_was_not_yet_committed_is_no_backlog() -> None:
    # 200/s with 5 s not committed: 1,000 records at every moment, less than 10 s of reading.
    found = facts([([1_000], [0]), ([13_000], [12_000])], [0])

    assert not found.is_busy.any()
    assert found.speed == Speed(200, Source.MEASURED, is_least=True)


def test_a_consumer_that_stands_still_has_no_speed() -> None:
    # c0 commits nothing while 6,000 arrive; c1 reads 300/s from its backlog.
    found = facts([([50_000, 50_000], [0, 0]), ([56_000, 50_000], [0, 18_000])], [0, 1])

    assert found.is_still.tolist() == [True, False]
    assert found.speed == Speed(300, Source.MEASURED)


def test_the_median_counts_where_several_are_busy() -> None:
    # 100, 200 and 900 records/s from backlogs: one odd consumer does not decide.
    found = facts([([200_000] * 3, [0] * 3), ([200_000] * 3, [6_000, 12_000, 54_000])], [0, 1, 2])

    assert found.speed == Speed(200, Source.MEASURED, most_seen=900)


def test_what_the_user_states_comes_first() -> None:
    found = facts([([100], [0]), ([160], [60])], [0], stated_speed=50.0)

    assert found.speed == Speed(50, Source.STATED)


def test_rates_are_no_better_than_the_times_of_the_snapshots() -> None:
    found = facts([([90_000], [0]), ([90_000], [60])], [0], dated=Source.GUESS)

    assert found.speed == Speed(1, Source.GUESS)
    assert found.arriving_source is Source.GUESS


def test_a_group_that_states_throughput_and_rates_is_believed() -> None:
    group = Group.of(["t"], [2], ["a", "b"], rates=[3.0, math.nan], lags=[1, 1]).with_throughput(
        [10.0, 30.0]
    )

    found = facts_of(group, None, None)

    assert found.speed == Speed(20, Source.STATED)
    assert (found.total_arriving, found.arriving_source) == (3, Source.STATED)


@pytest.mark.parametrize(
    ("rates", "guess"),
    [
        ([120.0, 200.0], 400.0),  # the heaviest takes half of a consumer
        ([80.0] * 10, 500.0),  # 800 for two consumers at 80 %
        ([math.nan] * 2, 1_000.0),
    ],
)
def test_without_anything_measured_or_stated_the_speed_is_a_guess(
    rates: list[float], guess: float
) -> None:
    group = Group.of(["t"], [len(rates)], ["a", "b"], rates=rates, lags=[0] * len(rates))

    assert facts_of(group, None, None).speed == Speed(guess, Source.GUESS)


def test_nothing_known_is_not_nothing() -> None:
    found = facts_of(Group.fresh({"t": 2}, ["a"]), None, None)

    assert found.arriving_source is None
    assert np.isnan(found.arriving).all()
    assert np.isnan(found.reading).all()
    assert found.span_s == 0


@pytest.mark.parametrize("seconds", [119, 120])
def test_what_just_keeps_pace_is_a_speed_only_behind_a_lag_of_minutes(seconds: int) -> None:
    # 10/s arrive in each and are read, and the lag stands: commits once a minute look like this.
    waits = 10 * seconds
    found = facts([([waits] * 2, [0] * 2), ([waits + 600] * 2, [600] * 2)], [0, 1])

    assert found.speed == Speed(10, Source.MEASURED, is_least=seconds == 119)


@pytest.mark.parametrize(("seconds", "is_rated"), [(2.0, False), (5.0, True)])
def test_less_than_the_time_between_two_commits_measures_no_rate(
    seconds: float, *, is_rated: bool
) -> None:
    groups = [
        Group.of(["t"], [1], ["c"], owners=[0], lags=[end - 1_000]).with_offsets(
            end=[end], committed=[1_000]
        )
        for end in (1_500, 7_500)
    ]
    history = OffsetHistory(tuple(Moment.of(group, seconds * k) for k, group in enumerate(groups)))
    times = partition_times(groups[-1], history)

    found = facts_of(groups[-1], history, times)

    assert (found.arriving_source is Source.MEASURED) == is_rated
    assert bool(times.keeps_up.any()) == is_rated
