from dataclasses import replace

import numpy as np
from hypothesis import given

from assignors.layout import Layout, SubscriptionClasses
from assignors.model import UNOWNED, Group
from assignors.quotas import held_by_each
from assignors.uniform.uniform import uniform
from tests.groups import groups, tried


def test_an_extra_partition_moves_to_the_first_member_although_counts_are_even() -> None:
    group = Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1])

    assert uniform(group).tolist() == [0, 1, 0]


def test_unowned_partitions_are_assigned_before_revoked_ones() -> None:
    group = Group.of(["t"], [6], ["a", "b", "c"], owners=[0, 0, 0, 1, -1, -1])

    assert uniform(group).tolist() == [0, 0, 2, 1, 1, 2]


def test_members_are_filled_one_after_the_other() -> None:
    group = Group.fresh({"t": 3, "u": 2}, members=["a", "b"])

    assert group.named(uniform(group)) == {"a": ("t-0", "t-1", "t-2"), "b": ("u-0", "u-1")}


def test_topics_with_the_most_partitions_a_subscriber_are_given_first() -> None:
    wanted = {"a": ["t", "u"], "b": ["t", "u"], "c": ["u"]}
    group = Group.fresh({"t": 2, "u": 6}, members=wanted)

    assert group.named(uniform(group)) == {
        "a": ("t-0", "u-0", "u-3"),
        "b": ("t-1", "u-1", "u-4"),
        "c": ("u-2", "u-5"),
    }


def test_the_busiest_give_their_last_partitions_to_the_emptiest() -> None:
    group = Group.with_layout(
        Layout.of(
            ["t", "u"],
            [6, 1],
            ["a", "b", "c"],
            subscriptions=SubscriptionClasses([0, 0, 1], [[0], [0, 1]]),
        ),
        owners=[0, 0, 0, 0, 0, 1, 2],
    )

    assert uniform(group).tolist() == [0, 0, 0, 2, 1, 1, 2]


def test_a_member_without_anything_to_give_is_passed_over() -> None:
    group = Group.with_layout(
        Layout.of(
            ["t", "u"],
            [4, 4],
            ["a", "b", "c"],
            subscriptions=SubscriptionClasses([0, 0, 1], [[0], [0, 1]]),
        ),
        owners=[0, 0, 0, 0, 2, 2, 2, 2],
    )

    assert uniform(group).tolist() == [0, 0, 1, 1, 2, 2, 2, 2]


def test_a_broker_can_take_equal_subscriptions_for_different_ones() -> None:
    group = Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1])

    different = replace(group, layout=replace(group.layout, subscription_type="Heterogeneous"))

    assert uniform(different).tolist() == [0, 1, 1]


@given(group=groups())
@tried(150)
def test_within_a_topic_no_member_has_two_more_than_one_that_could_take_one(group: Group) -> None:
    owners = uniform(group)
    counts = held_by_each(owners, group.member_count)

    assert all(
        counts[owners[cut]].max() <= counts[heard].min() + 1 for cut, heard in group.wanted_slices()
    )


@given(group=groups())
@tried(100)
def test_kept_and_taken_partitions_are_all_that_have_subscribers(group: Group) -> None:
    assert np.array_equal(uniform(group) != UNOWNED, group.is_wanted)
