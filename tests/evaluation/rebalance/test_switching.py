import numpy as np
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.rebalance.switching import SwitchCost, fewest_restarts, switch_cost
from evaluation.rebalance.timing import Timing

TIMING = Timing(pause_s=3.0, heartbeat_s=5.0, assignment_interval_s=0.0)


def switched(before: str, after: str) -> SwitchCost:
    fresh = Group.fresh({"t": 4}, ["c0", "c1"])
    group = fresh.owned_by(np.array([0, 0, 0, 1], np.int32))
    return switch_cost(group, STRATEGIES[before], STRATEGIES[after], TIMING)


@pytest.mark.parametrize(
    ("before", "after", "restarts"),
    [
        ("range", "range", 0),
        ("uniform", "uniform-kafka-18688", 0),  # the brokers are upgraded, not the consumers
        ("range", "sticky", 2),
        ("range", "cooperative-sticky", 2),
        ("cooperative-sticky", "uniform-kafka-18688", 1),
        ("uniform-kafka-18688", "server-range", 1),
    ],
)
def test_between_classic_strategies_a_switch_takes_two_rolling_restarts(
    before: str, after: str, restarts: int
) -> None:
    assert switched(before, after).restarts == restarts


def test_clients_that_set_no_strategy_list_cooperative_sticky_beside_range_already() -> None:
    before, after, other = (STRATEGIES[n] for n in ("range", "cooperative-sticky", "sticky"))

    assert fewest_restarts(before, after) == 1
    assert fewest_restarts(before, other) == 2
    assert fewest_restarts(after, before) == 2


def test_a_later_restart_loses_what_its_protocol_loses() -> None:
    found = switched("range", "cooperative-sticky")

    assert (found.restart_before, found.restart_after) == (2 * 2 * 4 * 3.0, 2 * 4 * 3.0)
