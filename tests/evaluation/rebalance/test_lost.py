"""What a switch loses on its way, played restart by restart."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.catalogue import strategy_called
from assignors.model import Group
from evaluation.rebalance.lost import Lost, Spread, lost_on_the_way
from evaluation.rebalance.timing import Timing

TIMING = Timing(pause_s=3.0, restart_s=20.0, heartbeat_s=5.0)
GROUP = Group.fresh({"t": 6}, ["a", "b", "c"]).owned_by(np.array([0, 0, 1, 1, 2, 2], np.int32))


def lost(before: str, after: str, group: Group = GROUP, *, is_noticed: bool = True) -> Lost:
    return lost_on_the_way(
        group,
        strategy_called(before),
        strategy_called(after),
        np.arange(6.0),
        is_noticed=is_noticed,
        timing=TIMING,
    )


def exactly(seconds: float) -> Spread:
    return Spread(seconds, seconds, seconds)


def test_every_rebalance_of_an_eager_group_pauses_every_partition() -> None:
    found = lost("range", "sticky")

    assert found.restarts == 2
    assert found.partition_seconds == exactly(2 * 3 * 2 * 6 * 3.0)
    assert found.records == exactly(2 * 3 * 2 * 15 * 3.0)


def test_a_consumer_that_is_back_in_time_causes_half_the_rebalances_and_is_awaited() -> None:
    found = lost("range", "sticky", is_noticed=False)

    restart = 3 * 6 * 3.0
    assert found.partition_seconds.low >= 2 * restart + 20.0 * 6
    assert found.partition_seconds.high <= 2 * restart + 2 * 20.0 * 6


@pytest.mark.slow
def test_a_cooperative_group_pauses_only_what_moves_so_the_second_restart_loses_less() -> None:
    eager, cooperative = (lost("range", each) for each in ("sticky", "cooperative-sticky"))

    assert cooperative.partition_seconds.high < eager.partition_seconds.low
    assert cooperative.partition_seconds.low > eager.partition_seconds.middle / 2


def test_static_consumers_are_awaited_and_pause_others_once_for_the_new_strategy() -> None:
    layout = replace(GROUP.layout, instance_ids=("i", "j", "k"))

    found = lost("range", "sticky", replace(GROUP, layout=layout))

    assert found.partition_seconds == exactly(2 * 20.0 * 6 + 3.0 * 6)


def test_what_arrives_is_unknown_without_rates() -> None:
    before, after = map(strategy_called, ("range", "sticky"))

    assert lost_on_the_way(GROUP, before, after).records is None
