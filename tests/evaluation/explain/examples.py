"""Groups small enough to check by eye; between them, their strategies go by every rule."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from assignors.model import UNKNOWN, Group
from assignors.numbering import Member, Topic, group_of

EVERY, ODD = ["T1", "T2", "T3", "T4", "T5"], ["T1", "T3", "T5"]
KIP_49: Final = Group.fresh(
    {"T1": 2, "T2": 1, "T3": 2, "T4": 1, "T5": 2},
    {"C1": EVERY, "C2": ODD, "C3": ODD, "C4": EVERY},
)
KAFKA_12464: Final = group_of(
    {"t1": Topic(10)},
    [
        Member("C0", ["t1"], owned=[("t1", p) for p in range(5)], generation=1),
        Member("C1", ["t1"], owned=[("t1", p) for p in range(5, 10)], generation=1),
        Member("C2", ["t1"]),
    ],
)
RACKS: Final = group_of(
    {"t": Topic(4, racks=[["a"], ["a"], ["b"], ["a"]])},
    [Member("c0", ["t"], rack="a"), Member("c1", ["t"], rack="b")],
)
UNEQUAL: Final = group_of(
    {"t": Topic(4), "u": Topic(1)},
    [
        Member("c0", ["t"], owned=[("t", p) for p in range(4)], generation=2),
        Member("c1", ["t", "u"], owned=[("u", 0)], generation=2),
    ],
)
TWO_TOPICS: Final = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])
T3: Final = Group.fresh({"t": 3}, members=["a", "b"])
NEAR: Final = group_of(
    {"t": Topic(3, racks=[["x"], ["y"], ["x"]])},
    [Member("a", ["t"], rack="x"), Member("b", ["t"], rack="y")],
)
HOT: Final = Group.fresh({"t": 6}, ["c0", "c1"], {"t": [90, 30, 30, 10, 10, 10]})
SWAPPED: Final = Group.fresh(
    {"t": 9}, ["c0", "c1", "c2"], {"t": [900, 500, 400, 300, 300, 250, 30, 10, 10]}
)
OWNED: Final = Group.fresh(
    {"t": 8}, ["c0", "c1", "c2"], {"t": [50, 40, 30, 20, 10, 5, 5, 0]}
).owned_by(np.array([0, 0, 0, 0, 1, 1, 2, -1], np.int32))
SCARCE: Final = Group.fresh(
    {"a": 4, "b": 2, "c": 4},
    {"c0": ["a", "b"], "c1": ["b", "c"], "c2": ["c"]},
    {"a": [1] * 4, "b": [9, 9], "c": [1] * 4},
)

_NEARBY: Final = [["a"], ["b"]]
GROUPS: Final[Mapping[str, Group]] = {
    "KIP-49": KIP_49,
    "KAFKA-12464": KAFKA_12464,
    "two topics": TWO_TOPICS,
    "racks": RACKS,
    "unequal": UNEQUAL,
    "three": T3,
    "near": NEAR,
    "hot": HOT,
    "swapped": SWAPPED,
    "owned": OWNED,
    "scarce": SCARCE,
    "co-partitioned": group_of(
        {"t": Topic(2, racks=_NEARBY), "u": Topic(2, racks=_NEARBY)},
        [Member("c0", ["t", "u"], rack="b"), Member("c1", ["t", "u"], rack="a")],
    ),
    "static": group_of(
        {"t": Topic(2)}, [Member("a", ["t"]), Member("z", ["t"], instance_id="one")]
    ),
    "claimed twice": group_of(
        {"t": Topic(2)},
        [
            Member("c0", ["t"], owned=[("t", 0)], generation=1),
            Member("c1", ["t"], owned=[("t", 0)], generation=2),
        ],
    ),
    "disputed": group_of(
        {"t": Topic(2)},
        [Member(name, ["t"], owned=[("t", 0)], generation=2) for name in ("c0", "c1")],
    ),
    "off rack": RACKS.owned_by(np.array([1, 0, 0, 1], np.int32)),
    "in turn": Group.fresh({"t": 7}, ["c0", "c1"], {"t": [6, 24, 21, 21, 15, 6, 10]}),
    "unknown": Group.fresh({"t": 4}, ["c0", "c1"], {"t": [90, 5, UNKNOWN, 1]}).owned_by(
        np.array([0, 0, 0, 1], np.int32)
    ),
    "chain": Group.fresh(
        {"a": 2, "b": 2}, {"c0": ["a", "b"], "c1": ["a"], "c2": ["b"], "c3": ["a"]}
    ).owned_by(np.array([1, 1, 2, 2], np.int32)),
    "left": Group.fresh({"a": 1, "b": 2}, {"c0": ["a"], "c1": ["a", "b"]}).owned_by(
        np.array([0, 0, 0], np.int32)
    ),
    "joined": Group.fresh({"t": 4}, ["c0", "c1", "c2"], {"t": [20] * 4}).owned_by(
        np.array([0, 0, 1, 1], np.int32)
    ),
    "alone": Group.fresh({"t": 1}, ["a"]),
    "unread": Group.fresh({"t": 1, "u": 1}, members={"c0": ["t"]}),
}
"""By the names that ``sentences.txt`` has."""
