"""The possible results include all that franz-go returned in 200 calls."""

import numpy as np
import pytest

from assignors.clients.go_sticky import (
    franz_go_sticky,
    less_what_others_claim,
    of_franz_go_sticky,
    possible_answers,
)
from assignors.model import Group
from tests.golden_cases import cases


@pytest.mark.parametrize("strategy", ["franz-go-sticky", "franz-go-cooperative-sticky"])
def test_the_possible_answers_are_those_that_the_library_gave(strategy: str) -> None:
    counted = [(case, found) for case in cases(strategy) if (found := possible_answers(case.group))]

    impossible, unseen = [], 0
    for case, found in counted:
        rounds = [
            less_what_others_claim(case.group, owners) if "cooperative" in strategy else owners
            for owners in found
        ]
        possible = [case.owned(owners) for owners in rounds]
        impossible += [case.record["id"] for seen in case.answers if seen not in possible]
        unseen += any(owned not in case.answers for owned in possible)

    assert len(counted) > 300
    assert not impossible
    assert unseen <= 0.01 * len(counted)


def test_a_new_group_of_two_topics_has_two_possible_results() -> None:
    group = Group.fresh({"a": 1, "b": 2}, members=["c0", "c1"])

    assert [owners.tolist() for owners in possible_answers(group)] == [[0, 1, 1], [1, 0, 1]]
    assert of_franz_go_sticky(group).text == "one of 2"


def test_one_topic_has_one_answer_however_large() -> None:
    group = Group.fresh({"t": 300_000}, members=["c0", "c1"])

    all_to_one = group.owned_by(np.zeros(300_000, np.int32))

    assert of_franz_go_sticky(group).text == of_franz_go_sticky(all_to_one).text == "exact"
    assert np.bincount(franz_go_sticky(all_to_one)).tolist() == [150_000, 150_000]


@pytest.mark.parametrize(
    "group",
    [
        Group.fresh({"a": 1, "b": 1}, {"c0": ["a", "b"], "c1": ["a"]}),
        Group.fresh({f"t{n}": 1 for n in range(9)}, ["c0", "c1"]),
        Group.fresh({"a": 99_999, "b": 99_999}, ["c0", "c1"]),
    ],
    ids=["unequal subscriptions", "a large map", "too much to count"],
)
def test_of_what_cannot_be_counted_the_distribution_is_known(group: Group) -> None:
    certainty = of_franz_go_sticky(group)

    assert certainty.text.startswith("distribution")
    assert (certainty.share is None) is group.has_equal_subscriptions


def test_the_answer_is_one_of_the_possible_ones() -> None:
    groups = [case.group for case in cases("franz-go-sticky") if possible_answers(case.group)]

    assert all(np.array_equal(franz_go_sticky(g), possible_answers(g)[0]) for g in groups)
