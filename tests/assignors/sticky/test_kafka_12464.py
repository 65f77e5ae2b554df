import numpy as np
from hypothesis import given

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.sticky.kafka import sticky
from assignors.sticky.kafka_12464 import sticky_kafka_12464
from tests.groups import groups, tried


def test_the_ticket_s_joiner_takes_4_8_and_9() -> None:
    group = Group.of(["t1"], [10], ["C0", "C1", "C2"], owners=[0] * 5 + [1] * 5)

    assert group.named(sticky_kafka_12464(group)) == {
        "C0": ("t1-0", "t1-1", "t1-2", "t1-3"),
        "C1": ("t1-5", "t1-6", "t1-7"),
        "C2": ("t1-4", "t1-8", "t1-9"),
    }


def test_one_topic_stays_whole_where_today_s_strategy_splits_both() -> None:
    group = Group.of(["t1", "t2"], [4, 4], ["c0", "c1"], owners=[0] * 8)

    assert group.named(sticky_kafka_12464(group)) == {
        "c0": ("t1-0", "t1-1", "t1-2", "t1-3"),
        "c1": ("t2-0", "t2-1", "t2-2", "t2-3"),
    }


def test_a_member_keeps_the_topics_first_that_a_hash_map_has_first() -> None:
    members = [Member("c0", ["t3", "t4"], owned=[("t3", 0), ("t4", 0)]), Member("c1", ["t3", "t4"])]
    group = group_of({"t3": Topic(1), "t4": Topic(1)}, members)

    assert group.named(sticky_kafka_12464(group)) == {"c0": ("t4-0",), "c1": ("t3-0",)}


def test_members_take_their_extra_within_the_circle_not_after_it() -> None:
    group = Group.of(["t"], [5], ["c0", "c1"], owners=[0, 0, -1, -1, -1])

    assert sticky_kafka_12464(group).tolist() == [0, 0, 0, 1, 1]
    assert sticky(group).tolist() == [0, 0, 1, 1, 0]


def test_a_member_at_its_quota_takes_no_more_once_the_extras_are_gone() -> None:
    """Kafka's merged code assigns one too many to c0 here and throws."""
    group = Group.of(["t"], [7], ["c0", "c1", "c2"], owners=[0, 1, 1, -1, -1, -1, -1])

    assert np.bincount(sticky_kafka_12464(group)).tolist() == [2, 3, 2]


def test_an_older_generation_loses_all_even_without_another_claimant() -> None:
    members = [
        Member("a", ["t"], owned=[("t", 3)], generation=1),
        Member("b", ["t"], owned=[("t", 1)], generation=2),
    ]
    group = group_of({"t": Topic(4)}, members)

    assert sticky_kafka_12464(group).tolist() == [0, 1, 1, 0]


@given(group=groups())
@tried(100)
def test_unequal_subscriptions_take_today_s_path(group: Group) -> None:
    if not group.layout.has_equal_subscriptions:
        assert np.array_equal(sticky_kafka_12464(group), sticky(group))


def test_topics_of_one_bucket_are_claimed_in_reverse_order() -> None:
    names = ["b", "metrics_10", "z-last"]  # in one bucket of 16
    owned = [(name, 0) for name in names]
    members = [Member("c0", names, owned=owned), Member("c1", names), Member("c2", names)]
    group = group_of(dict.fromkeys(names, Topic(1)), members)

    assert group.named(sticky_kafka_12464(group))["c0"] == ("z-last-0",)


def test_what_two_claim_stays_with_the_one_that_keeps_it() -> None:
    members = [
        Member("c0", ["t"], owned=[("t", 0), ("t", 1), ("t", 2)], generation=1),
        Member("c1", ["t"], owned=[("t", 2), ("t", 3)], generation=1),
    ]
    group = group_of({"t": Topic(4)}, members)

    assert sticky_kafka_12464(group).tolist() == [0, 0, 1, 1]


def test_a_partition_with_two_claimants_is_assigned_again() -> None:
    members = [
        Member("c0", ["t"], owned=[("t", 0), ("t", 1)], generation=1),
        Member("c1", ["t"], owned=[("t", 1), ("t", 3)], generation=1),
    ]
    group = group_of({"t": Topic(4)}, members)

    assert sticky_kafka_12464(group).tolist() == [0, 0, 1, 1]
