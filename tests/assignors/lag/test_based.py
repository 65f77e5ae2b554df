import numpy as np
from hypothesis import given

from assignors.lag.based import lag_based
from assignors.model import UNOWNED, Group
from tests.groups import groups, long_groups, tried


def one_by_one(group: Group) -> list[int]:
    owners, lags = [UNOWNED] * group.partition_count, np.maximum(group.lags, 0).tolist()
    for partitions, subscribers in group.wanted_slices():
        held = dict.fromkeys(subscribers.tolist(), (0, 0))
        for partition in sorted(range(partitions.start, partitions.stop), key=lambda p: -lags[p]):
            owners[partition] = owner = min(held, key=lambda m: (*held[m], m))
            count, total = held[owner]
            held[owner] = count + 1, total + lags[partition]
    return owners


def lag_per_member(group: Group) -> list[int]:
    totals = np.bincount(lag_based(group), weights=group.lags)
    return [int(total) for total in totals]


def test_the_example_of_kafka_5337() -> None:
    lags = {"t0": [100000, 50000, 60000]}
    group = Group.fresh({"t0": 3}, members=["C0", "C1"], lags=lags)

    assert group.named(lag_based(group)) == {"C0": ("t0-0",), "C1": ("t0-1", "t0-2")}


def test_totals_restart_with_each_topic_which_is_worse_than_range() -> None:
    topics = {f"t{t}": 2 for t in range(4)}
    lags = {"t0": [1000, 10], "t1": [10, 1000], "t2": [1000, 10], "t3": [10, 1000]}
    group = Group.fresh(topics, ["c0", "c1"], lags)

    assert group.named(lag_based(group)) == {
        "c0": ("t0-0", "t1-1", "t2-0", "t3-1"),
        "c1": ("t0-1", "t1-0", "t2-1", "t3-0"),
    }
    assert lag_per_member(group) == [4000, 40]


def test_counts_go_before_lag_within_a_topic() -> None:
    lags = {"t0": [900, 500, 400, 300, 300, 250, 30, 10, 10]}
    group = Group.fresh({"t0": 9}, ["c0", "c1", "c2"], lags)

    assert group.named(lag_based(group)) == {
        "c0": ("t0-0", "t0-5", "t0-8"),
        "c1": ("t0-1", "t0-4", "t0-7"),
        "c2": ("t0-2", "t0-3", "t0-6"),
    }
    assert lag_per_member(group) == [1160, 810, 730]


def test_without_lag_every_topic_gives_its_extras_to_the_same_members() -> None:
    topics = {"t0": 6, "t1": 6}
    group = Group.fresh(topics, ["c0", "c1", "c2", "c3"], {"t0": [0] * 6, "t1": [0] * 6})

    assert group.named(lag_based(group)) == {
        "c0": ("t0-0", "t0-4", "t1-0", "t1-4"),
        "c1": ("t0-1", "t0-5", "t1-1", "t1-5"),
        "c2": ("t0-2", "t1-2"),
        "c3": ("t0-3", "t1-3"),
    }


def test_unknown_and_negative_lags_count_as_none() -> None:
    topics, members = {"t": 5}, ["c0", "c1"]
    odd = Group.fresh(topics, members, {"t": [np.iinfo(np.int64).min, 7, -3, 0, 9]})
    plain = Group.fresh(topics, members, {"t": [0, 7, 0, 0, 9]})

    assert lag_based(odd).tolist() == lag_based(plain).tolist() == [1, 1, 0, 1, 0]


def test_a_hot_partition_in_each_topic_goes_to_the_smallest_id() -> None:
    topics = {f"t{t}": 20 for t in range(6)}
    lags = {name: [1000] + [10] * 19 for name in topics}
    group = Group.fresh(topics, [f"c{m:02}" for m in range(11)], lags)

    assert lag_per_member(group) == [6000] + [120] * 9 + [60]


def test_members_beyond_the_partitions_get_nothing() -> None:
    group = Group.fresh({"t": 4}, members=[f"c{m}" for m in range(6)])

    assert lag_based(group).tolist() == [0, 1, 2, 3]


@given(group=groups())
@tried(200)
def test_rounds_come_to_what_one_by_one_does(group: Group) -> None:
    assert lag_based(group).tolist() == one_by_one(group)


@given(group=long_groups())
@tried(100)
def test_many_rounds_equal_assigning_one_by_one(group: Group) -> None:
    assert lag_based(group).tolist() == one_by_one(group)
