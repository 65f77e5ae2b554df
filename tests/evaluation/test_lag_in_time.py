import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assignors.model import UNKNOWN
from evaluation.measuring.lag_in_time import (
    Series,
    growth_per_second,
    seconds_to_catch_up,
    seconds_to_loss_by_age,
    seconds_to_loss_by_size,
    time_lag,
)

MINUTES = np.array([0.0, 60.0, 120.0])


def at_minutes(ends: list[int]) -> Series:
    return Series.of_snapshots(MINUTES, np.array(ends)[:, None])


def loss_by_age(
    lag: float, age_s: float, produced: float, consumed: float, retention_s: float
) -> float:
    columns = np.array([[lag], [age_s], [produced], [consumed]])
    found = seconds_to_loss_by_age(columns[0], columns[1], columns[2], columns[3], retention_s)
    return float(found[0])


@pytest.mark.parametrize(
    ("committed", "seconds", "is_exact"),
    [
        (900, 0.0, True),  # all records are read
        (700, 40.0, True),  # between the second and the third snapshot: 300 in 60 s
        (600, 60.0, True),
        (300, 90.0, True),  # between the first two: 600 in 60 s
        (0, 120.0, True),
        (UNKNOWN, np.nan, True),
    ],
)
def test_a_record_was_written_when_the_end_reached_it(
    committed: int, seconds: float, is_exact: bool
) -> None:
    found = time_lag(at_minutes([0, 600, 900]), np.array([committed]))

    assert found.seconds.tolist() == pytest.approx([seconds], nan_ok=True)
    assert found.is_exact.tolist() == [is_exact]


def test_a_record_older_than_the_first_snapshot_is_at_least_so_old() -> None:
    found = time_lag(at_minutes([500, 600, 900]), np.array([100]))

    assert found.seconds.tolist() == [120.0]
    assert found.is_exact.tolist() == [False]


def test_where_nothing_was_written_for_a_time_the_record_came_after_it() -> None:
    found = time_lag(at_minutes([600, 600, 900]), np.array([600]))

    assert found.seconds.tolist() == [60.0]


def test_offsets_from_before_a_topic_was_recreated_do_not_count() -> None:
    ends = at_minutes([9_000, 0, 60])

    assert time_lag(ends, np.array([30])).seconds.tolist() == [30.0]
    assert growth_per_second(ends).tolist() == [1.0]


def test_growth_takes_two_known_offsets() -> None:
    offsets = np.array([[0, UNKNOWN, 5], [30, UNKNOWN, UNKNOWN], [90, 7, 65]])

    assert growth_per_second(Series.of_snapshots(MINUTES, offsets)).tolist() == pytest.approx(
        [0.75, np.nan, 0.5], nan_ok=True
    )


@given(st.floats(1, 50), st.floats(0.5, 60), st.integers(1, 2_000))
def test_at_even_rates_the_time_lag_is_lag_divided_by_rate(
    rate: float, step_s: float, lag: int
) -> None:
    times = np.arange(200, dtype=np.float64) * step_s
    ends = np.floor(times * rate * 1_000).astype(np.int64)[:, None]
    assume(lag < ends[-1, 0])

    found = time_lag(Series.of_snapshots(times, ends), ends[-1] - lag)

    assert found.seconds[0] == pytest.approx(lag / (rate * 1_000), rel=1e-2, abs=step_s * 1e-2)


@pytest.mark.parametrize(
    ("produced", "consumed", "seconds"),
    [
        (10.0, 0.0, 3_600.0),  # without reading, the record just ages
        (10.0, 10.0, np.inf),  # the age stays constant
        (10.0, 20.0, np.inf),
        (40.0, 20.0, 30 + (3_660 - 30) / 0.5),  # the backlog is read in time, new records are not
    ],
)
def test_loss_by_age_follows_its_closed_form(
    produced: float, consumed: float, seconds: float
) -> None:
    assert loss_by_age(600, 60, produced, consumed, 3_660) == pytest.approx(seconds)


def test_what_is_as_old_as_retention_allows_is_lost_now_and_unknown_stays_unknown() -> None:
    assert loss_by_age(600, 4_000, 10, 50, 3_660) == 0
    assert np.isnan(loss_by_age(600, np.nan, 10, 50, 3_660))
    assert loss_by_age(0, 0, 0, 0, 3_660) == np.inf


@given(
    st.floats(10, 500),
    st.floats(1, 100),
    st.floats(0.5, 20),
    st.floats(0.5, 20),
    st.floats(101, 300),
)
def test_loss_by_age_equals_the_loss_record_by_record(
    lag: float, age_s: float, produced: float, consumed: float, retention_s: float
) -> None:
    found = loss_by_age(lag, age_s, produced, consumed, retention_s)
    assume(found < 5_000)

    read = consumed * found  # records read until then; the next one is lost
    written_at = age_s * (read / lag - 1) if read < lag else (read - lag) / produced

    assert found - written_at == pytest.approx(retention_s, rel=1e-6)


def test_the_start_of_the_log_overtakes_who_reads_too_slowly() -> None:
    begin, committed = np.array([100, 100, 500, UNKNOWN]), np.array([400, 400, 400, 400])
    deleted, consumed = np.array([20.0, 5.0, 1.0, 1.0]), np.array([5.0, 5.0, 5.0, 0.0])

    found = seconds_to_loss_by_size(begin, committed, deleted, consumed)

    assert found.tolist() == pytest.approx([20.0, np.inf, 0.0, np.nan], nan_ok=True)


def test_partitions_of_any_history_do_not_touch_each_other() -> None:
    partition = np.array([0, 0, 2, 2, 2, 3])
    times_s = np.array([0.0, 60.0, 0.0, 30.0, 60.0, 60.0])
    ends = Series.of(partition, times_s, np.array([0, 600, 900, 100, 400, UNKNOWN]), 4)

    found = time_lag(ends, np.array([450, 10, 50, 10]))

    assert found.seconds.tolist() == pytest.approx([15.0, np.nan, 30.0, np.nan], nan_ok=True)
    assert found.is_exact.tolist() == [True, True, False, True]
    assert growth_per_second(ends).tolist() == pytest.approx(
        [10.0, np.nan, 10.0, np.nan], nan_ok=True
    )


def test_without_any_offset_nothing_is_known() -> None:
    nothing = Series.of_snapshots(np.zeros(0), np.zeros((0, 2), np.int64))

    assert np.isnan(time_lag(nothing, np.array([1, 2])).seconds).all()
    assert np.isnan(growth_per_second(nothing)).all()


def test_who_reads_no_faster_than_records_arrive_never_catches_up() -> None:
    lag = np.array([600.0, 600.0, 0.0, np.nan, 5.0])
    produced = np.array([20.0, 20.0, np.nan, 1.0, np.nan])
    consumed = np.array([30.0, 20.0, 1.0, 2.0, 1.0])

    found = seconds_to_catch_up(lag, produced, consumed)

    assert found.tolist() == pytest.approx([60.0, np.inf, 0.0, np.nan, np.nan], nan_ok=True)
