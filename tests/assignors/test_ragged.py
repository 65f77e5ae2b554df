from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors import ragged
from tests.groups import tried

rows_of_numbers = st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=6)


@given(rows=rows_of_numbers)
@tried(100)
def test_rows_come_back_from_their_flat_form(rows: list[list[int]]) -> None:
    starts, values = ragged.flatten(rows)

    assert [values[a:b].tolist() for a, b in pairwise(starts)] == rows
    assert ragged.row_of_each(starts).tolist() == [r for r, row in enumerate(rows) for _ in row]


@given(keys=st.lists(st.integers(-1, 4), max_size=12))
@tried(100)
def test_every_row_holds_the_positions_of_its_key(keys: list[int]) -> None:
    starts, positions = ragged.rows_by_key(np.array(keys, np.int32), 5)

    rows = [positions[starts[key] : starts[key + 1]].tolist() for key in range(5)]

    assert rows == [[at for at, found in enumerate(keys) if found == key] for key in range(5)]


@given(pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=6))
@tried(100)
def test_spans_are_ranges_one_after_another(pairs: list[tuple[int, int]]) -> None:
    starts = np.array([start for start, _ in pairs], np.int64)
    stops = np.array([start + size for start, size in pairs], np.int64)

    expected = [at for start, size in pairs for at in range(start, start + size)]

    assert ragged.spans(starts, stops).tolist() == expected
