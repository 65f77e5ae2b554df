from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.capacity.limits import best_fit_decreasing, fewest_bins

WEIGHTS = st.lists(st.integers(0, 12), max_size=7)


def fewest_by_trying(weights: list[int], size: int) -> int:
    """Try every item in every bin with room and in a new one."""

    @cache
    def fewest(k: int, rooms: tuple[int, ...]) -> int:
        if k == len(weights):
            return len(rooms)
        tried = [fewest(k + 1, (*rooms, size - weights[k]))]
        for b, room in enumerate(rooms):
            if room >= weights[k]:
                left = tuple(sorted((*rooms[:b], room - weights[k], *rooms[b + 1 :])))
                tried.append(fewest(k + 1, left))
        return min(tried)

    return fewest(0, ())


@given(WEIGHTS, st.integers(12, 20))
def test_no_packing_takes_fewer_bins_than_the_bound(weights: list[int], size: int) -> None:
    bound = fewest_bins(np.array(weights, np.float64), size)

    assert bound <= fewest_by_trying([weight for weight in weights if weight], size)


@given(WEIGHTS, st.integers(12, 20))
def test_the_bound_is_never_below_the_total_and_the_items_above_half(
    weights: list[int], size: int
) -> None:
    bound = fewest_bins(np.array(weights, np.float64), size)

    assert bound >= -(-sum(weights) // size)
    assert bound >= sum(2 * weight > size for weight in weights)


@given(st.lists(st.floats(0, 1), max_size=40))
def test_the_packing_fits_and_is_no_better_than_the_bound(weights: list[float]) -> None:
    items = np.array(weights)

    bins = best_fit_decreasing(items, 1.0)

    filled = np.bincount(bins, items) if items.size else np.zeros(0)
    assert (filled <= 1 + 1e-9).all()
    assert np.unique(bins[items > 0]).size >= fewest_bins(items, 1.0)


@given(WEIGHTS, st.integers(12, 20))
def test_the_packing_takes_at_most_11_ninths_of_the_fewest_bins_and_one(
    weights: list[int], size: int
) -> None:
    items = [weight for weight in weights if weight]

    bins = best_fit_decreasing(np.array(items, np.float64), size)

    assert int(bins.max(initial=-1)) + 1 <= 11 / 9 * fewest_by_trying(items, size) + 1


@pytest.mark.parametrize(
    ("weights", "bound"),
    [
        ([], 0),
        ([0, 0], 0),
        ([10], 1),
        ([6, 6, 6], 3),  # the sum alone would allow 2
        ([7, 7, 7, 4, 4], 4),  # no 4 fits in a bin with a 7
        ([5, 5, 5, 5], 2),
        ([0.1] * 100, 1),  # ten tenths add up to 1 plus a rounding error
    ],
)
def test_the_bound_sees_items_that_cannot_share_a_bin(weights: list[float], bound: int) -> None:
    assert fewest_bins(np.array(weights, np.float64), 10) == bound


def test_the_bound_need_not_be_reachable() -> None:
    weights = [3, 3, 3, 3, 2]

    bound = fewest_bins(np.array(weights, np.float64), 7)

    assert bound == 2
    assert fewest_by_trying(weights, 7) == 3
