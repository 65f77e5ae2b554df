import numpy as np
import pytest

from assignors.model import UNOWNED, Group
from assignors.numbering import Member, Topic, group_of
from assignors.sticky.claims import as_read, of_newest_generation, previous_owners, resolved_claims
from assignors.sticky.kafka_9987 import sticky_kafka_9987
from assignors.sticky.kafka_12464 import sticky_kafka_12464


def group_with(
    *claims: tuple[str, list[int], int | None], topics: list[str] | None = None
) -> Group:
    members = [
        Member(
            name, ["t"] if topics is None else topics, owned=[("t", p) for p in owned], generation=g
        )
        for name, owned, g in claims
    ]
    return group_of({"t": Topic(3)}, members)


def test_the_higher_generation_keeps_what_two_members_claim() -> None:
    for older, newer in (("a", "b"), ("b", "a")):
        group = group_with((older, [0, 1], 1), (newer, [1, 2], 2))

        claims = resolved_claims(group)

        assert [group.members[m] for m in claims.holder] == [older, newer, newer]
        assert not claims.disputed.size


def test_no_generation_is_older_than_any() -> None:
    claims = resolved_claims(group_with(("a", [0], None), ("b", [0], 0)))

    assert claims.holder.tolist() == [1, UNOWNED, UNOWNED]


def test_between_equal_generations_no_member_keeps_a_partition() -> None:
    claims = resolved_claims(group_with(("a", [0, 1], 4), ("b", [1, 2], 4)))

    assert claims.holder.tolist() == [0, UNOWNED, 1]
    assert claims.disputed.tolist() == [1]


def test_a_member_that_lists_a_partition_twice_disputes_it_with_itself() -> None:
    claims = resolved_claims(group_with(("a", [0, 1, 0], 4)))

    assert claims.holder.tolist() == [UNOWNED, 0, UNOWNED]
    assert claims.disputed.tolist() == [0]


@pytest.mark.parametrize(
    ("arrival", "holder", "disputed"),
    [
        pytest.param(["Aa", "BB", "C#"], 2, [0], id="the two first, then the newer one"),
        pytest.param(["C#", "Aa", "BB"], 2, [], id="the newer one first"),
        pytest.param(["Aa", "C#", "BB"], 2, [], id="the newer one between"),
    ],
)
def test_members_of_one_bucket_are_heard_as_they_arrived(
    arrival: list[str], holder: int, disputed: list[int]
) -> None:
    generation = {"Aa": 1, "BB": 1, "C#": 2}

    claims = resolved_claims(group_with(*((name, [0], generation[name]) for name in arrival)))

    assert claims.holder[0] == holder
    assert claims.disputed.tolist() == disputed


def test_claims_on_topics_without_subscribers_are_ignored() -> None:
    group = group_with(("a", [0], 1), ("b", [0], 1), topics=["other"])

    claims = resolved_claims(group)

    assert (claims.holder == UNOWNED).all()
    assert not claims.disputed.size


def test_before_kafka_12984_only_the_newest_generation_kept_anything() -> None:
    group = group_with(("a", [0], 1), ("b", [1, 2], 2), ("c", [2], 2))

    claims = of_newest_generation(group)

    assert claims.holder.tolist() == [UNOWNED, 1, UNOWNED]


def test_of_older_owners_the_newest_is_remembered_and_of_equals_the_first_heard() -> None:
    group = group_with(("BB", [0, 1], 2), ("Aa", [0, 2], 2), ("old", [1, 2], 1), ("new", [0, 1], 3))

    previous = previous_owners(group)

    assert [group.members[m] for m in previous] == ["BB", "BB", "Aa"]


def test_where_all_are_of_one_generation_there_is_no_older_owner() -> None:
    assert (previous_owners(group_with(("a", [0], 1), ("b", [1], 1))) == UNOWNED).all()


def test_claims_are_read_topic_by_topic_in_the_order_of_a_hash_map() -> None:
    owned = [("t3", 0), ("t5", 1), ("t3", 1), ("t4", 0), ("t5", 0)]  # t4 hashes to bucket 0
    topics = {name: Topic(2) for name in ("t3", "t4", "t5")}
    group = group_of(topics, [Member("idle"), Member("m", list(topics), owned=owned)])

    read = as_read(group, np.array([1], np.int32))

    assert [group.partition_name(p) for p in read] == ["t4-0", "t5-1", "t5-0", "t3-0", "t3-1"]


def test_even_counts_of_two_generations_do_not_make_them_one() -> None:
    members, claims = ["A", "B", "C"], [[1], [0], [2]]
    group = Group.of(["t"], [3], members).claimed_by(claims, [1, 1, 2])
    alike = Group.of(["t"], [3], members).claimed_by(claims, [2, 2, 2])

    for strategy in (sticky_kafka_9987, sticky_kafka_12464):
        assert strategy(group).tolist() == [0, 1, 2]
        assert strategy(alike).tolist() == [1, 0, 2]
