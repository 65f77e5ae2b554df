import numpy as np
import pytest
from hypothesis import given

from assignors.model import UNOWNED, Group
from assignors.numbering import Member, Topic, group_of
from assignors.roundrobin import roundrobin
from tests.groups import groups, tried


def with_a_hot_partition_per_topic(member_count: int) -> Group:
    """Six topics of 20 partitions, the first of each with a lag of 1,000 and the others of 10."""
    topics = {f"t{t}": 20 for t in range(6)}
    lags = {name: [1000] + [10] * 19 for name in topics}
    return Group.fresh(topics, [f"c{m:02}" for m in range(member_count)], lags)


def lag_per_member(group: Group) -> list[int]:
    totals = np.bincount(roundrobin(group), weights=group.lags)
    return [int(total) for total in totals]


def test_the_cursor_runs_on_from_topic_to_topic() -> None:
    group = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])

    assert group.named(roundrobin(group)) == {
        "C0": ("t0-0", "t0-2", "t1-1"),
        "C1": ("t0-1", "t1-0", "t1-2"),
    }


def test_kip_49_shows_one_member_left_idle() -> None:
    every, odd = ["T1", "T2", "T3", "T4", "T5"], ["T1", "T3", "T5"]
    topics = {"T1": 2, "T2": 1, "T3": 2, "T4": 1, "T5": 2}
    group = Group.fresh(topics, {"C1": every, "C2": odd, "C3": odd, "C4": every})

    assert group.named(roundrobin(group)) == {
        "C1": ("T1-0", "T3-0", "T5-0"),
        "C2": ("T1-1", "T3-1", "T5-1"),
        "C3": (),
        "C4": ("T2-0", "T4-0"),
    }


def test_mixed_subscriptions_are_not_evened_out() -> None:
    wanted = {"C0": ["t0"], "C1": ["t0", "t1"], "C2": ["t0", "t1", "t2"]}
    group = Group.fresh({"t0": 1, "t1": 2, "t2": 3}, wanted)

    assert group.named(roundrobin(group)) == {
        "C0": ("t0-0",),
        "C1": ("t1-0",),
        "C2": ("t1-1", "t2-0", "t2-1", "t2-2"),
    }


def test_a_topic_is_dealt_evenly_to_its_own_subscribers() -> None:
    wanted = {"m1": ["A"], "m2": ["A"], "m3": ["B"], "m4": ["B", "C"]}
    group = Group.fresh({"A": 45, "B": 1, "C": 1}, wanted)

    assert np.bincount(roundrobin(group)).tolist() == [23, 22, 1, 1]


@pytest.mark.parametrize(
    ("member_count", "expected"),
    [
        pytest.param(10, [6060] + [120] * 9, id="10 divides 20"),
        pytest.param(20, [6000] + [60] * 19, id="20 divides 20"),
        pytest.param(11, [1100, 1100, *[110, 1100] * 4, 100], id="11 spreads them"),
        pytest.param(21, [1050] + [60] * 14 + [50] + [1040] * 5, id="21 spreads them"),
    ],
)
def test_the_hot_partitions_meet_where_members_divide_the_topics(
    member_count: int, expected: list[int]
) -> None:
    group = with_a_hot_partition_per_topic(member_count)

    assert lag_per_member(group) == expected


def test_members_beyond_the_partitions_get_nothing() -> None:
    group = Group.fresh({"t": 4}, members=[f"c{m}" for m in range(6)])

    assert roundrobin(group).tolist() == [0, 1, 2, 3]


def test_static_members_sit_first_on_the_circle() -> None:
    members = [Member("A", ["t"], "i2"), Member("B", ["t"]), Member("C", ["t"], "i1")]
    group = group_of({"t": Topic(4)}, members)

    assert group.named(roundrobin(group)) == {"A": ("t-1",), "B": ("t-2",), "C": ("t-0", "t-3")}


@given(group=groups())
@tried(300)
def test_bisecting_equals_walking_round_the_circle(group: Group) -> None:
    owners = [UNOWNED] * group.partition_count
    circle, cursor = group.layout.static_first.tolist(), 0
    for partitions, subscribers in group.wanted_slices():
        for partition in range(partitions.start, partitions.stop):
            while circle[cursor % len(circle)] not in subscribers:
                cursor += 1
            owners[partition] = circle[cursor % len(circle)]
            cursor += 1

    assert roundrobin(group).tolist() == owners
