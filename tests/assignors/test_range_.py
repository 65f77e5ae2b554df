from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given

from assignors.layout import Layout, RackPlaces
from assignors.model import NO_RACK, UNOWNED, Group
from assignors.naming import assignment_of
from assignors.numbering import Member, Topic, group_of
from assignors.range_ import range_, server_range
from tests.groups import groups, tried


def numbers(group: Group) -> dict[str, list[int]]:
    """Return each member's partition numbers in a group with one topic."""
    assigned = assignment_of(group, range_(group))
    return {member: [number for _, number in held] for member, held in assigned.items()}


def racked(racks_of: Sequence[Sequence[str]], **rack_of_member: str | None) -> Group:
    members = [Member(name, ["t"], rack=rack) for name, rack in rack_of_member.items()]
    return group_of({"t": Topic(len(racks_of), racks=racks_of)}, members)


def test_the_documentation_example() -> None:
    group = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])

    assert group.named(range_(group)) == {
        "C0": ("t0-0", "t0-1", "t1-0", "t1-1"),
        "C1": ("t0-2", "t1-2"),
    }


def test_kip_49_shows_two_of_four_members_idle() -> None:
    every, odd = ["T1", "T2", "T3", "T4", "T5"], ["T1", "T3", "T5"]
    topics = {"T1": 2, "T2": 1, "T3": 2, "T4": 1, "T5": 2}
    group = Group.fresh(topics, {"C1": every, "C2": odd, "C3": odd, "C4": every})

    assert group.named(range_(group)) == {
        "C1": ("T1-0", "T2-0", "T3-0", "T4-0", "T5-0"),
        "C2": ("T1-1", "T3-1", "T5-1"),
        "C3": (),
        "C4": (),
    }


def test_many_small_topics_leave_most_members_idle() -> None:
    group = Group.fresh({f"t{t:02}": 3 for t in range(20)}, members=[f"c{m}" for m in range(10)])

    counts = np.bincount(range_(group), minlength=10)

    assert counts.tolist() == [20, 20, 20, 0, 0, 0, 0, 0, 0, 0]


def test_mixed_subscriptions_are_cut_among_the_subscribers_alone() -> None:
    wanted = {"m1": ["A"], "m2": ["A"], "m3": ["B"], "m4": ["B", "C"]}
    group = Group.fresh({"A": 45, "B": 1, "C": 1}, wanted)

    assert np.bincount(range_(group)).tolist() == [23, 22, 1, 1]


def test_one_restart_under_a_higher_id_moves_every_partition() -> None:
    before = Group.fresh({"t": 6}, members=["m-a", "m-b", "m-c"])
    after = Group.fresh({"t": 6}, members=["m-z", "m-b", "m-c"])

    assert numbers(before) == {"m-a": [0, 1], "m-b": [2, 3], "m-c": [4, 5]}
    assert numbers(after) == {"m-b": [0, 1], "m-c": [2, 3], "m-z": [4, 5]}


def test_static_members_keep_their_blocks_across_a_restart() -> None:
    def started(*names: str) -> Group:
        members = [Member(name, ["t"], instance_id=f"i{n}") for n, name in enumerate(names)]
        return group_of({"t": Topic(6)}, members)

    assert numbers(started("m-a", "m-b", "m-c")) == {"m-a": [0, 1], "m-b": [2, 3], "m-c": [4, 5]}
    assert numbers(started("m-z", "m-b", "m-c")) == {"m-z": [0, 1], "m-b": [2, 3], "m-c": [4, 5]}


def test_static_members_come_before_dynamic_ones_however_they_interleave() -> None:
    members = [Member("A", ["t"], "i1"), Member("B", ["t"]), Member("C", ["t"], "i3")]

    found = numbers(group_of({"t": Topic(6)}, members))

    assert found == {"A": [0, 1], "C": [2, 3], "B": [4, 5]}


def test_members_beyond_the_partitions_get_nothing() -> None:
    group = Group.fresh({"t": 4}, members=[f"c{m}" for m in range(6)])

    assert range_(group).tolist() == [0, 1, 2, 3]


def test_members_take_partitions_of_their_own_rack() -> None:
    group = racked([["b"], ["a"], ["b"], ["a"]], c0="a", c1="b")

    assert numbers(group) == {"c0": [1, 3], "c1": [0, 2]}


def test_balance_goes_before_racks() -> None:
    group = racked([["a"]] * 5 + [["d"]], C1="a", C2="b", C3="c")

    found = numbers(group)

    assert found == {"C1": [0, 1], "C2": [2, 3], "C3": [4, 5]}


def test_one_rack_with_all_replicas_serves_no_more_than_its_share() -> None:
    group = racked([["a"]] * 6, C1="b", C2="a", C3="c")

    assert len(numbers(group)["C2"]) == 2


@pytest.mark.parametrize("names", [["t"], ["t", "u"]], ids=["one topic", "co-partitioned topics"])
def test_once_the_extras_are_used_no_member_matches_one_more(names: list[str]) -> None:
    topics = {name: Topic(4, racks=[["a"], ["a"], ["b"], ["b"]]) for name in names}
    members = [Member(f"c{n}", names, rack=rack) for n, rack in enumerate("abc")]

    found = range_(group_of(topics, members))

    assert found.tolist() == [0, 0, 1, 2] * len(names)


def test_a_member_without_a_rack_matches_every_partition() -> None:
    group = racked([["b"], ["a"], ["b"], ["a"]], c0=None, c1="b")

    assert numbers(group) == {"c0": [0, 1], "c1": [2, 3]}


def test_racks_that_hold_every_partition_change_nothing() -> None:
    group = racked([["b", "c"]] * 4, c0="a", c1="b")

    assert numbers(group) == {"c0": [0, 1], "c1": [2, 3]}


def test_racks_without_members_change_nothing() -> None:
    group = racked([["b"], ["c"], ["b"], ["c"]], c0="a", c1="d")

    assert numbers(group) == {"c0": [0, 1], "c1": [2, 3]}


def test_co_partitioned_topics_match_where_all_of_them_do() -> None:
    topics = {
        "t0": Topic(2, racks=[["b"], ["a"]]),
        "t1": Topic(2, racks=[["a", "b"], ["a"]]),
    }
    members = [Member("c0", ["t0", "t1"], rack="a"), Member("c1", ["t0", "t1"], rack="b")]
    group = group_of(topics, members)

    assert group.named(range_(group)) == {"c0": ("t0-1", "t1-1"), "c1": ("t0-0", "t1-0")}


def test_co_partitioning_goes_before_racks() -> None:
    topics = {"t0": Topic(2, racks=[["a"], ["b"]]), "t1": Topic(2, racks=[["b"], ["a"]])}
    members = [Member("c0", ["t0", "t1"], rack="b"), Member("c1", ["t0", "t1"], rack="a")]
    group = group_of(topics, members)

    assert group.named(range_(group)) == {"c0": ("t0-0", "t1-0"), "c1": ("t0-1", "t1-1")}


def test_a_topic_that_needs_racks_has_them_matched_in_co_partitioned_ones_too() -> None:
    topics = {
        "even0": Topic(2, racks=[["a"], ["a"]]),
        "even1": Topic(2, racks=[["a"], ["a"]]),
        "needy": Topic(3, racks=[["a"], ["b"], ["b"]]),
    }
    members = [Member("c0", list(topics), rack="b"), Member("c1", list(topics), rack="a")]
    alone = group_of({name: topics[name] for name in ("even0", "even1")}, members)
    together = group_of(topics, members)

    assert alone.named(range_(alone))["c0"] == ("even0-0", "even1-0")
    assert together.named(range_(together))["c0"][:2] == ("even0-1", "even1-1")


def one_by_one(group: Group) -> list[int]:
    """Assign as KIP-881 describes: partition by partition, or member by member."""
    owners = [UNOWNED] * group.partition_count
    place = {m: at for at, m in enumerate(group.layout.static_first.tolist())}
    sets: dict[tuple[tuple[int, ...], int], list[slice]] = {}
    for partitions, subscribers in group.wanted_slices():
        members = tuple(sorted(subscribers.tolist(), key=place.__getitem__))
        sets.setdefault((members, partitions.stop - partitions.start), []).append(partitions)
    matching = any(
        needs_racks(group, members, cut) for (members, _), cuts in sets.items() for cut in cuts
    )
    for (members, size), cuts in sets.items():
        seats = [UNOWNED] * size
        has_racks = any(group.layout.member_racks[m] != NO_RACK for m in members)
        if matching and has_racks and (len(cuts) > 1 or needs_racks(group, members, cuts[0])):
            visits = [(p, m) for p in range(size) for m in members]
            if len(cuts) == 1:
                visits = [(p, m) for m in members for p in range(size)]
            for p, m in visits:
                if all(is_match(group, m, cut.start + p) for cut in cuts):
                    take(seats, p, m, len(members))
        for m in members:
            for p in range(size):
                take(seats, p, m, len(members))
        for cut in cuts:
            owners[cut] = seats
    return owners


def take(seats: list[int], partition: int, member: int, member_count: int) -> None:
    quota, extras = divmod(len(seats), member_count)
    over = sum(seats.count(m) > quota for m in set(seats) - {UNOWNED})
    if seats[partition] == UNOWNED and seats.count(member) < quota + (over < extras):
        seats[partition] = member


def needs_racks(group: Group, members: Sequence[int], cut: slice) -> bool:
    rows = [frozenset(np.flatnonzero(row).tolist()) for row in group.layout.replica_racks[cut]]
    everywhere = frozenset[int]().union(*rows)
    return any(int(group.layout.member_racks[m]) in everywhere for m in members) and set(rows) != {
        everywhere
    }


def is_match(group: Group, member: int, partition: int) -> bool:
    rack = group.layout.member_racks[member]
    return bool(rack == NO_RACK or group.layout.replica_racks[partition, rack])


@given(group=groups())
@tried(300)
def test_blocks_and_queues_equal_assigning_one_by_one(group: Group) -> None:
    assert range_(group).tolist() == one_by_one(group)


def test_the_broker_cuts_each_topic_alone() -> None:
    group = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])

    assert group.named(server_range(group)) == {
        "C0": ("t0-0", "t0-1", "t1-0", "t1-1"),
        "C1": ("t0-2", "t1-2"),
    }


def test_the_broker_puts_static_members_first_by_instance_id() -> None:
    group = Group.with_layout(
        Layout.of(["t"], [3], ["a", "b", "c"], instance_ids=[None, "i2", "i1"])
    )

    assert server_range(group).tolist() == [2, 1, 0]


def test_the_broker_does_not_look_at_racks() -> None:
    group = Group.with_layout(
        Layout.of(
            ["t"], [2], ["a", "b"], racks=RackPlaces(["r0", "r1"], [1, 0], np.eye(2, dtype=bool))
        )
    )

    assert server_range(group).tolist() == [0, 1]
    assert range_(group).tolist() == [1, 0]
