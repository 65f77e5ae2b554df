import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.capacity.search import spread, window


@pytest.mark.parametrize(
    ("today", "minima", "expected"),
    [
        (12, [14], (11, 24)),
        (12, [10, 14], (9, 24)),
        (12, [], (11, 24)),
        (12, [40], (11, 44)),
        (500, [20], (19, 550)),
        (0, [9], (8, 18)),
        (0, [], (6, 14)),
    ],
)
def test_the_window_runs_from_today_to_twice_that_and_holds_the_minima(
    today: int, minima: list[int], expected: tuple[int, int]
) -> None:
    assert window(today, minima, 7) == expected


@given(
    st.lists(st.integers(1, 500), min_size=1, max_size=80, unique=True).map(sorted),
    st.lists(st.integers(1, 500), max_size=6),
    st.integers(7, 30),
)
def test_few_numbers_are_chosen_and_those_needed_are_among_them(
    numbers: list[int], needed: list[int], most: int
) -> None:
    found = spread(numbers, needed, most)

    assert len(found) <= most
    assert found == sorted(set(found))
    assert set(needed) & set(numbers) <= set(found) <= set(numbers)
