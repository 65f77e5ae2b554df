import re
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNOWNED, Group, Owners
from assignors.roundrobin import roundrobin
from assignors.rules import InvalidAssignmentError, check, check_each
from tests.groups import groups, tried


@pytest.fixture
def group() -> Group:
    return Group.fresh({"t": 2, "u": 2}, {"c0": ["t", "u"], "c1": ["t"]})


def owners(*members: int) -> Owners:
    return np.array(members, np.int32)


def test_a_valid_answer_comes_back_as_it_is(group: Group) -> None:
    answer = owners(0, 1, 0, 0)

    assert check(group, answer) is answer


def test_a_topic_nobody_subscribes_to_needs_no_owner() -> None:
    group = Group.fresh({"t": 1, "u": 1}, {"c0": ["t"]})

    check(group, owners(0, UNOWNED))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(owners(0, 1, 0), r"for each of 4 partitions, found int32 of shape \(3,\)"),
        pytest.param(np.zeros(4), r"for each of 4 partitions, found float64 of shape \(4,\)"),
        pytest.param(
            owners(0, 2, 0, 0), "t-1 is given to member 2, but the group has members 0 to 1"
        ),
        pytest.param(owners(0, 1, -2, 0), "u-0 is given to member -2, but the group has members"),
        pytest.param(owners(0, 1, 0, 1), "u-1 is given to c1, which does not subscribe"),
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


def test_several_valid_answers_come_back_as_they_are(group: Group) -> None:
    answers = np.array([[0, 1, 0, 0], [1, 0, 0, 0]], np.int32)

    assert check_each(group, answers) is answers


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param((0, 2, 0, 0), id="no such member"),
        pytest.param((0, 1, -2, 0), id="no such number"),
        pytest.param((0, 1, 0, 1), id="not subscribed"),
        pytest.param((0, -1, 0, 0), id="left out"),
        pytest.param((-1, -1, -1, -1), id="nobody at all"),
    ],
)
def test_one_broken_answer_among_several_is_told_as_on_its_own(
    group: Group, broken: tuple[int, ...]
) -> None:
    with pytest.raises(InvalidAssignmentError) as alone:
        check(group, owners(*broken))

    with pytest.raises(InvalidAssignmentError, match=re.escape(str(alone.value))):
        check_each(group, np.array([(0, 1, 0, 0), broken], np.int32))


def test_where_everybody_wants_everything_the_rules_are_the_same() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"])

    with pytest.raises(InvalidAssignmentError, match="t-1 has subscribers but no owner"):
        check_each(group, np.array([[0, 1], [0, UNOWNED]], np.int32))

    check(group, owners(0, UNOWNED), complete=False)


def test_several_answers_for_other_partitions_are_refused(group: Group) -> None:
    with pytest.raises(InvalidAssignmentError, match="for each of 4 partitions"):
        check_each(group, np.zeros((2, 3), np.int32))


@given(group=groups(), data=st.data())
@tried(300)
def test_several_answers_are_refused_where_one_of_them_is(
    group: Group, data: st.DataObject
) -> None:
    answers = np.array([roundrobin(group)] * 3, np.int32)
    if group.partition_count:
        row, partition = data.draw(st.integers(0, 2)), data.draw(st.integers(0, answers.size // 3))
        wrong = data.draw(st.integers(-2, group.member_count))
        answers[row, min(partition, group.partition_count - 1)] = wrong

    assert _refused(lambda: check_each(group, answers)) == next(
        (found for owners in answers if (found := _refused(partial(check, group, owners)))), None
    )


def _refused(check_it: Callable[[], Owners]) -> str | None:
    try:
        check_it()
    except InvalidAssignmentError as error:
        return str(error)
    return None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_broken_answer_is_found_wherever_it_stands(group: Group, place: int) -> None:
    answers = np.array([[0, 1, 0, 0]] * 3, np.int32)
    answers[place, 0] = UNOWNED

    with pytest.raises(InvalidAssignmentError, match="has subscribers but no owner"):
        check_each(group, answers)


def test_numbers_that_are_no_members_are_refused_in_the_last_answer_too() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"])

    for wrong in (2, -2):
        with pytest.raises(InvalidAssignmentError, match="members 0 to 1"):
            check_each(group, np.array([[0, 1], [1, wrong]], np.int32))


def test_several_answers_in_floats_are_refused(group: Group) -> None:
    with pytest.raises(InvalidAssignmentError, match="found float64"):
        check_each(group, np.zeros((2, 4)))  # type: ignore[arg-type]
