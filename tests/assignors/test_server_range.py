import numpy as np

from assignors.model import Group
from assignors.range_ import range_
from assignors.server_range import server_range


def test_each_topic_is_cut_alone() -> None:
    group = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])

    assert group.named(server_range(group)) == {
        "C0": ("t0-0", "t0-1", "t1-0", "t1-1"),
        "C1": ("t0-2", "t1-2"),
    }


def test_static_members_come_first_by_instance_id() -> None:
    group = Group.of(["t"], [3], ["a", "b", "c"], instance_ids=[None, "i2", "i1"])

    assert server_range(group).tolist() == [2, 1, 0]


def test_racks_are_not_looked_at() -> None:
    group = Group.of(
        ["t"],
        [2],
        ["a", "b"],
        racks=["r0", "r1"],
        member_racks=[1, 0],
        replica_racks=np.eye(2, dtype=bool),
    )

    assert server_range(group).tolist() == [0, 1]
    assert range_(group).tolist() == [1, 0]
