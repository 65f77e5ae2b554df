import numpy as np
import pytest

from assignors.model import UNOWNED, Group, Owners
from assignors.rules import InvalidAssignmentError, check


@pytest.fixture
def group() -> Group:
    return Group.fresh({"t": 2, "u": 2}, {"c0": ["t", "u"], "c1": ["t"]})


def owners(*members: int) -> Owners:
    return np.array(members, np.int32)


def test_a_valid_result_is_returned_unchanged(group: Group) -> None:
    answer = owners(0, 1, 0, 0)

    assert check(group, answer) is answer


def test_a_topic_without_subscribers_needs_no_owner() -> None:
    group = Group.fresh({"t": 1, "u": 1}, {"c0": ["t"]})

    check(group, owners(0, UNOWNED))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(owners(0, 1, 0), r"for each of 4 partitions, found int32 of shape \(3,\)"),
        pytest.param(np.zeros(4), r"for each of 4 partitions, found float64 of shape \(4,\)"),
        pytest.param(
            owners(0, 2, 0, 0), "t-1 is assigned to member 2, but the group has members 0 to 1"
        ),
        pytest.param(owners(0, 1, -2, 0), "u-0 is assigned to member -2, but the group has"),
        pytest.param(owners(0, 1, 0, 1), "u-1 is assigned to c1, which does not subscribe"),
        pytest.param(
            owners(0, -1, 0, -1), r"t-1 has subscribers but no owner \(2 such partitions\)"
        ),
    ],
)
def test_a_broken_rule_is_named_with_its_partition(
    group: Group, answer: Owners, message: str
) -> None:
    with pytest.raises(InvalidAssignmentError, match=message):
        check(group, answer)


def test_a_cooperative_round_may_leave_partitions_without_an_owner(group: Group) -> None:
    answer = owners(0, UNOWNED, 0, UNOWNED)

    assert check(group, answer, complete=False) is answer


def test_a_cooperative_round_may_not_break_the_other_rules(group: Group) -> None:
    with pytest.raises(InvalidAssignmentError, match="does not subscribe"):
        check(group, owners(0, UNOWNED, 1, UNOWNED), complete=False)


def test_with_equal_subscriptions_the_rules_are_the_same() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"])

    with pytest.raises(InvalidAssignmentError, match="t-1 has subscribers but no owner"):
        check(group, owners(0, UNOWNED))

    check(group, owners(0, UNOWNED), complete=False)


def test_numbers_that_are_no_members_are_refused_where_everybody_wants_everything() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"])

    for wrong in (2, -2):
        with pytest.raises(InvalidAssignmentError, match="members 0 to 1"):
            check(group, owners(1, wrong))
