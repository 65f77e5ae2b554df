import numpy as np
from hypothesis import given

from assignors.fair import fair
from assignors.model import UNOWNED, Group
from assignors.numbering import Member, Topic, group_of
from tests.groups import groups, tried


def one_by_one(group: Group) -> list[int]:
    owners, counts = [UNOWNED] * group.partition_count, [0] * group.member_count
    topics = sorted(
        group.wanted_slices(),
        key=lambda topic: (len(topic[1]), topic[0].start - topic[0].stop, topic[0].start),
    )
    for partitions, subscribers in topics:
        for partition in range(partitions.start, partitions.stop):
            owners[partition] = min(subscribers.tolist(), key=lambda m: (counts[m], m))
            counts[owners[partition]] += 1
    return owners


def test_kip_49_shows_two_partitions_for_everybody() -> None:
    every, odd = ["T1", "T2", "T3", "T4", "T5"], ["T1", "T3", "T5"]
    topics = {"T1": 2, "T2": 1, "T3": 2, "T4": 1, "T5": 2}
    group = Group.fresh(topics, {"C1": every, "C2": odd, "C3": odd, "C4": every})

    assert group.named(fair(group)) == {
        "C1": ("T2-0", "T3-0"),
        "C2": ("T1-0", "T3-1"),
        "C3": ("T1-1", "T5-0"),
        "C4": ("T4-0", "T5-1"),
    }


def test_mixed_subscriptions_are_evened_out_where_round_robin_does_not() -> None:
    wanted = {"C0": ["t0"], "C1": ["t0", "t1"], "C2": ["t0", "t1", "t2"]}
    group = Group.fresh({"t0": 1, "t1": 2, "t2": 3}, wanted)

    assert np.bincount(fair(group)).tolist() == [1, 2, 3]


def test_of_topics_with_equally_many_subscribers_the_largest_is_assigned_first() -> None:
    group = Group.fresh({"a": 1, "b": 2}, members=["c0", "c1"])

    assert group.named(fair(group)) == {"c0": ("a-0", "b-0"), "c1": ("b-1",)}


def test_greed_can_miss_the_best_balance() -> None:
    wanted = {"c0": ["t0"], "c1": ["t0", "t1"], "c2": ["t1", "t2"]}
    group = Group.fresh({"t0": 2, "t1": 2, "t2": 2}, wanted)

    assert np.bincount(fair(group)).tolist() == [1, 3, 2]


def test_one_restart_under_a_higher_id_moves_every_partition_of_static_members_too() -> None:
    def started(*names: str) -> dict[str, tuple[str, ...]]:
        members = [Member(name, ["t"], instance_id=f"i{n}") for n, name in enumerate(names)]
        group = group_of({"t": Topic(3)}, members)
        return group.named(fair(group))

    assert started("m-a", "m-b", "m-c") == {"m-a": ("t-0",), "m-b": ("t-1",), "m-c": ("t-2",)}
    assert started("m-z", "m-b", "m-c") == {"m-b": ("t-0",), "m-c": ("t-1",), "m-z": ("t-2",)}


def test_members_beyond_the_partitions_get_nothing() -> None:
    group = Group.fresh({"t": 4}, members=[f"c{m}" for m in range(6)])

    assert fair(group).tolist() == [0, 1, 2, 3]


@given(group=groups())
@tried(200)
def test_runs_of_topics_come_to_what_one_by_one_does(group: Group) -> None:
    assert fair(group).tolist() == one_by_one(group)


def test_large_runs_go_on_from_the_counts_of_small_ones() -> None:
    wanted = {"c0": ["big", "own"], "c1": ["big"], "c2": ["big"]}
    group = Group.fresh({"big": 100, "own": 5}, wanted)

    assert fair(group).tolist() == one_by_one(group)
    assert np.bincount(fair(group)).tolist() == [35, 35, 35]
