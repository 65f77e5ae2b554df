"""Sentences on sticky and broker-side strategies, counted by hand in the group above."""

import numpy as np
import pytest

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from evaluation.comparing.outcomes import at_next_rebalance
from evaluation.explain.reasons import reason_for
from tests.named import named
from tests.said import lacks

MANY_SMALL = Group.fresh({f"t{t}": 3 for t in range(4)}, [f"c{m}" for m in range(5)])
JOINED = group_of(
    {"t": Topic(6)},
    [
        Member("c0", ["t"], owned=[("t", p) for p in (0, 1, 2)], generation=1),
        Member("c1", ["t"], owned=[("t", p) for p in (3, 4)], generation=1),
        Member("c2", ["t"]),
    ],
)
LEFT = group_of(
    {"t": Topic(2), "u": Topic(2)},
    [
        Member("c0", ["t"], owned=[("t", 0), ("u", 0)], generation=1),
        Member("c1", ["t", "u"], owned=[("t", 1), ("u", 1)], generation=1),
    ],
)
RACKS = group_of(
    {"t": Topic(4, racks=[["a"], ["a"], ["b"], ["a"]])},
    [Member("c0", ["t"], rack="a"), Member("c1", ["t"], rack="b")],
)
OFF_RACK = RACKS.owned_by(np.array([1, 0, 0, 1], np.int32))
SETTLED = Group.fresh({"a": 4, "b": 6}, ["c0", "c1"]).owned_by(
    np.array([0, 0, 1, 1, 0, 0, 0, 1, 1, 1], np.int32)
)


@pytest.mark.parametrize(
    ("name", "group", "gist"),
    [
        (
            "server-range",
            MANY_SMALL,
            "server-range ... alone ... c0, c1 and c2 ... extra ... 4 of 4 ... c0 ... 4, c3 ... 0",
        ),
        (
            "sticky",
            JOINED,
            "sticky keeps 4 of 5 ... assigns 1 ... no owner ... 1 moves ... 2 ... was 0-3",
        ),
        (
            "cooperative-sticky",
            JOINED,
            "keeps 4 of 5 ... assigns 1 ... 1 moves ... 2 ... 0-3 ... no owner ... two",
        ),
        (
            "sticky",
            LEFT,
            "sticky keeps 2 of 4 ... 2 move (1 ... no longer subscribes ... 2 ... was 2",
        ),
        (
            "sticky",
            OFF_RACK,
            "keeps 2 of 4 ... 2 move (2 ... rack ... was 2 ... balance ... 1 of 4 ... off-rack",
        ),
        (
            "sticky",
            SETTLED,
            "sticky keeps 10 of 10 ... 5",
        ),
        (
            "sticky-kafka-12464",
            MANY_SMALL,
            "sticky-kafka-12464 ... no present owners ... 2-3",
        ),
        (
            "sticky-kafka-12464",
            OFF_RACK,
            "sticky-kafka-12464 keeps 4 of 4 ... 2 ... no part ... 3 of 4 ... off-rack",
        ),
        (
            "sticky-kafka-9987",
            JOINED,
            "sticky-kafka-9987 keeps 4 of 5 ... assigns 1 ... 1 moves ... 2 ... was 0-3",
        ),
        (
            "uniform",
            MANY_SMALL,
            "no present owners ... 2-3 ... one more ... c0 and c1 ... broker may choose others",
        ),
        (
            "uniform",
            JOINED,
            "uniform keeps 4 of 5 ... assigns 1 ... no owner ... 1 moves ... 2 ... was 0-3",
        ),
    ],
)
def test_the_sentence_says_what_stays_and_what_moves(name: str, group: Group, gist: str) -> None:
    (outcome,) = at_next_rebalance(group, named(name))

    found = reason_for(group, outcome)

    assert not lacks(found, gist)
