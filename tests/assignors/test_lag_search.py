import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag_search import _fit
from tests.groups import tried

LAGS = st.lists(st.integers(0, 40), max_size=8).map(sorted)


@given(gives=LAGS, takes=LAGS, gap=st.integers(0, 60))
@tried(300)
def test_no_exchange_gains_more_than_the_one_found(
    gives: list[int], takes: list[int], gap: int
) -> None:
    gain, given, taken = _fit(np.array(gives, np.int64), np.array(takes, np.int64), gap)

    moved = [give - take for give in gives for take in takes]
    assert gain == max([0, *(min(lag, gap - lag) for lag in moved)])
    if gain:
        assert gain == min(gives[given] - takes[taken], gap - gives[given] + takes[taken])
