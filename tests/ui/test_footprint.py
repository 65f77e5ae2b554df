"""The caches of all visitors are bounded by bytes."""

import numpy as np
import pytest

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from evaluation.rebalance.events import AddPartitions
from evaluation.rebalance.simulation import simulate_history
from ui.footprint import Shelf, footprint

GROUP = Group.fresh({"t": 10}, ["a", "b"])


@pytest.mark.parametrize(
    ("value", "kb"),
    [
        (np.zeros(1_000_000, np.int8), 1_000),
        ([np.zeros(1_000_000, np.int8)[:10]], 1_000),
        ({"a": ["x" * 1_000] * 1_000}, 21),  # a sample of 50 of them
        (tuple(f"{n:0936}" for n in range(5_000)), 5_000),
        (None, 0),
    ],
)
def test_a_result_weighs_about_what_it_holds(value: object, kb: int) -> None:
    assert footprint(value) / 1_000 == pytest.approx(kb, rel=0.1, abs=1.0)


def test_a_replay_weighs_its_steps() -> None:
    def weight(more: int) -> int:
        events = [AddPartitions("t", more)] * 3
        return footprint(simulate_history(GROUP, events, ALL_STRATEGIES["range"]))

    assert 30 < (weight(40_000) - weight(20_000)) / 120_000 < 200


def test_results_never_hold_more_than_the_limit_and_the_oldest_leave() -> None:
    shelf = Shelf(most_bytes=10_000)

    for number in range(100):
        shelf.keep(("f", number), np.zeros(900, np.int8))
        shelf.find(("f", 0))

    assert 9_000 < shelf.held_bytes <= 10_000
    assert shelf.find(("f", 99)) is not None
    with pytest.raises(KeyError):
        shelf.find(("f", 89))


def test_what_has_left_is_counted_no_more() -> None:
    shelf = Shelf(most_bytes=10_000)

    for number in range(1_000):
        shelf.keep(("f", number), np.zeros(400, np.int8), 2)
    shelf.keep(("g",), np.zeros(400, np.int8), 2)
    shelf.keep(("g",), np.zeros(800, np.int8), 2)

    assert shelf.held_bytes == 2 * footprint(np.zeros(400, np.int8)) + footprint(
        np.zeros(800, np.int8)
    )
    with pytest.raises(KeyError):
        shelf.find(("f", 997))


def test_one_result_larger_than_the_limit_is_kept_alone() -> None:
    shelf = Shelf(most_bytes=1_000)

    shelf.keep(("f", 1), np.zeros(500, np.int8))
    shelf.keep(("f", 2), np.zeros(5_000, np.int8))

    assert shelf.held_bytes == footprint(np.zeros(5_000, np.int8))
