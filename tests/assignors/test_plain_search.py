"""Searches in many groups take the steps of searches in one."""

from collections import deque
from typing import NamedTuple

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from assignors.lag_search import Limits, Search
from assignors.plain_deal import Windows
from assignors.plain_search import PlainSearch
from tests.assignors.plain import Plain, apart, plain_groups, together
from tests.groups import tried


class _Start(NamedTuple):
    plain: Plain
    fewest: int
    most: int

    def search(self, swap_cost: int) -> Search:
        group = self.plain.group()
        limits = (np.full(group.member_count, limit) for limit in (self.fewest, self.most))
        owners = np.array(self.plain.owners, np.int32)
        return Search(group, owners, Limits(*limits), swap_cost)


@st.composite
def _starts(draw: st.DrawFn) -> _Start:
    plain = draw(plain_groups(least_owner=0))
    counts = [plain.owners.count(member) for member in range(plain.members)]
    return _Start(
        plain,
        draw(st.integers(0, max(counts))),
        draw(st.integers(min(counts), len(plain.lags))),
    )


_BY_HOPE = _Start(Plain([5], 3, [5, 1, 4, 4, 4], [2, 1, 2, 0, 1]), 5, 0)
"""Two swaps gain as much, and the one with the wider gap is not the one hoped more of."""


@given(starts=st.lists(_starts(), min_size=1, max_size=8), swap_cost=st.integers(1, 3))
@example(starts=[_BY_HOPE], swap_cost=1)
@tried(400)
def test_each_search_ends_where_it_ends_alone(starts: list[_Start], swap_cost: int) -> None:
    groups, owners = together([start.plain for start in starts])
    windows = Windows(*(np.array([start[limit] for start in starts]) for limit in (1, 2)))

    found = PlainSearch(groups, owners, windows, swap_cost).run()

    assert found.is_done.all()
    for start, answer, is_best in zip(
        starts, apart(groups, found.owners), found.is_best, strict=True
    ):
        alone = start.search(swap_cost)
        deque(alone.steps(), maxlen=0)
        assert answer == alone.owners.tolist()
        assert is_best == alone.is_best
