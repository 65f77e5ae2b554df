"""What a comparison is judged by: weights in place of lags."""

import numpy as np
import pytest

from assignors.catalogue import strategy_called
from assignors.model import UNKNOWN, Group
from evaluation.comparing.outcomes import at_next_rebalance
from evaluation.judging import JudgeBy, Measure, judged, possible

NAN = float("nan")


def by(kind: JudgeBy, horizon_min: float = 5.0) -> Measure:
    return Measure(by=kind, horizon_min=horizon_min)


def hot() -> tuple[Group, np.ndarray]:
    """Return a group whose hot partition is read up, beside three quiet ones with a backlog."""
    group = Group.fresh({"t": 4}, ["a", "b"], lags={"t": [0, 50, 40, 30]})
    return group, np.array([900.0, 1.0, 1.0, 1.0])


def test_work_due_is_the_lag_and_what_arrives_in_the_horizon() -> None:
    group, arriving = hot()

    assert judged(group, by(JudgeBy.WORK), arriving).weights.tolist() == [270_000, 350, 340, 330]
    assert judged(group, by(JudgeBy.WORK, 1.0), arriving).weights.tolist() == [54_000, 110, 100, 90]


def test_the_hot_partition_that_is_read_up_gets_a_consumer_for_itself_by_work_and_not_by_lag() -> (
    None
):
    group, arriving = hot()
    strategy = strategy_called("lag-sticky")

    (by_lag,) = at_next_rebalance(group, [strategy])
    (by_work,) = at_next_rebalance(judged(group, by(JudgeBy.WORK), arriving), [strategy])

    assert np.count_nonzero(by_work.owners == by_work.owners[0]) == 1
    assert np.count_nonzero(by_lag.owners == by_lag.owners[0]) > 1


def test_unknown_is_not_zero_where_neither_lag_nor_arrivals_are_known() -> None:
    group = hot()[0].with_lags(np.array([UNKNOWN, UNKNOWN, 10, 10]))
    arriving = np.array([NAN, 2.0, NAN, 1.0])

    assert judged(group, by(JudgeBy.WORK), arriving).weights.tolist() == [UNKNOWN, 600, 10, 310]
    assert judged(group, by(JudgeBy.RATE), arriving).weights.tolist() == [UNKNOWN, 120, UNKNOWN, 60]


def test_work_beyond_64_bits_stops_at_the_largest_number() -> None:
    group = hot()[0].with_lags(np.array([2**63 - 1, 5, 0, 0]))

    due = judged(group, by(JudgeBy.WORK), np.array([1.0, 1e300, 1.0, NAN])).weights

    assert due.tolist() == [2**63 - 1, 2**62 + 5, 300, 0]


def test_by_partitions_each_weighs_one_and_by_lag_the_group_stays_as_it_is() -> None:
    group, arriving = hot()

    assert judged(group, by(JudgeBy.PARTITIONS), arriving).weights.tolist() == [1, 1, 1, 1]
    assert judged(group, by(JudgeBy.LAG), arriving) is group


@pytest.mark.parametrize("arriving", [None, np.full(4, NAN)])
def test_without_known_arrivals_work_and_rate_cannot_be_judged_by(
    arriving: np.ndarray | None,
) -> None:
    assert possible(arriving) == (JudgeBy.LAG, JudgeBy.PARTITIONS)


def test_where_arrivals_are_known_work_due_comes_first() -> None:
    assert possible(hot()[1])[0] is JudgeBy.WORK
