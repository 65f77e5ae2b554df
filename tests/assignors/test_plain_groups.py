"""Many groups asked at once answer what each answers alone."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors import plain_search, ragged
from assignors.alone import alone_of_many
from assignors.lag_capped import lag_capped, lag_capped_of_many
from assignors.lag_sticky import lag_sticky_of_many
from assignors.model import UNOWNED
from assignors.plain_groups import (
    LAG_BITS,
    MOST_MEMBERS,
    MOST_PARTITIONS,
    PlainAssignor,
    are_small,
)
from assignors.registry import STRATEGIES
from tests.assignors.plain import Plain, apart, plain_groups, together
from tests.groups import tried

_AT_ONCE: Final = {
    name: strategy.assign_many for name, strategy in STRATEGIES.items() if strategy.assign_many
}
_SECOND_TRY: Final = [160, 166, 284, 227, 51, 247, 119]
"""Lags of which two members are dealt no better than in turn, which then takes a step."""
_FOR_SOLE_MEMBERS: Final = {name for name, assign in _AT_ONCE.items() if assign is alone_of_many}


def _answers(assign: PlainAssignor, drawn: Sequence[Plain]) -> list[list[int]]:
    groups, owners = together(drawn)
    answer = assign(groups, owners)
    assert answer.dtype == np.int32
    return apart(groups, answer)


@pytest.mark.parametrize("name", list(_AT_ONCE))
@given(drawn=st.lists(plain_groups(), min_size=1, max_size=6))
@tried(120)
def test_many_groups_are_answered_as_each_alone(name: str, drawn: list[Plain]) -> None:
    for plain, answer in zip(drawn, _answers(_AT_ONCE[name], drawn), strict=True):
        if answer[0] == UNOWNED:  # must be asked about alone
            assert name in _FOR_SOLE_MEMBERS
            assert plain.members > 1
            assert set(answer) == {UNOWNED}
        else:
            assert answer == STRATEGIES[name].settle(plain.group()).tolist()


@pytest.mark.parametrize("name", list(_AT_ONCE))
def test_large_groups_among_small_ones_are_answered_as_each_alone(name: str) -> None:
    random = np.random.default_rng(20160411)
    drawn = []
    for size in (1, MOST_PARTITIONS, 40, 3, 300, 65):
        members = min(size, MOST_MEMBERS)
        lags = random.lognormal(5, 2, size).astype(int).tolist()
        owners = random.integers(0, members, size).tolist()
        topics = [size] if size < 4 else [size // 4, size - size // 4]
        drawn.append(Plain(topics, members, lags, owners))

    for plain, answer in zip(drawn, _answers(_AT_ONCE[name], drawn), strict=True):
        if answer[0] != UNOWNED:
            assert answer == STRATEGIES[name].settle(plain.group()).tolist()
        else:
            assert name in _FOR_SOLE_MEMBERS


def test_a_deal_in_turn_that_is_only_as_even_takes_no_place() -> None:
    even = Plain([3], 2, [2, 3, 3], [0, 0, 0])

    assert _answers(lag_capped_of_many, [even]) == [[0, 0, 1]]
    assert lag_capped(even.group()).tolist() == [0, 0, 1]


def test_some_of_many_groups_keep_their_topics() -> None:
    groups, _ = together([Plain([2], 1, [1] * 2, []), Plain([1, 3, 2], 2, [2] * 6, [])])

    assert groups.only(np.array([1, 0])).topic_starts.tolist() == [0, 1, 4, 6, 8]


@pytest.mark.parametrize("name", list(_AT_ONCE))
def test_no_groups_have_no_answer(name: str) -> None:
    assert _AT_ONCE[name](*together([])).tolist() == []


def test_a_sole_member_owns_everything_under_every_strategy() -> None:
    drawn = [Plain([2], 1, [5, 0], [UNOWNED, 0]), Plain([1], 1, [0], [0])]

    assert list(_AT_ONCE) == list(STRATEGIES)
    for assign in _AT_ONCE.values():
        assert _answers(assign, drawn) == [[0, 0], [0]]


def test_searches_that_take_too_long_leave_their_groups_to_be_asked_alone() -> None:
    long = Plain([5], 2, [9, 7, 4, 2, 1], [0] * 5)
    short = Plain([2], 2, [9, 7], [0, 1])
    in_turn = Plain([7], 2, _SECOND_TRY, [0] * 7)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain_search, "_MOST_STEPS", 1)
        found = _answers(lag_sticky_of_many, [long, short, long])
        skewed = _answers(lag_capped_of_many, [in_turn, short])

    assert found == [[UNOWNED] * 5, [0, 1], [UNOWNED] * 5]
    assert skewed == [[UNOWNED] * 7, [0, 1]]


@pytest.mark.parametrize(
    ("lags", "members", "is_small"),
    [
        ([1, 2], 2, True),
        ([], 2, False),
        ([1, 2], 0, False),
        ([0] * MOST_PARTITIONS, MOST_MEMBERS, True),
        ([0] * (MOST_PARTITIONS + 1), 2, False),
        ([0, 0], MOST_MEMBERS + 1, False),
        ([0, (1 << LAG_BITS) // 2 - 1], 2, True),
        ([0, (1 << LAG_BITS) // 2], 2, False),
        ([2**63 - 1], 1, False),
    ],
)
def test_only_so_small_groups_fit(lags: list[int], members: int, is_small: bool) -> None:
    around = [[3, 4], lags, [5]]
    starts = ragged.starts_of(np.array([len(each) for each in around], np.int64))

    found = are_small(
        np.array([lag for each in around for lag in each], np.int64),
        starts,
        np.array([1, members, 1]),
    )

    assert found.tolist() == [True, is_small, True]
