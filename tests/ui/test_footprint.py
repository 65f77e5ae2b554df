"""The caches of all visitors are bounded by bytes."""

from collections.abc import Callable

import numpy as np
import pytest

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from evaluation.rebalance.events import AddPartitions
from evaluation.rebalance.simulation import simulate_history
from ui.footprint import Shelf, footprint

GROUP = Group.fresh({"t": 10}, ["a", "b"])


class Cache:
    """Keeps results like a cached function of Streamlit's."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.results: list[object] = []
        shelf.watch(self)

    def keep(self, result: object) -> None:
        self.shelf.take(result)
        self.results.append(result)

    def clear(self) -> None:
        self.results.clear()


@pytest.mark.parametrize(
    ("value", "kb"),
    [
        (np.zeros(1_000_000, np.int8), 1_000),
        ([np.zeros(1_000_000, np.int8)[:10]], 1_000),
        ({"a": ["x" * 1_000] * 1_000}, 5),  # a sample of 200 of them
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


def test_caches_never_hold_more_than_the_limit_and_one_result() -> None:
    shelf = Shelf(most_bytes=10_000)
    caches: list[Cache] = [Cache(shelf), Cache(shelf)]
    keep: list[Callable[[object], None]] = [cache.keep for cache in caches]
    held = []

    for number in range(100):
        keep[number % 2](np.zeros(900, np.int8))
        held.append(sum(footprint(cache.results) for cache in caches))

    assert 5_000 < max(held) <= 11_500
