import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNKNOWN, UNOWNED, Group, Owners
from assignors.numbering import Member, Topic, group_of
from evaluation.metrics import (
    count_per_member,
    count_per_member_and_topic,
    figures_of,
    figures_of_each,
    is_load_known,
    lag_per_member,
    load_per_member_and_topic,
    off_rack,
    share_per_member,
    topics_per_member,
    total_lag,
    unknown_per_member,
)
from tests.groups import groups, tried


def _owners(*numbers: int) -> Owners:
    return np.array(numbers, np.int32)


@pytest.fixture
def group() -> Group:
    """Topics a (3 partitions) and b (2), members c0 to c2, one lag unknown, one negative."""
    topics = {"a": Topic(3, lags=[100, None, 7]), "b": Topic(2, lags=[-5, 40])}
    return group_of(topics, [Member(name, ["a", "b"]) for name in ("c0", "c1", "c2")])


OWNERS = _owners(0, 0, 1, 0, UNOWNED)


def test_counts_include_members_without_a_partition(group: Group) -> None:
    counts = count_per_member(group, OWNERS)

    assert counts.tolist() == [3, 1, 0]


def test_a_share_is_of_the_lag_and_not_of_the_partitions() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [990, 5, 5, 0]})

    shares = share_per_member(group, np.array([0, 1, 1, 1]))

    assert shares.tolist() == [0.99, 0.01]


def test_lag_counts_what_is_known_and_negative_lag_as_none(group: Group) -> None:
    lags = lag_per_member(group, OWNERS)

    assert lags.tolist() == [100, 7, 0]


def test_partitions_with_unknown_lag_are_counted_per_member(group: Group) -> None:
    unknown = unknown_per_member(group, OWNERS)

    assert unknown.tolist() == [1, 0, 0]


def test_a_load_is_unknown_only_where_no_weight_of_it_is_known(group: Group) -> None:
    known = is_load_known(group, _owners(0, 1, 1, UNOWNED, UNOWNED))

    assert known.tolist() == [True, True, True]  # c2 owns nothing, which is known
    assert is_load_known(group, _owners(0, 1, 0, 0, 0)).tolist() == [True, False, True]


def test_two_partitions_of_a_topic_are_one_topic(group: Group) -> None:
    topics = topics_per_member(group, OWNERS)

    assert topics.tolist() == [2, 1, 0]


def test_cells_are_in_the_order_of_the_requested_members(group: Group) -> None:
    asked = np.array([1, 0], np.int32)

    counts = count_per_member_and_topic(group, OWNERS, asked)
    lags = load_per_member_and_topic(group, OWNERS, asked)

    assert counts.tolist() == [[1, 0], [2, 1]]
    assert lags.tolist() == [[7, 0], [100, 0]]


def test_the_figures_of_a_small_group_are_those_counted_by_hand(group: Group) -> None:
    found = figures_of(group, OWNERS)

    assert (found.max_lag, found.lag_spread, found.total_lag) == (100, 100, 147)
    assert found.mean_lag == pytest.approx(107 / 3)
    assert found.max_over_mean_lag == pytest.approx(300 / 107)
    assert (found.max_count, found.count_spread, found.idle) == (3, 3, 1)
    assert (found.unknown_lags, found.unowned) == (1, 1)
    assert (found.moved, found.off_rack) == (None, None)


def test_a_lag_stays_a_lag_beside_a_load_of_other_weights() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"], {"t": [5, 7, UNKNOWN]})
    owners = _owners(0, 0, 1)

    found = figures_of(group.with_weights([600, 1, 20]), owners)

    assert (found.max_lag, found.lag_spread, found.total_lag, found.unknown_lags) == (12, 12, 12, 1)
    assert (found.mean_lag, found.max_over_mean_lag) == (6.0, 2.0)
    assert (found.max_load, found.load_spread, found.total_load) == (601, 581, 621)
    assert (found.mean_load, found.unknown_loads) == (310.5, 0)
    assert found.max_over_mean_load == pytest.approx(601 / 310.5)


def test_without_other_weights_the_load_is_the_lag(group: Group) -> None:
    found = figures_of(group, OWNERS)

    assert (found.max_load, found.mean_load) == (found.max_lag, found.mean_lag)
    assert (found.load_spread, found.total_load) == (found.lag_spread, found.total_lag)
    assert found.unknown_loads == found.unknown_lags


def test_lag_that_is_all_unknown_is_not_zero() -> None:
    group = Group.fresh({"t": 2}, ["c0"])

    found = figures_of(group, _owners(0, 0))

    assert found.max_lag is None
    assert found.mean_lag is None
    assert found.lag_spread is None
    assert found.max_over_mean_lag is None
    assert found.total_lag is None
    assert found.unknown_lags == 2


def test_lag_known_only_for_unowned_partitions_leaves_the_members_lag_unknown() -> None:
    group = Group.fresh({"t": 2}, ["c0"], {"t": [UNKNOWN, 9]})

    found = figures_of(group, _owners(0, UNOWNED))

    assert found.max_lag is None
    assert found.total_lag == 9


@pytest.mark.parametrize("members", [[], ["c0"]])
def test_the_total_lag_of_a_group_does_not_depend_on_its_members(members: list[str]) -> None:
    group = Group.fresh({"t": 3, "u": 2}, members, {"t": [5, UNKNOWN, -4], "u": [7, UNKNOWN]})

    assert total_lag(group) == (12, 2)
    assert figures_of(group, group.nobody()).total_lag == 12


def test_a_topic_without_subscribers_counts_in_no_total_of_a_group_with_members() -> None:
    lags = {"t": [5], "u": [7]}
    group = Group.fresh({"t": 1, "u": 1}, {"c0": ["t"]}, lags)

    assert total_lag(group) == (5, 0)
    assert total_lag(Group.fresh({"t": 1, "u": 1}, [], lags)) == (12, 0)


def test_a_total_of_unknown_lags_is_unknown() -> None:
    assert total_lag(Group.fresh({"t": 2}, ["c0"])) == (None, 2)
    assert total_lag(Group.fresh({}, ["c0"])) == (None, 0)


def test_a_mean_of_zero_has_no_ratio() -> None:
    group = Group.fresh({"t": 2}, ["c0"], {"t": [0, 0]})

    found = figures_of(group, _owners(0, 0))

    assert (found.max_lag, found.mean_lag, found.max_over_mean_lag) == (0, 0.0, None)


def test_a_group_without_members_has_figures() -> None:
    group = Group.fresh({"t": 2}, [], {"t": [5, 6]})

    found = figures_of(group, group.nobody())

    assert (found.max_lag, found.max_count, found.idle) == (None, 0, 0)
    assert (found.unowned, found.total_lag) == (2, 11)


def test_a_group_without_partitions_has_figures() -> None:
    group = Group.fresh({}, ["c0", "c1"])

    found = figures_of(group, group.nobody())

    assert (found.max_count, found.idle, found.total_lag) == (0, 2, None)
    assert np.isnan(share_per_member(group, group.nobody())).all()
    assert topics_per_member(group, group.nobody()).tolist() == [0, 0]


def test_moves_count_partitions_that_had_an_owner_and_lose_it() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"]).owned_by(_owners(0, 0, 1, UNOWNED))

    found = figures_of(group, _owners(0, 1, UNOWNED, 1)).moved

    assert found == 2


def test_an_owner_without_a_rack_is_never_off_rack() -> None:
    topics = {"t": Topic(4, racks=[["a"], ["a", "b"], [], ["a"]])}
    members = [Member("c0", ["t"], rack="b"), Member("c1", ["t"])]
    group = group_of(topics, members)

    found = off_rack(group, _owners(0, 0, 0, 1))

    assert found == 1


def test_racks_on_one_side_only_are_not_in_use() -> None:
    group = group_of({"t": Topic(1)}, [Member("c0", ["t"], rack="b")])

    found = off_rack(group, _owners(0))

    assert found is None


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2**63 - 1)), max_size=20))
def test_sums_are_exact_up_to_the_largest_long_and_stop_there(pairs: list[tuple[int, int]]) -> None:
    lags = [lag for _, lag in pairs]
    group = Group.fresh({"t": len(pairs)}, ["c0", "c1", "c2"], {"t": lags})
    owners = _owners(*(owner for owner, _ in pairs))

    found = lag_per_member(group, owners)

    expected = [sum(lag for owner, lag in pairs if owner == m) for m in range(3)]
    assert found.tolist() == [min(lag, 2**63 - 1) for lag in expected]


def test_the_total_lag_is_exact_beyond_a_long() -> None:
    group = Group.fresh({"t": 3}, ["c0"], {"t": [2**63 - 1] * 3})

    found = figures_of(group, _owners(0, 0, 0))

    assert found.total_lag == 3 * (2**63 - 1)


def test_figures_follow_the_group(group: Group) -> None:
    doubled = group.with_lags(np.maximum(group.lags, 0) * 2)

    found = figures_of(doubled, OWNERS)

    assert found.max_lag == 200


@given(group=groups(), data=st.data())
@tried(100)
def test_figures_of_several_assignments_are_those_of_each(
    group: Group, data: st.DataObject
) -> None:
    owner = st.integers(UNOWNED, group.member_count - 1)
    shape = (3, group.partition_count)
    drawn = data.draw(st.lists(owner, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    answers = np.array(drawn, np.int32).reshape(shape)

    found = figures_of_each(group, answers)

    assert found == [figures_of(group, owners) for owners in answers]


@given(group=groups(), data=st.data())
@tried(150)
def test_figures_of_each_are_what_a_plain_count_finds(group: Group, data: st.DataObject) -> None:
    owner = st.integers(UNOWNED, group.member_count - 1)
    size = group.partition_count
    drawn = data.draw(st.lists(owner, min_size=3 * size, max_size=3 * size))
    answers = np.array(drawn, np.int32).reshape(3, size)

    for owners, found in zip(answers.tolist(), figures_of_each(group, answers), strict=True):
        assert (found.max_count, found.count_spread, found.idle) == _counts(group, owners)
        assert (found.max_lag, found.mean_lag, found.lag_spread) == _lags(group, owners)
        assert found.unowned == owners.count(UNOWNED)
        is_read = group.is_wanted | (group.member_count == 0)
        assert found.unknown_lags == group.lags[is_read].tolist().count(UNKNOWN)
        present = group.present_owners.tolist()
        moved = [now != UNOWNED != owner != now for now, owner in zip(present, owners, strict=True)]
        lost = [now != UNOWNED == owner for now, owner in zip(present, owners, strict=True)]
        assert found.moved == (sum(moved) + sum(lost) if group.has_claims else None)


def _counts(group: Group, owners: list[int]) -> tuple[int, int, int]:
    counts = [owners.count(member) for member in range(group.member_count)] or [0]
    idle = counts.count(0) if group.member_count else 0
    return max(counts), max(counts) - min(counts), idle


def _lags(group: Group, owners: list[int]) -> tuple[int | None, float | None, int | None]:
    known = [lag != UNKNOWN for lag in group.lags.tolist()]
    held = [owner != UNOWNED for owner in owners]
    judged = [is_known for is_known, is_held in zip(known, held, strict=True) if is_held]
    if not group.member_count or not any(judged if any(held) else known):
        return None, None, None
    totals = [0] * group.member_count
    for owner, lag in zip(owners, group.lags.tolist(), strict=True):
        if owner != UNOWNED:
            totals[owner] += max(lag, 0)
    return max(totals), sum(totals) / len(totals), max(totals) - min(totals)


def test_without_owners_lag_is_shown_if_any_is_known() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"], lags=[7, UNKNOWN])
    nobody, of_known, of_unknown = (UNOWNED, UNOWNED), (0, UNOWNED), (UNOWNED, 0)

    found = figures_of_each(group, np.array([nobody, of_known, of_unknown], np.int32))

    assert [each.max_lag for each in found] == [0, 7, None]
