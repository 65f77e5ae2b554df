"""The rules of the constrained path, which sticky takes for equal subscriptions."""

import numpy as np
from hypothesis import given

from assignors.layout import Layout, RackPlaces
from assignors.model import NO_RACK, Group
from assignors.sticky.kafka import sticky
from evaluation.rebalance.simulation import fewest_moves
from tests.groups import equal_groups, tried


def with_racks(partitions: list[str], members: list[str], owners: list[int] | None = None) -> Group:
    """Return one topic whose partitions have these racks, for members in these ("" is none)."""
    racks = sorted({rack for replicas in partitions for rack in replicas} | set("".join(members)))
    return Group.with_layout(
        Layout.of(
            ["t"],
            [len(partitions)],
            [f"c{number}" for number in range(len(members))],
            racks=RackPlaces(
                racks,
                [racks.index(rack) if rack else NO_RACK for rack in members],
                [[rack in replicas for rack in racks] for replicas in partitions],
            ),
        ),
        owners=owners,
    )


@given(group=equal_groups())
@tried(100)
def test_counts_differ_by_one_at_most(group: Group) -> None:
    counts = np.bincount(sticky(group)[group.is_wanted], minlength=group.member_count)

    assert not counts.size or np.ptp(counts) <= 1


def test_a_joiner_takes_what_is_above_the_quota_and_nothing_else() -> None:
    owners = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], np.int32)
    group = Group.of(["t1"], [10], ["C0", "C1", "C2"], owners=owners)

    after = sticky(group)

    assert group.named(after) == {
        "C0": ("t1-0", "t1-1", "t1-2", "t1-3"),
        "C1": ("t1-5", "t1-6", "t1-7"),
        "C2": ("t1-4", "t1-8", "t1-9"),
    }
    assert np.count_nonzero(after != owners) == fewest_moves(group, owners)


def test_a_member_keeps_some_of_every_topic_rather_than_all_of_the_first() -> None:
    group = Group.of(["t1", "t2"], [4, 4], ["c0", "c1"], owners=[0] * 8)

    assert group.named(sticky(group)) == {
        "c0": ("t1-0", "t1-1", "t2-0", "t2-1"),
        "c1": ("t1-2", "t1-3", "t2-2", "t2-3"),
    }


def test_members_that_had_too_few_queue_for_the_extras_behind_those_with_enough() -> None:
    group = Group.of(["t"], [8], ["c0", "c1", "c2"], owners=[2, 2, 0, -1, -1, -1, -1, -1])

    assert sticky(group).tolist() == [2, 2, 0, 0, 1, 1, 2, 0]


def test_more_members_than_partitions_leave_the_last_idle() -> None:
    group = Group.fresh({"t": 2}, members=["c0", "c1", "c2"])

    assert sticky(group).tolist() == [0, 1]


def test_balance_goes_before_racks() -> None:
    group = with_racks(["a", "a", "a", "a", "a", "a"], ["a", "b", "c"])

    assert np.bincount(sticky(group)).tolist() == [2, 2, 2]


def test_racks_that_hold_every_partition_make_no_difference() -> None:
    everywhere = with_racks(["ab", "ab", "ab", "ab"], ["a", "b"], owners=[1, 0, 0, 1])

    assert sticky(everywhere).tolist() == [1, 0, 0, 1]


def test_a_member_gives_up_what_has_no_replica_in_its_rack() -> None:
    group = with_racks(["a", "b", "a", "b"], ["a", "b"], owners=[1, 0, 1, 0])

    assert sticky(group).tolist() == [0, 1, 0, 1]


def test_a_member_without_a_rack_keeps_what_it_owns_but_is_near_nothing() -> None:
    group = with_racks(["a", "b", "b", "a"], ["a", ""], owners=[-1, 1, -1, -1])

    assert sticky(group).tolist() == [0, 1, 1, 0]


def test_partitions_with_the_fewest_rack_local_members_are_assigned_first() -> None:
    group = with_racks(["ab", "ab", "b", "b"], ["a", "b"])

    assert sticky(group).tolist() == [0, 0, 1, 1]


def test_of_the_members_near_a_partition_the_next_in_the_circle_takes_it() -> None:
    group = with_racks(["a", "a", "b", "a", "a", "b"], ["a", "a", "b"])

    assert sticky(group).tolist() == [0, 1, 2, 0, 1, 2]


def test_an_extra_partition_goes_to_the_first_waiting_member_that_is_near() -> None:
    group = with_racks(["a", "b", "b"], ["a", "b"], owners=[0, 1, -1])

    assert sticky(group).tolist() == [0, 1, 1]
