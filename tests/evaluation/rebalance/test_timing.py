"""The loss by a rolling restart, in closed form."""

import pytest

from assignors.strategy import Protocol
from evaluation.rebalance.timing import Loss, Timing, rolling_restart_losses
from evaluation.stated import InvalidNumberError

EXAMPLE = Timing(pause_s=3, restart_s=20, heartbeat_s=5)


def losses(timing: Timing) -> dict[Protocol, Loss]:
    return {loss.protocol: loss for loss in rolling_restart_losses(12, 120, timing)}


def test_kafkas_defaults_are_the_defaults() -> None:
    timing = Timing()

    assert timing.session_timeout_s == 45
    assert timing.heartbeat_s == 5
    assert timing.assignment_interval_s == 1


def test_the_loss_of_120_partitions_of_12_members_follows_the_formulas() -> None:
    found = losses(EXAMPLE)

    assert found[Protocol.EAGER].dynamic == 8_640
    assert found[Protocol.COOPERATIVE].dynamic == 720
    assert found[Protocol.BROKER].dynamic == 600
    assert {loss.static for loss in found.values()} == {2_400}


def test_static_ids_pay_off_below_twice_the_pause_and_the_warm_up() -> None:
    found = losses(Timing(pause_s=3, warm_up_s=1, restart_s=20))

    assert found[Protocol.COOPERATIVE].pays_off_below_s == 2 * (3 + 1)
    assert found[Protocol.BROKER].pays_off_below_s == 2 * (2.5 + 1)
    assert found[Protocol.EAGER].pays_off_below_s == 45  # not 74: sessions time out before


@pytest.mark.parametrize(("restart_s", "is_better"), [(5.9, True), (6.1, False)])
def test_at_the_crossover_both_lose_the_same(restart_s: float, is_better: bool) -> None:
    found = losses(Timing(pause_s=3, restart_s=restart_s))[Protocol.COOPERATIVE]

    assert found.pays_off_below_s == 6
    assert (found.static < found.dynamic) == is_better


def test_a_broker_waits_for_what_is_left_of_its_assignment_interval() -> None:
    found = losses(Timing(pause_s=3, restart_s=20, heartbeat_s=5, assignment_interval_s=4))

    assert found[Protocol.BROKER].dynamic == 600 + 120 * 11 / 12 * (4 - 2.5)
    assert found[Protocol.COOPERATIVE].dynamic == 720


def test_a_restart_longer_than_the_session_loses_the_session_and_all_that_follows() -> None:
    found = losses(Timing(pause_s=3, restart_s=45, session_timeout_s=45))

    assert found[Protocol.COOPERATIVE].static == 45 * 120 + 720
    assert found[Protocol.EAGER].static == 45 * 120 + 8_640


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_a_duration_that_no_clock_shows_is_refused_by_its_name(value: float) -> None:
    with pytest.raises(InvalidNumberError, match="heartbeat interval must be"):
        Timing(heartbeat_s=value)


def test_a_rolling_restart_of_no_consumers_is_refused() -> None:
    with pytest.raises(InvalidNumberError, match="1 consumer or more"):
        rolling_restart_losses(0, 120, EXAMPLE)
