from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors import ragged
from assignors.memo import claimless_memo, claimless_property, memo, memo_property
from assignors.model import UNOWNED, Group
from assignors.registry import STRATEGIES
from evaluation.bounds.lag import free_bound
from tests.groups import groups, tried


@pytest.fixture
def group() -> Group:
    return Group.of(["t"], [3], ["A", "B"], owners=[0, 0, 1])


def test_a_result_is_computed_once_for_each_group(group: Group) -> None:
    asked = []

    @memo
    def claimed(group: Group) -> int:
        asked.append(group)
        return int(group.claims.size)

    found = claimed(group), claimed(group), claimed(group.owned_by(group.nobody()))

    assert found == (3, 3, 0)
    assert len(asked) == 2


def test_results_independent_of_claims_are_computed_once_for_all_owners(group: Group) -> None:
    asked = []

    @claimless_memo
    def partitions(group: Group) -> int:
        asked.append(group)
        return group.partition_count

    after = group.owned_by(group.nobody())
    found = partitions(after), partitions(group), partitions(after.owned_by(after.nobody()))

    assert found == (3, 3, 3)
    assert len(asked) == 1


def test_a_group_with_other_owners_shares_properties_but_for_claims(group: Group) -> None:
    after = group.owned_by(np.array([1, 1, 1], np.int32))

    assert group.audiences is after.audiences
    assert group.topic_of_partition is after.topic_of_partition
    assert group.present_owners.tolist() == [0, 0, 1]
    assert after.present_owners.tolist() == [1, 1, 1]


def test_what_is_kept_for_others_is_read_only(group: Group) -> None:
    @memo
    def ones(group: Group) -> tuple[np.ndarray, int]:
        return np.ones(group.partition_count), 1

    kept = [ones(group)[0], group.wanted, group.fit_owners, group.present_owners]

    assert not any(array.flags.writeable for array in kept)


@given(group=groups(), data=st.data())
@tried(150)
def test_what_one_strategy_leaves_in_a_group_changes_no_other_answer(
    group: Group, data: st.DataObject
) -> None:
    alone = {
        name: strategy.settle(replace(group)).tolist() for name, strategy in STRATEGIES.items()
    }
    shared = replace(group)

    for name in data.draw(st.permutations(list(STRATEGIES))):
        answer = STRATEGIES[name].settle(shared)
        assert answer.tolist() == alone[name]
        answer.fill(UNOWNED)  # the caller may change its result
    again = {name: strategy.settle(shared).tolist() for name, strategy in STRATEGIES.items()}

    assert again == alone
    assert free_bound(shared) == free_bound(replace(group))


@given(group=groups(), data=st.data())
@tried(150)
def test_after_a_rebalance_nothing_is_known_of_who_owned_what_before(
    group: Group, data: st.DataObject
) -> None:
    owner = st.integers(UNOWNED, group.member_count - 1)
    size = group.partition_count
    owners = np.array(data.draw(st.lists(owner, min_size=size, max_size=size)), np.int32)
    starts, claims = ragged.rows_by_key(owners, group.member_count)
    generations = np.full(group.member_count, 3, np.int64)
    plain = replace(group, claim_starts=starts, claims=claims, generations=generations)
    for strategy in STRATEGIES.values():
        strategy.settle(group)

    after = group.owned_by(owners, 3)

    assert after.present_owners.tolist() == owners.tolist()
    for strategy in STRATEGIES.values():
        assert strategy.settle(after).tolist() == strategy.settle(replace(plain)).tolist()
    assert not any(values.flags.writeable for values in (after.claims, after.generations))


def test_a_group_keeps_what_depends_on_claims_to_itself(group: Group) -> None:
    known = {
        name: getattr(group, name)
        for name, what in vars(Group).items()
        if isinstance(what, memo_property | claimless_property)
    }

    after = group.owned_by(group.nobody())

    handed_on = {name for name, value in known.items() if after.__dict__.get(name) is value}
    assert "claimless_memo" in handed_on
    assert handed_on - {"claimless_memo"} == {
        name for name, what in vars(Group).items() if isinstance(what, claimless_property)
    }


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

    @claimless_memo
    def nothing(group: Group) -> None:
        asked.append(group)

    nothing(group)
    nothing(group.owned_by(group.nobody()))

    assert len(asked) == 1
