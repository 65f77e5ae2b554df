import numpy as np

from assignors.model import Group
from evaluation.compare import NOW, Outcome
from evaluation.metrics import figures
from ui.answer import answer


def outcome(name: str, group: Group, owners: list[int]) -> Outcome:
    given = np.array(owners, np.int32)
    return Outcome(name=name, label=name, owners=given, figures=figures(group, given))


def owned() -> Group:
    lags = {"t": [60, 40, 30, 25, 10, 5]}
    return Group.fresh({"t": 6}, ["c0", "c1"], lags).owned_by(np.array([0, 0, 0, 0, 0, 1]))


def test_the_closest_and_the_furthest_are_named_with_their_lag() -> None:
    group = owned()

    text = answer([outcome("a", group, [0, 1, 1, 0, 1, 1]), outcome("b", group, [0] * 6)], 85)

    assert text == (
        "**a** comes closest: the fullest consumer has **85** records, at the best possible; "
        "**b** is furthest with 170."
    )


def test_present_owners_are_compared_with_and_moves_counted() -> None:
    group = owned()
    now = outcome(NOW, group, [0, 0, 0, 0, 0, 1])

    text = answer([now, outcome("a", group, [0, 1, 1, 0, 1, 1])], 85)

    assert text.endswith("As it is now it has 165; a would move 3 partitions.")


def test_a_strategy_nearly_as_good_for_far_fewer_moves_is_pointed_out() -> None:
    lags = {"t": [50, 50, 10, 6, 4]}
    group = Group.fresh({"t": 5}, ["c0", "c1"], lags).owned_by(np.array([0, 0, 0, 1, 1]))
    now, best = outcome(NOW, group, [0, 0, 0, 1, 1]), outcome("a", group, [1, 0, 1, 0, 0])

    near = answer([now, best, outcome("c", group, [0, 1, 0, 1, 1])], 60)
    far = answer([now, best, outcome("c", group, [0, 0, 1, 1, 1])], 60)

    assert near.endswith("a would move 4 partitions, **c** 1 partition for 60.")
    assert far.endswith("a would move 4 partitions.")


def test_without_known_lag_counts_decide() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1", "c2"])
    even = [outcome(name, group, [0, 0, 1, 1]) for name in ("a", "b", "c", "d")]

    text = answer([*even, outcome("e", group, [0] * 4)], None)

    assert text == (
        "No lag is known, so counts decide: **a, b and 2 more** come closest to even and give "
        "the fullest consumer **2 partitions**, and 1 consumer without a partition; "
        "**e** is furthest with 4 partitions."
    )


def test_without_known_lag_and_with_equal_counts_all_come_out_alike() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"])

    text = answer([outcome("a", group, [0, 1]), outcome("b", group, [1, 0])], None)

    assert text == (
        "No lag is known, so counts decide: all strategies chosen give the fullest consumer "
        "**1 partition**."
    )


def test_without_strategies_there_is_no_answer() -> None:
    assert answer([], None) == ""


def test_where_all_come_out_alike_that_is_said() -> None:
    group = owned()

    text = answer([outcome("a", group, [0] * 6), outcome("b", group, [0] * 6)], 85)

    assert text == "All strategies chosen leave the fullest consumer with **170** records."


def test_several_that_come_closest_are_listed_as_people_do() -> None:
    group = owned()
    even = [outcome(name, group, [0, 1, 1, 0, 1, 1]) for name in ("a", "b", "c")]

    text = answer([*even, outcome("d", group, [0] * 6)], 85)

    assert text.startswith("**a, b and c** come closest")


def test_nobody_is_cheaper_than_no_moves_at_all() -> None:
    group = owned()
    now, kept = (outcome(name, group, [0, 0, 0, 0, 0, 1]) for name in (NOW, "a"))

    text = answer([now, kept, outcome("b", group, [0, 0, 0, 0, 0, 1])], 85)

    assert text.endswith("As it is now it has 165; a would move 0 partitions.")
