import numpy as np
from hypothesis import given

from assignors.layout import Layout
from assignors.model import Group
from assignors.sticky.kafka_9987 import sticky_kafka_9987
from assignors.sticky.kafka_12464 import sticky_kafka_12464
from tests.groups import equal_groups, tried


def test_the_ticket_s_joiner_takes_4_and_9_then_robs_the_first_full_member() -> None:
    group = Group.of(["t1"], [10], ["C0", "C1", "C2"], owners=[0] * 5 + [1] * 5)

    assert group.named(sticky_kafka_9987(group)) == {
        "C0": ("t1-0", "t1-1", "t1-2"),
        "C1": ("t1-5", "t1-6", "t1-7", "t1-8"),
        "C2": ("t1-3", "t1-4", "t1-9"),
    }


def test_the_first_full_member_is_the_one_a_hash_map_has_first() -> None:
    for arrival, robbed in (([0, 1, 2], 0), ([1, 0, 2], 1)):
        group = Group.with_layout(
            Layout.of(["t"], [4], ["Aa", "BB", "c"], arrival=arrival), owners=[0, 0, 1, 1]
        )

        assert np.bincount(sticky_kafka_9987(group))[robbed] == 1


def test_free_partitions_are_taken_by_number_before_topic_one_member_after_the_other() -> None:
    group = Group.fresh({"t": 2, "u": 2}, members=["c0", "c1"])

    assert group.named(sticky_kafka_9987(group)) == {"c0": ("t-0", "u-0"), "c1": ("t-1", "u-1")}


def test_what_is_left_goes_to_the_first_members_below_the_greatest_count() -> None:
    group = Group.of(["t"], [5], ["c0", "c1", "c2"], owners=[0, 0, -1, -1, -1])

    assert sticky_kafka_9987(group).tolist() == [0, 0, 1, 2, 1]


@given(group=equal_groups())
@tried(200)
def test_counts_are_those_of_the_two_phases_that_came_after(group: Group) -> None:
    counts = [
        sorted(np.bincount(strategy(group)[group.is_wanted], minlength=group.member_count))
        for strategy in (sticky_kafka_9987, sticky_kafka_12464)
    ]

    assert counts[0] == counts[1]
