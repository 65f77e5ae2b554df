"""Max-min fair reading, compared with small steps and with its closed form."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNOWNED, FloatArray
from evaluation.fluid import (
    Flow,
    advanced,
    drain_seconds,
    fair_shares,
    seconds_to_catch_up_each,
    total_lags,
)
from tests.groups import tried

_STEP_S = 0.002


def filled_up(wants: Sequence[float], speed: float) -> list[float]:
    """Divide a speed by progressive filling, the slow way."""
    given_to = [0.0] * len(wants)
    open_ = list(range(len(wants)))
    while open_ and speed > 1e-12:
        each = min(speed / len(open_), *(wants[k] - given_to[k] for k in open_))
        for k in open_:
            given_to[k] += each
        speed -= each * len(open_)
        open_ = [k for k in open_ if wants[k] - given_to[k] > 1e-12]
    return given_to


def small_steps(flow: Flow, seconds: float) -> FloatArray:
    lag = flow.lags.astype(np.float64)
    for _ in range(round(seconds / _STEP_S)):
        lag += flow.rates * _STEP_S
        for reader, speed in enumerate(flow.speeds.tolist()):
            mine = flow.readers == reader
            wants = np.minimum(lag[mine], flow.most * _STEP_S)
            lag[mine] -= filled_up(wants.tolist(), speed * _STEP_S)
    return lag


@st.composite
def partitions(draw: st.DrawFn) -> tuple[list[float], list[float], list[int]]:
    count = draw(st.integers(1, 7))
    lags = draw(st.lists(st.sampled_from([0.0, 1.0, 7.0, 40.0]), min_size=count, max_size=count))
    rates = draw(st.lists(st.sampled_from([0.0, 1.0, 3.0, 9.0]), min_size=count, max_size=count))
    readers = draw(st.lists(st.integers(UNOWNED, 2), min_size=count, max_size=count))
    return lags, rates, readers


@tried(60)
@given(
    partitions(),
    st.sampled_from([2.0, 10.0, 17.0]),
    st.sampled_from([0.5, 2.0, 4.0]),
    st.sampled_from([np.inf, 1.0, 4.0, 12.0]),
)
def test_event_by_event_equals_small_steps(
    drawn: tuple[list[float], list[float], list[int]], speed: float, seconds: float, most: float
) -> None:
    lags, rates, readers = (np.array(column) for column in drawn)
    flow = Flow(lags, rates, readers.astype(np.int32), np.full(3, speed), most)

    found = advanced(flow, seconds)

    expected = small_steps(flow, seconds)
    assert found == pytest.approx(expected, abs=0.1)
    totals = total_lags(flow, np.array([0.0, seconds / 3, seconds]))
    sums = [[values[readers == m].sum() for m in range(3)] for values in (lags, found)]
    assert totals[[0, 2]] == pytest.approx(np.array(sums), abs=1e-6)


@tried(100)
@given(partitions(), st.sampled_from([2.0, 10.0, 17.0]), st.sampled_from([np.inf, 1.0, 4.0, 12.0]))
def test_a_reader_has_caught_up_when_it_is_said_to_and_not_before(
    drawn: tuple[list[float], list[float], list[int]], speed: float, most: float
) -> None:
    lags, rates, readers = (np.array(column) for column in drawn)
    flow = Flow(lags, rates, readers.astype(np.int32), np.full(3, speed), most)

    found = seconds_to_catch_up_each(flow)

    for reader, seconds in enumerate(found.tolist()):
        mine = readers == reader
        if np.isinf(seconds):
            later = advanced(flow, 1e6)
            assert (later[mine] > 0).any() or rates[mine].sum() >= speed
            continue
        assert advanced(flow, seconds * (1 + 1e-6))[mine].sum() == pytest.approx(0, abs=1e-4)
        if seconds:
            assert (advanced(flow, seconds * 0.99)[mine] > 0).any()


@tried(100)
@given(partitions(), st.sampled_from([1.0, 10.0, 29.0]), st.floats(0.01, 60))
def test_a_reader_loses_no_time_while_anything_is_behind(
    drawn: tuple[list[float], list[float], list[int]], speed: float, seconds: float
) -> None:
    lags, rates, readers = np.array(drawn[0]), np.array(drawn[1]), np.array(drawn[2], np.int32)

    found = advanced(Flow(lags, rates, readers, np.full(3, speed)), seconds)

    for reader in range(3):
        mine = readers == reader
        line = lags[mine].sum() + (rates[mine].sum() - speed) * seconds
        assert found[mine].sum() == pytest.approx(max(line, 0), abs=1e-6)
    assert (found >= 0).all()


def test_the_lag_of_unread_partitions_grows_with_their_rate() -> None:
    readers = np.array([UNOWNED, 0], np.int32)

    flow = Flow(np.array([10.0, 10.0]), np.array([3.0, 0.0]), readers, np.array([2.0]))
    found = advanced(flow, 4)

    assert found.tolist() == [22, 2]


def test_a_hot_partition_is_given_what_the_others_leave() -> None:
    lags, rates = np.array([0.0, 0.0, 0.0]), np.array([1.0, 2.0, 50.0])

    found = fair_shares(Flow(lags, rates, np.zeros(3, np.int32), np.array([10.0])))

    assert found.tolist() == [1, 2, 7]


def test_a_backlog_drains_in_its_lag_over_the_spare_speed() -> None:
    pause_s, lag, rate, speed = 3.0, 100.0, 4.0, 14.0
    lags, readers = np.array([lag + pause_s * rate]), np.zeros(1, np.int32)

    seconds = drain_seconds(lags, np.array([rate - speed]))

    assert pause_s + seconds[0] == pause_s + (lag + pause_s * rate) / (speed - rate)
    left = advanced(Flow(lags, np.array([rate]), readers, np.array([speed])), float(seconds[0]) - 1)
    assert left.tolist() == [pytest.approx(speed - rate)]


def test_a_reader_that_cannot_keep_up_is_never_done() -> None:
    assert drain_seconds(np.array([0.0, 5.0]), np.array([1.0, 0.0])).tolist() == [np.inf, np.inf]


def test_a_reader_that_has_caught_up_reads_what_arrives() -> None:
    readers = np.array([0, 0, 1], np.int32)

    found = fair_shares(
        Flow(np.zeros(3), np.array([2.0, 3.0, 1.0]), readers, np.array([10.0, 4.0]))
    )

    assert found.tolist() == [2, 3, 1]
