"""The figures in each sentence were counted by hand in the group above it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.compare import as_it_is_now, compare
from evaluation.explain.reasons import reason_for
from tests.named import named

MANY_SMALL = Group.fresh({f"t{t}": 3 for t in range(4)}, [f"c{m}" for m in range(5)])
EVEN = Group.fresh({"a": 4, "b": 6}, ["c0", "c1"])
ONE_TOPIC = Group.fresh({"a": 5}, ["c0", "c1"], {"a": [7, 1, 50, 2, 3]})
MIXED = Group.fresh(
    {"t0": 1, "t1": 2, "t2": 3}, {"C0": ["t0"], "C1": ["t0", "t1"], "C2": ["t0", "t1", "t2"]}
)
HOT = Group.fresh({"a": 2, "b": 2, "c": 2}, ["c0", "c1"], {"a": [9, 1], "b": [1, 9], "c": [0, 0]})
STATIC = group_of(
    {"a": Topic(3)}, [Member("x", ["a"]), Member("y", ["a"], instance_id="i0")], id="static"
)
RACKS = group_of(
    {"t": Topic(4, racks=[["a"], ["a"], ["b"], ["a"]])},
    [Member("c0", ["t"], rack="a"), Member("c1", ["t"], rack="b")],
)
UUID_IDS = Group.fresh(
    {"a": 3},
    [
        "app-1-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07",
        "app-2-4be2a1d7-02c9-4f0e-8d11-7c6a90e3f58b",
    ],
)


def _why(group: Group, name: str) -> str:
    (outcome,) = compare(group, named(name))
    return reason_for(group, outcome)


@pytest.mark.parametrize(
    ("name", "group", "sentence"),
    [
        (
            "range",
            MANY_SMALL,
            (
                "range cuts each topic alone, so c0, c1 and c2 take the extra partition of 4 of 4 "
                "topics: c0 ends with 4, c3 with 0."
            ),
        ),
        (
            "range",
            EVEN,
            (
                "range cuts each topic alone, and both topics divide evenly among the "
                "subscribers: 5 a consumer."
            ),
        ),
        (
            "range",
            ONE_TOPIC,
            "range cuts the topic, so c0 takes the extra partition: c0 ends with 3, c1 with 2.",
        ),
        (
            "range",
            STATIC,
            (
                "range cuts the topic, static consumers first, so y takes the extra partition: y "
                "ends with 2, x with 1."
            ),
        ),
        (
            "range",
            RACKS,
            (
                "range cuts the topic, and it divides evenly among the subscribers: 2 a consumer; "
                "racks come after balance, and 1 of 4 partitions is off-rack."
            ),
        ),
        (
            "range",
            UUID_IDS,
            (
                "range cuts the topic, so app-1 takes the extra partition: app-1 ends with 2, "
                "app-2 with 1."
            ),
        ),
        (
            "roundrobin",
            MANY_SMALL,
            (
                "roundrobin assigns 12 partitions in turn to 5 consumers, one more for c0 and "
                "c1: 2-3 a consumer."
            ),
        ),
        (
            "roundrobin",
            EVEN,
            (
                "roundrobin assigns 10 partitions in turn to 2 consumers; every topic has a "
                "multiple of 2 partitions, so a consumer gets the same partition numbers of both "
                "topics."
            ),
        ),
        (
            "roundrobin",
            MIXED,
            (
                "roundrobin assigns 6 partitions in turn to 3 consumers, skipping those "
                "that do not subscribe: C2 ends with 4, C0 with 1."
            ),
        ),
        (
            "roundrobin",
            STATIC,
            (
                "roundrobin assigns 3 partitions in turn to 2 consumers, static consumers first, "
                "one more for y: 1-2 a consumer."
            ),
        ),
        (
            "fair",
            MIXED,
            (
                "fair serves topics with few subscribers first, here t2 with 1, and gives each "
                "partition to the consumer with the fewest so far: C2 ends with 3, C0 with 1."
            ),
        ),
        (
            "fair",
            Group.fresh({"a": 4, "b": 1}, {"c0": ["a"], "c1": ["a", "b"]}),
            (
                "fair serves topics with few subscribers first, here b with 1, and gives each "
                "partition to the consumer with the fewest so far: c0 ends with 3, c1 with 2."
            ),
        ),
        (
            "fair",
            MANY_SMALL,
            "fair gives each partition to the consumer with the fewest so far: 2-3 a consumer.",
        ),
        (
            "lag-based",
            HOT,
            (
                "lag-based restarts its totals in each topic, so c0 gets the partition with "
                "most lag in 2 of 2 topics that have lag, and ends with 18 of 20 records."
            ),
        ),
        (
            "lag-based",
            ONE_TOPIC,
            (
                "lag-based considers counts first and lag second: c0 gets a-2, the partition "
                "with most lag, and ends with 52 of 63 records."
            ),
        ),
        (
            "lag-based",
            EVEN,
            (
                "lag-based has no lag to balance, so it assigns each topic alone by count: "
                "5 a consumer."
            ),
        ),
        (
            "lag-capped",
            HOT,
            (
                "lag-capped adds up lag over 3 topics under even counts, 3 a consumer: c0 has "
                "most, 10 of 20 records."
            ),
        ),
        (
            "lag-skew",
            ONE_TOPIC,
            (
                "lag-skew adds up lag over 1 topic under nearly even counts, 1-4 a consumer: c0 "
                "has most, 50 of 63 records."
            ),
        ),
        (
            "lag-capped",
            EVEN,
            "lag-capped has no lag to balance, so it assigns 2 topics by count alone.",
        ),
        (
            "load-sticky",
            EVEN,
            "load-sticky has no current owners to keep and no lag, so it assigns by count.",
        ),
        (
            "load-sticky",
            HOT,
            (
                "load-sticky has no current owners to keep, so it assigns from scratch by lag: c0 "
                "has most, 10 of 20 records."
            ),
        ),
        (
            "load-sticky",
            ONE_TOPIC.owned_by(np.array([0, 0, 0, 1, 1], np.int32)),
            (
                "load-sticky keeps 4 of 5 owned partitions and moves 1: the largest lag goes from "
                "58 to 51."
            ),
        ),
    ],
)
def test_the_sentence_says_what_can_be_counted(name: str, group: Group, sentence: str) -> None:
    found = _why(group, name)

    assert found == sentence


@pytest.mark.parametrize("name", list(STRATEGIES))
@pytest.mark.parametrize(
    ("group", "sentence"),
    [
        (Group.fresh({"t": 2}, []), "There is no consumer, so nothing is assigned."),
        (
            Group.fresh({"t": 0, "u": 3}, {"c0": ["t"]}),
            "No consumer subscribes to a topic that has partitions: there is nothing to assign.",
        ),
        (
            Group.fresh({"t": 2, "u": 1}, {"c0": ["t", "u"], "c1": []}),
            "c0 alone has topics to read, so it takes all 3 partitions.",
        ),
        (
            Group.fresh({"t": 2, "u": 0}, {"c0": ["t"], "c1": ["u"]}),
            "c0 alone has topics to read, so it takes both partitions.",
        ),
        (
            Group.fresh({"t": 1}, {"c0": ["t"]}),
            "c0 alone has topics to read, so it takes the only partition.",
        ),
    ],
)
def test_a_group_with_nothing_to_decide_is_reported(name: str, group: Group, sentence: str) -> None:
    assert _why(group, name) == sentence


def test_the_present_state_is_reported_unchanged() -> None:
    lags = {"t": [5, 6, 7], "u": [0]}
    group = Group.fresh({"t": 3, "u": 1}, ["c0", "c1", "c2"], lags)
    outcome = as_it_is_now(group.owned_by(np.array([0, 0, -1, 1], np.int32)))

    assert outcome is not None
    assert reason_for(group, outcome) == (
        "As it is now, 1 of 4 partitions has no owner and 1 of 3 consumers has no partitions; c0 "
        "has most lag, 11 records."
    )


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4),
    st.lists(st.sets(st.integers(0, 3)), max_size=4),
    st.integers(0, 9),
)
def test_any_group_gets_one_sentence_from_every_strategy(
    sizes: list[int], wanted: list[set[int]], lag: int
) -> None:
    topics = {f"t{t}": size for t, size in enumerate(sizes)}
    members = {
        f"c{m}": [f"t{t}" for t in sorted(want) if t < len(sizes)] for m, want in enumerate(wanted)
    }
    lags = {name: [lag * p for p in range(size)] for name, size in topics.items()}
    group = Group.fresh(topics, members, lags)

    sentences = [
        reason_for(group, outcome) for outcome in compare(group, list(ALL_STRATEGIES.values()))
    ]

    assert all(text.endswith(".") and ". " not in text for text in sentences)
    assert all("  " not in text and "\n" not in text for text in sentences)


@pytest.mark.parametrize("name", ["kafka-python-range", "kafka-python-roundrobin"])
def test_kafka_python_gives_only_the_last_run_of_each_kind_anything(name: str) -> None:
    members = [Member(f"c{k}", ["a"], instance_id="i" if k == 1 else None) for k in range(3)]
    all_static = [Member(f"c{k}", ["a"], instance_id=f"i{k}") for k in range(3)]

    mixed, static = (group_of({"a": Topic(4)}, each) for each in (members, all_static))

    assert _why(mixed, name) == (
        f"{name} groups static and other consumers without sorting them first, so only the last "
        "run of each kind gets anything: c1 ends with 2, c0 with 0."
    )
    assert "last run" not in _why(static, name)
