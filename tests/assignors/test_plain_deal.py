"""Deals in many groups are those in one."""

from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag_deal import Window, by_lag, within
from assignors.lag_sticky import settled
from assignors.plain_deal import Windows, deal_rest, deal_within
from tests.assignors.plain import Plain, apart, plain_groups, together
from tests.groups import tried


class _Deal(NamedTuple):
    plain: Plain
    window: Window


@st.composite
def _deals(draw: st.DrawFn) -> _Deal:
    plain = draw(plain_groups())
    quota, rest = divmod(len(plain.lags), plain.members)
    fewest = draw(st.integers(0, quota))
    return _Deal(plain, Window(fewest, draw(st.integers(quota + (rest > 0), quota + 3))))


@given(deals=st.lists(_deals(), min_size=1, max_size=8))
@tried(400)
def test_each_deal_is_the_one_within_its_window(deals: list[_Deal]) -> None:
    groups, _ = together([deal.plain for deal in deals])
    windows = Windows(*(np.array(limit) for limit in zip(*(d.window for d in deals), strict=True)))

    found = apart(groups, deal_within(groups, windows))

    for (plain, window), answer in zip(deals, found, strict=True):
        group = plain.group()
        order = by_lag(group)
        seats = within(group.counted_lags[order].tolist(), plain.members, window)
        assert np.array(answer)[order].tolist() == seats


def test_who_is_full_stays_full_where_counts_come_first() -> None:
    lags = [10**6, *[1] * 100, *[0] * 99]  # one holds the first, the other all small ones
    groups, _ = together([Plain([200], 2, lags, [])])

    found = deal_within(groups, Windows(np.array([100]), np.array([100])))

    assert found.tolist() == within(lags, 2, Window(100, 100))
    assert np.bincount(found).tolist() == [100, 100]


@given(drawn=st.lists(plain_groups(), min_size=1, max_size=8))
@tried(300)
def test_partitions_without_an_owner_go_to_whom_they_would_in_one(drawn: list[Plain]) -> None:
    groups, owners = together(drawn)

    found = apart(groups, deal_rest(groups, owners))

    assert found == [settled(plain.group()).tolist() for plain in drawn]
