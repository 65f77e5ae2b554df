import numpy as np
import pytest

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.rules import check
from assignors.sticky.kafka import is_constrained, sticky


def test_mixed_subscriptions_come_out_even_where_round_robin_gives_four_to_one() -> None:
    wanted = {"C0": ["t0"], "C1": ["t0", "t1"], "C2": ["t0", "t1", "t2"]}
    group = Group.fresh({"t0": 1, "t1": 2, "t2": 3}, members=wanted)

    assert group.named(sticky(group)) == {
        "C0": ("t0-0",),
        "C1": ("t1-0", "t1-1"),
        "C2": ("t2-0", "t2-1", "t2-2"),
    }


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param(
            [], {"A": ("t-4", "t-5"), "B": ("t-0", "t-1"), "C": ("t-2", "t-3")}, id="constrained"
        ),
        pytest.param(
            [Member("D", ["u"])],
            {"A": ("t-0", "t-2"), "B": ("t-1", "t-4"), "C": ("t-3", "t-5"), "D": ("u-0",)},
            id="general",
        ),
    ],
)
def test_the_claim_of_an_old_generation_counts_for_less(
    others: list[Member], expected: dict[str, tuple[str, ...]]
) -> None:
    """As Kafka 3.9.0 and 4.0.0 assign; on the general path, A gets back the surplus."""
    members = [
        Member("A", ["t"], owned=[("t", 0), ("t", 3)], generation=1),
        Member("B", ["t"], owned=[("t", 0), ("t", 1), ("t", 4)], generation=2),
        Member("C", ["t"], owned=[("t", 2), ("t", 3), ("t", 5)], generation=2),
    ]
    group = group_of({"t": Topic(6), "u": Topic(1)}, [*members, *others])

    assert group.named(sticky(group)) == expected


def test_a_stale_member_keeps_partitions_without_another_claimant() -> None:
    members = [
        Member("A", ["t"], owned=[("t", 0), ("t", 1)], generation=1),
        Member("B", ["t"], owned=[("t", 1), ("t", 3)], generation=2),
    ]
    group = group_of({"t": Topic(4)}, members)

    assert group.named(sticky(group)) == {"A": ("t-0", "t-2"), "B": ("t-1", "t-3")}


def test_a_restart_under_another_id_moves_only_what_the_member_had() -> None:
    group = Group.of(["t"], [6], ["m-b", "m-c", "m-z"], owners=[-1, -1, 0, 0, 1, 1])

    assert sticky(group).tolist() == [2, 2, 0, 0, 1, 1]


def test_a_group_without_members_or_without_wanted_topics_owns_nothing() -> None:
    nobody, nothing = Group.fresh({"t": 2}, []), Group.fresh({"t": 2}, {"c": []})

    assert sticky(nobody).tolist() == sticky(nothing).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("topics", "expected"),
    [
        pytest.param([["a", "b"], ["b", "a"]], True, id="in any order"),
        pytest.param([["a"], ["a", "b"]], False, id="one topic more"),
        pytest.param([["a"], ["a", "a"]], False, id="listed twice by the second"),
        pytest.param([["a", "a"], ["a"]], True, id="listed twice by the first"),
        pytest.param([["a", "a"], ["a", "b"]], False, id="a repeat instead of a topic"),
        pytest.param([[], ["a"]], False, id="a first member without topics"),
        pytest.param([["a", "a"]], True, id="one member alone"),
    ],
)
def test_subscriptions_are_taken_for_equal_as_kafka_does(
    topics: list[list[str]], *, expected: bool
) -> None:
    members = [Member(f"c{number}", listed) for number, listed in enumerate(topics)]

    assert is_constrained(group_of({"a": Topic(1), "b": Topic(1)}, members)) is expected


def test_a_first_member_without_topics_gets_nothing() -> None:
    """Kafka's class considers the two equal and assigns half of the partitions to the first."""
    group = Group.fresh({"t": 4}, {"c0": [], "c1": ["t"]})

    after = check(group, sticky(group))

    assert np.unique(after).tolist() == [1]
