"""The possible results include all that franz-go returned in 200 calls."""

import numpy as np
import pytest

from assignors.catalogue import strategy_called
from assignors.certainty import VANISHED
from assignors.clients.franz_go import (
    FRANZ_GO,
    FRANZ_GO_EVEN,
    franz_go_sticky,
    less_what_others_claim,
    of_franz_go_sticky,
    possible_answers,
)
from assignors.clients.sarama_sticky import sarama_sticky
from assignors.model import Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.quotas import held_by_each
from tests.golden_cases import Case, cases

EVERY = [20, pytest.param(1, marks=pytest.mark.proof)]
"""Of the recorded results, one in so many; counting what is possible takes long."""


@pytest.mark.slow
@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("strategy", ["franz-go-sticky", "franz-go-cooperative-sticky"])
def test_the_possible_answers_are_those_that_the_library_gave(strategy: str, every: int) -> None:
    some = [*cases(strategy, every)]
    counted = [(case, found) for case in some if (found := possible_answers(case.group))]
    first = [(franz_go_sticky(case.group), found[0]) for case, found in counted]

    impossible, unseen = [], 0
    for case, found in counted:
        rounds = [
            less_what_others_claim(case.group, owners) if "cooperative" in strategy else owners
            for owners in found
        ]
        possible = [case.owned(owners) for owners in rounds]
        impossible += [case.record["id"] for seen in case.answers if seen not in possible]
        is_equal = (
            case.group.layout.has_equal_subscriptions
        )  # otherwise the recorder knows all topics
        unseen += is_equal and any(owned not in case.answers for owned in possible)

    assert len(counted) > 600 / every
    assert all(np.array_equal(answer, possible) for answer, possible in first)
    assert sum(len(found) == 1 for case, found in counted if _is_unequal(case)) > 100 / every
    assert not impossible
    assert unseen <= 0.01 * len(counted)


def _is_unequal(case: Case) -> bool:
    return not case.group.layout.has_equal_subscriptions


def test_with_unequal_subscriptions_the_emptiest_takes_through_others() -> None:
    group = Group.fresh(
        {"rtXTw": 5, "z_x": 1}, {"C26": ["rtXTw"], "C4": ["rtXTw", "z_x"], "C15": ["z_x"]}
    )

    assert of_franz_go_sticky(group).text == "exact"
    assert group.named(franz_go_sticky(group)) == {
        "C15": ("z_x-0",),
        "C26": ("rtXTw-0", "rtXTw-3", "rtXTw-4"),
        "C4": ("rtXTw-1", "rtXTw-2"),
    }


def test_members_exchange_counts_where_that_saves_a_move() -> None:
    """franz-go's own example: m1 keeps t1-0, and the new m3 gets something in m0's place."""
    topics = {"m0": ["t1"], "m1": ["t0", "t1"], "m2": ["t0"], "m3": ["t0", "t1"]}
    group = Group.fresh({"t0": 2, "t1": 1}, topics).owned_by(np.array([2, 2, 1], np.int32))

    assert group.named(franz_go_sticky(group)) == {
        "m0": (),
        "m1": ("t1-0",),
        "m2": ("t0-0",),
        "m3": ("t0-1",),
    }


def test_a_new_group_of_two_topics_has_two_possible_results() -> None:
    group = Group.fresh({"a": 1, "b": 2}, members=["c0", "c1"])

    assert [owners.tolist() for owners in possible_answers(group)] == [[0, 1, 1], [1, 0, 1]]
    assert of_franz_go_sticky(group).text == "one of 2"


@pytest.mark.slow
def test_one_topic_has_one_answer_however_large() -> None:
    group = Group.fresh({"t": 300_000}, members=["c0", "c1"])

    all_to_one = group.owned_by(np.zeros(300_000, np.int32))

    assert of_franz_go_sticky(group).text == of_franz_go_sticky(all_to_one).text == "exact"
    assert np.bincount(franz_go_sticky(all_to_one)).tolist() == [150_000, 150_000]


_NAMES = [f"t{n}" for n in range(9)]


@pytest.mark.parametrize(
    "group",
    [
        Group.fresh(dict.fromkeys(_NAMES[:6], 1), {"c0": _NAMES[:6], "c1": _NAMES[:5]}),
        Group.fresh(dict.fromkeys(_NAMES, 1), ["c0", "c1"]),
        Group.fresh({"a": 99_999, "b": 99_999}, ["c0", "c1"]),
    ],
    ids=["six topics, unequal subscriptions", "a large map", "too much to count"],
)
def test_of_what_cannot_be_counted_the_distribution_is_known(group: Group) -> None:
    assert of_franz_go_sticky(group) == FRANZ_GO_EVEN


def test_a_graph_too_large_to_follow_gets_the_distribution_of_most_groups() -> None:
    members = {f"c{n:03}": ["t", f"u{n % 2}"] for n in range(400)}

    assert of_franz_go_sticky(Group.fresh({"t": 400_000, "u0": 1, "u1": 1}, members)) == FRANZ_GO


@pytest.mark.slow
@pytest.mark.parametrize("every", EVERY)
def test_every_recorded_result_has_the_distribution_shown(every: int) -> None:
    some = [*cases("franz-go-sticky", every)]
    known = [case for case in some if of_franz_go_sticky(case.group) != FRANZ_GO]

    different = [
        case.record["id"]
        for case in known
        if any(
            sorted(seen.values()) != _distribution(case.group, franz_go_sticky(case.group))
            for seen in case.record["counts"]
        )
    ]

    assert len(known) > 600 / every
    assert not different


@pytest.mark.slow
def test_the_distribution_of_large_groups_came_true_as_often_as_stated() -> None:
    unequal = [case for case in cases("franz-go-sticky") if _is_unequal(case)]

    right = [
        all(
            sorted(seen.values()) == _distribution(case.group, sarama_sticky(case.group))
            for seen in case.record["counts"]
        )
        for case in unequal
    ]

    assert FRANZ_GO.share is not None
    assert abs(sum(right) / len(right) - FRANZ_GO.share) < 0.05


def _distribution(group: Group, owners: Owners) -> list[int]:
    counts = held_by_each(owners, group.member_count).tolist()
    return sorted(count for count in counts if count)


def test_a_claim_on_a_partition_that_is_gone_is_not_predicted() -> None:
    members = [
        Member("a", ("t",), owned=[("t", 0), ("t", 1), ("t", 9)], generation=3),
        Member("b", ("t",), owned=[("t", 0), ("t", 1)], generation=3),
    ]

    group = group_of({"t": Topic(4)}, members)

    assert of_franz_go_sticky(group) == VANISHED
    assert strategy_called("franz-go-cooperative-sticky").certainty_for(group) == VANISHED
