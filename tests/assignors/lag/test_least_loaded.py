"""Many weights at once go where one after another goes."""

from heapq import heapify, heapreplace

import numpy as np
import pytest

from assignors.lag.least_loaded import least_loaded
from assignors.model import LongArray


def one_after_another(loads: LongArray, counts: LongArray, weights: LongArray) -> list[int]:
    heap = [(*each, n) for n, each in enumerate(zip(loads.tolist(), counts.tolist(), strict=True))]
    heapify(heap)
    seats = []
    for weight in weights.tolist():
        load, count, place = heap[0]
        seats.append(place)
        heapreplace(heap, (load + weight, count + 1, place))
    return seats


@pytest.mark.parametrize("before", ["nothing", "uneven", "a few are empty", "all but a few are"])
@pytest.mark.parametrize("kind", ["equal", "few sizes", "Pareto", "huge"])
@pytest.mark.parametrize("members", [1, 7, 128, 300])
def test_every_weight_goes_to_the_least_loaded_of_its_turn(
    members: int, kind: str, before: str
) -> None:
    random = np.random.default_rng(members)
    weights = {
        "equal": np.ones(4000, np.int64),
        "few sizes": random.integers(1, 5, 4000),
        "Pareto": 1 + (random.pareto(1.1, 4000) * 1000).astype(np.int64),
        "huge": random.integers(2**40, 2**48, 4000),
    }[kind]
    weights = np.sort(weights)[::-1]
    even = int(weights.sum()) // members
    loads = {
        "nothing": np.zeros(members, np.int64),
        "uneven": random.integers(0, even + 1, members),
        "a few are empty": np.where(random.random(members) < 0.02, 0, even),
        "all but a few are": np.where(random.random(members) < 0.02, even, 0),
    }[before]
    counts = random.integers(0, 4, members)

    seats = least_loaded(loads.copy(), counts.copy(), weights)

    assert seats.tolist() == one_after_another(loads, counts, weights)
