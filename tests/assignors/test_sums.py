import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.sums import exact_sums, exact_total, sums, whole

LONG_MAX = 2**63 - 1
pairs_of_keys_and_values = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2**54) | st.integers(0, LONG_MAX)), max_size=20
)


@given(pairs_of_keys_and_values)
def test_sums_are_those_of_pythons_own_numbers(pairs: list[tuple[int, int]]) -> None:
    keys = np.array([key for key, _ in pairs], np.int64)
    values = np.array([value for _, value in pairs], np.int64)

    expected = [sum(value for key, value in pairs if key == k) for k in range(3)]

    assert exact_sums(keys, values, 3).tolist() == expected
    assert sums(keys, values, 3).tolist() == [min(total, LONG_MAX) for total in expected]
    assert exact_total(values) == sum(expected)


@given(st.floats(allow_nan=False, min_value=-(2.0**62)))
def test_a_whole_number_is_the_nearest_one_that_64_bits_hold(value: float) -> None:
    assert whole(value) == (round(value) if value < 2**63 else LONG_MAX)
