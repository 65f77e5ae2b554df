"""The figures in each sentence were counted by hand in the group above it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.comparing.outcomes import as_it_is_now, at_next_rebalance
from evaluation.explain.reasons import reason_for
from tests.named import named
from tests.said import lacks

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
    (outcome,) = at_next_rebalance(group, named(name))
    return reason_for(group, outcome)


@pytest.mark.parametrize(
    ("name", "group", "gist"),
    [
        (
            "range",
            MANY_SMALL,
            "range ... alone ... c0, c1 and c2 ... extra ... 4 of 4 ... c0 ... 4, c3 ... 0",
        ),
        (
            "range",
            EVEN,
            "range ... both topics ... evenly ... 5",
        ),
        (
            "range",
            ONE_TOPIC,
            "range ... c0 ... extra ... c0 ... 3 ... c1 ... 2",
        ),
        (
            "range",
            STATIC,
            "range ... static ... first ... y ... extra ... y ... 2 ... x ... 1",
        ),
        (
            "range",
            RACKS,
            "range ... evenly ... 2 ... after balance ... 1 of 4 ... off-rack",
        ),
        (
            "range",
            UUID_IDS,
            "range ... app-1 ... extra ... app-1 ... 2 ... app-2 ... 1",
        ),
        (
            "roundrobin",
            MANY_SMALL,
            "roundrobin ... 12 ... in turn ... 5 ... one more ... c0 and c1 ... 2-3",
        ),
        (
            "roundrobin",
            EVEN,
            "roundrobin ... 10 ... 2 ... multiple of 2 ... same partition numbers ... both",
        ),
        (
            "roundrobin",
            MIXED,
            "roundrobin ... 6 ... in turn ... 3 ... skipping ... C2 ... 4 ... C0 ... 1",
        ),
        (
            "roundrobin",
            STATIC,
            "roundrobin ... 3 ... in turn ... 2 ... static ... first ... y ... 1-2",
        ),
        (
            "fair",
            MIXED,
            "fair ... few subscribers first ... t2 with 1 ... fewest ... C2 ... 3 ... C0 ... 1",
        ),
        (
            "fair",
            Group.fresh({"a": 4, "b": 1}, {"c0": ["a"], "c1": ["a", "b"]}),
            "fair ... few subscribers first ... b with 1 ... fewest ... c0 ... 3 ... c1 ... 2",
        ),
        (
            "fair",
            MANY_SMALL,
            "fair ... fewest ... 2-3",
        ),
        (
            "lag-based",
            HOT,
            "lag-based ... in each topic ... c0 ... most lag ... 2 of 2 ... 18 of 20",
        ),
        (
            "lag-based",
            ONE_TOPIC,
            "lag-based ... counts first ... lag second ... c0 ... a-2 ... 52 of 63",
        ),
        (
            "lag-based",
            EVEN,
            "lag-based ... no lag ... each topic alone ... count ... 5",
        ),
        (
            "lag-capped",
            HOT,
            "lag-capped ... 3 topics ... even counts, 3 ... c0 ... 10 of 20",
        ),
        (
            "lag-skew",
            ONE_TOPIC,
            "lag-skew ... 1 topic ... nearly even counts, 1-4 ... c0 ... 50 of 63",
        ),
        (
            "lag-capped",
            EVEN,
            "lag-capped ... no lag ... 2 topics ... count",
        ),
        (
            "load-sticky",
            EVEN,
            "load-sticky ... no present owners ... no lag ... count",
        ),
        (
            "load-sticky",
            HOT,
            "load-sticky ... no present owners ... by lag ... c0 ... 10 of 20",
        ),
        (
            "load-sticky",
            ONE_TOPIC.owned_by(np.array([0, 0, 0, 1, 1], np.int32)),
            "load-sticky keeps 4 of 5 ... moves 1 ... 58 ... 51",
        ),
    ],
)
def test_the_sentence_says_what_can_be_counted(name: str, group: Group, gist: str) -> None:
    found = _why(group, name)

    assert not lacks(found, gist)


@pytest.mark.parametrize("name", list(STRATEGIES))
@pytest.mark.parametrize(
    ("group", "gist"),
    [
        (Group.fresh({"t": 2}, []), "no consumer ... nothing"),
        (
            Group.fresh({"t": 0, "u": 3}, {"c0": ["t"]}),
            "No consumer subscribes ... nothing",
        ),
        (
            Group.fresh({"t": 2, "u": 1}, {"c0": ["t", "u"], "c1": []}),
            "c0 alone ... all 3",
        ),
        (
            Group.fresh({"t": 2, "u": 0}, {"c0": ["t"], "c1": ["u"]}),
            "c0 alone ... both",
        ),
        (
            Group.fresh({"t": 1}, {"c0": ["t"]}),
            "c0 alone ... the only",
        ),
    ],
)
def test_a_group_with_nothing_to_decide_is_reported(name: str, group: Group, gist: str) -> None:
    assert not lacks(_why(group, name), gist)


def test_the_present_state_is_reported_unchanged() -> None:
    lags = {"t": [5, 6, 7], "u": [0]}
    group = Group.fresh({"t": 3, "u": 1}, ["c0", "c1", "c2"], lags)
    outcome = as_it_is_now(group.owned_by(np.array([0, 0, -1, 1], np.int32)))

    assert outcome is not None
    assert not lacks(
        reason_for(group, outcome),
        "1 of 4",
        "no owner",
        "1 of 3",
        "no partitions",
        "c0",
        "most lag",
        "11",
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
        reason_for(group, outcome)
        for outcome in at_next_rebalance(group, list(ALL_STRATEGIES.values()))
    ]

    assert all(text.endswith(".") and ". " not in text for text in sentences)
    assert all("  " not in text and "\n" not in text for text in sentences)


@pytest.mark.parametrize("name", ["kafka-python-range", "kafka-python-roundrobin"])
def test_kafka_python_gives_only_the_last_run_of_each_kind_anything(name: str) -> None:
    members = [Member(f"c{k}", ["a"], instance_id="i" if k == 1 else None) for k in range(3)]
    all_static = [Member(f"c{k}", ["a"], instance_id=f"i{k}") for k in range(3)]

    mixed, static = (group_of({"a": Topic(4)}, each) for each in (members, all_static))

    why = (name, "static and other consumers without sorting", "last run", "c1 ... 2", "c0 ... 0")
    assert lacks(_why(mixed, name), *why) == []
    assert "last run" not in _why(static, name)
