from collections.abc import Callable
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.memo import memo
from assignors.model import UNOWNED, Claims, Group, Layout, Offsets
from assignors.registry import STRATEGIES
from benchmarks.measuring import anew
from evaluation.bounds.lag import lower_bound
from tests.groups import groups, tried


@pytest.fixture
def group() -> Group:
    return Group.of(["t"], [3], ["A", "B"], owners=[0, 0, 1])


def test_a_result_is_computed_once_for_each_group(group: Group) -> None:
    asked = []

    @memo
    def claimed(group: Group) -> int:
        asked.append(group)
        return int(group.claims.partitions.size)

    found = claimed(group), claimed(group), claimed(group.owned_by(group.nobody()))

    assert found == (3, 3, 0)
    assert len(asked) == 2


def test_a_result_of_the_layout_is_computed_once_for_all_owners_and_lags(group: Group) -> None:
    asked = []

    @memo
    def partitions(layout: Layout) -> int:
        asked.append(layout)
        return layout.partition_count

    after = group.owned_by(group.nobody()).with_lags(np.ones(3, np.int64))
    found = partitions(after.layout), partitions(group.layout)

    assert found == (3, 3)
    assert len(asked) == 1


def test_a_group_with_other_owners_shares_all_but_the_claims(group: Group) -> None:
    after = group.owned_by(np.array([1, 1, 1], np.int32))

    assert (after.layout, after.offsets) == (group.layout, group.offsets)
    assert group.present_owners.tolist() == [0, 0, 1]
    assert after.present_owners.tolist() == [1, 1, 1]


def test_a_group_with_other_lags_shares_all_but_the_offsets(group: Group) -> None:
    after = group.with_lags(np.array([7, 8, 9]))

    assert (after.layout, after.claims) == (group.layout, group.claims)
    assert after.counted_lags.tolist() == [7, 8, 9]
    assert group.counted_lags.tolist() == [0, 0, 0]


@pytest.mark.parametrize("part", [Layout, Claims, Offsets, Group])
def test_what_is_kept_for_others_is_read_only(group: Group, part: type) -> None:
    @memo
    def ones(group: Group) -> tuple[np.ndarray, int]:
        return np.ones(group.partition_count), 1

    held = next(p for p in (group, group.layout, group.claims, group.offsets) if type(p) is part)
    kept = [
        getattr(held, name) for name, what in vars(part).items() if type(what) is cached_property
    ]
    arrays = [array for array in [*kept, *group.audiences] if isinstance(array, np.ndarray)]

    assert kept
    assert not any(array.flags.writeable for array in [*arrays, ones(group)[0]])


@given(group=groups(), data=st.data())
@tried(150)
def test_what_one_strategy_leaves_in_a_group_changes_no_other_answer(
    group: Group, data: st.DataObject
) -> None:
    alone = {name: strategy.settle(anew(group)).tolist() for name, strategy in STRATEGIES.items()}
    shared = anew(group)

    for name in data.draw(st.permutations(list(STRATEGIES))):
        answer = STRATEGIES[name].settle(shared)
        assert answer.tolist() == alone[name]
        answer.fill(UNOWNED)  # the caller may change its result
    again = {name: strategy.settle(shared).tolist() for name, strategy in STRATEGIES.items()}

    assert again == alone
    assert lower_bound(shared) == lower_bound(anew(group))


@given(group=groups(), data=st.data())
@tried(150)
def test_after_a_rebalance_nothing_is_known_of_who_owned_what_before(
    group: Group, data: st.DataObject
) -> None:
    owner = st.integers(UNOWNED, group.member_count - 1)
    size = group.partition_count
    owners = np.array(data.draw(st.lists(owner, min_size=size, max_size=size)), np.int32)
    for strategy in STRATEGIES.values():
        strategy.settle(group)

    after = group.owned_by(owners, 3)

    assert after.present_owners.tolist() == owners.tolist()
    for strategy in STRATEGIES.values():
        assert strategy.settle(after).tolist() == strategy.settle(anew(after)).tolist()


def test_functions_of_one_name_in_two_places_are_distinguished(group: Group) -> None:
    def first() -> Callable[[Group], int]:
        @memo
        def size(group: Group) -> int:
            return group.partition_count

        return size

    def second() -> Callable[[Group], int]:
        @memo
        def size(group: Group) -> int:
            return group.member_count

        return size

    assert (first()(group), second()(group)) == (3, 2)


def test_an_empty_result_is_computed_once_too(group: Group) -> None:
    asked = []

    @memo
    def nothing(group: Group) -> None:
        asked.append(group)

    nothing(group)
    nothing(group)

    assert len(asked) == 1
