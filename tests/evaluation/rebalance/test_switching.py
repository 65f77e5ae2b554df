import numpy as np
import pytest

from assignors.model import Group, Owners
from assignors.registry import STRATEGIES
from evaluation.rebalance.switching import SwitchCost, switch_cost
from evaluation.rebalance.timing import Timing

PRESENT = np.array([0, 0, 0, 1], np.int32)
TIMING = Timing(pause_s=3.0, heartbeat_s=5.0, assignment_interval_s=0.0)


def group(owners: Owners = PRESENT) -> Group:
    fresh = Group.fresh({"t": 4}, ["c0", "c1"], lags={"t": [10, 20, 30, 40]})
    return fresh.owned_by(owners)


def switched(before: str, after: str) -> SwitchCost:
    strategy = STRATEGIES[after]
    owners = strategy.settle(group())
    return switch_cost(group(), owners, STRATEGIES[before], strategy, TIMING)


@pytest.mark.parametrize(
    ("before", "after", "paused"),
    [
        ("range", "cooperative-sticky", 4),  # the group is eager until no list contains range
        ("range", "sticky", 4),
        ("cooperative-sticky", "range", 4),
        ("cooperative-sticky", "uniform-kafka-18688", 1),
        ("uniform", "uniform-kafka-18688", 1),
    ],
)
def test_everything_pauses_unless_both_protocols_are_incremental(
    before: str, after: str, paused: int
) -> None:
    found = switched(before, after)

    assert (found.owned, found.moved, found.paused) == (4, 1, paused)


def test_the_lag_of_the_busiest_consumer_is_shown_before_and_after() -> None:
    found = switch_cost(
        group(), np.array([0, 0, 1, 1], np.int32), STRATEGIES["range"], STRATEGIES["range"], TIMING
    )

    assert (found.max_lag_before, found.max_lag_after) == (60, 70)


def test_rolling_restarts_lose_what_their_protocol_makes_them_lose() -> None:
    found = switched("range", "cooperative-sticky")

    assert (found.restart_before, found.restart_after) == (2 * 2 * 4 * 3.0, 2 * 4 * 3.0)
