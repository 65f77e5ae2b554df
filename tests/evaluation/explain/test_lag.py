"""Explanations of lag-capped, lag-skew and load-sticky: worked examples."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag.skew import lag_skew
from assignors.model import UNKNOWN, Group
from assignors.registry import STRATEGIES
from assignors.trace.events import Trace
from evaluation.explain.explainer import Explainer
from evaluation.explain.replay import Replay
from tests.evaluation.explain.examples import HOT, OWNED, SCARCE, SWAPPED
from tests.groups import groups, tried
from tests.said import figures_in, lacks

OURS = ("lag-capped", "lag-skew", "load-sticky")


def steps_of(group: Group, name: str, partition: int) -> Mapping[str, str]:
    return {
        step.rule: step.text for step in Explainer(group, STRATEGIES[name]).explain(partition).steps
    }


@given(group=groups(), skew=st.integers(0, 6))
@tried(100)
def test_the_events_lead_to_the_owner_whatever_the_skew(group: Group, skew: int) -> None:
    if not group.is_wanted.any():
        return
    trace = Trace()

    owners = lag_skew(group, skew, trace=trace)

    replay = Replay(group, trace.events)
    np.testing.assert_array_equal(replay.owners_before(len(trace.events)), owners)
    assert sorted(replay.order.tolist()) == np.flatnonzero(group.is_wanted).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("largest", [0, 3, 10**6, 2**62])
@given(seed=st.integers(0, 999))
@tried(6)
def test_the_events_lead_to_the_owner_where_batches_are_assigned(
    name: str, largest: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    topics = {"t": 60, "u": 45, "v": 7}
    members = {f"c{m:02}": [t for t in topics if t != "u" or m % 9] for m in range(70)}
    lags = {t: random.integers(0, largest, n, endpoint=True).tolist() for t, n in topics.items()}
    owners = random.integers(-1, 8, 112).astype(np.int32)
    group = Group.fresh(topics, members, lags).owned_by(owners)

    explainer = Explainer(group, STRATEGIES[name])

    found = {each.partition: each.owner for each in explainer.walk()}
    assert found == dict(enumerate(STRATEGIES[name].settle(group).tolist()))
    assert not any(step.rule == "Result" for each in explainer.walk() for step in each.steps)


def test_the_least_lag_among_those_below_the_cap_takes_it() -> None:
    found = steps_of(HOT, "lag-skew", 3)

    assert not lacks(found["Quota"], "6", "2 consumers", "3 each", "2 to 4")
    assert not lacks(found["Position"], "all topics", "10", "4th of 6")
    assert not lacks(found["Cap"], "fewer than 4", "maximum")
    assert figures_in(found["Lag so far"]) == ["c1", "60", "c0", "90"]
    assert not lacks(found["Decision"], "c1", "only", "least lag", "60")


def test_what_is_left_goes_to_those_that_have_too_few() -> None:
    found = steps_of(HOT, "lag-skew", 5)

    assert not lacks(found["Cap"], "fewer than 2", "the rest")
    assert not lacks(found["Decision"], "c0", "only", "least lag", "90")


def test_equal_lag_goes_by_count_and_then_by_id() -> None:
    found = steps_of(HOT, "lag-capped", 0)

    assert not lacks(
        found["Tie-break"],
        "c0",
        "smallest id",
        "c0 and c1",
        "least lag",
        "0",
        "fewest partitions",
        "0",
    )


def test_unknown_lag_goes_by_count_first() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 5, UNKNOWN, UNKNOWN]})

    found = steps_of(group, "lag-capped", 2)

    assert not lacks(found["Position"], "unknown", "0")
    assert not lacks(found["Held so far"], "count first", "c1 (1)", "c0 (1)")
    assert not lacks(found["Decision"], "c1", "only", "fewest partitions", "1", "least lag", "5")


@pytest.mark.parametrize(("partition", "exchange"), [(2, ("c1", "t-4")), (4, ("c2", "t-2"))])
def test_both_partitions_of_a_swap_tell_it(partition: int, exchange: str) -> None:
    found = steps_of(SWAPPED, "lag-capped", partition)

    assert not lacks(found["Search"], "1 step ... 950 ... 930")
    before, after = ["1", "c2", "950", "c1", "830"], ["c2", "850", "c1", "930", "950", "930"]
    assert figures_in(found["Swapped"]) == [*before, *exchange, *after]


def test_a_partition_that_no_turn_moves_says_so() -> None:
    found = steps_of(SWAPPED, "lag-capped", 0)

    assert not {"Swapped", "Moved"} & set(found)


def test_round_robin_is_named_where_it_is_more_even() -> None:
    group = Group.fresh({"t": 7}, ["c0", "c1"], {"t": [6, 24, 21, 21, 15, 6, 10]})

    found = steps_of(group, "lag-capped", 2)

    assert not lacks(found["In turn"], "52")
    assert not lacks(found["Turn"], "3rd of 7", "in turn", "c0 and c1", "c0")


def test_unequal_subscriptions_name_the_repair_of_the_counts() -> None:
    found = steps_of(SCARCE, "lag-capped", 4)

    assert not lacks(
        found["Even counts"], "counts ... first ... c0 (4) ... c1 (4) ... c0 (4) ... c1 (3)"
    )
    assert not lacks(found["Seats"], "b, ... same subscribers ... c0 (0) ... c1 (2)")
    assert figures_in(found["Lag so far"]) == ["c1", "0"]


def test_load_sticky_moves_within_its_budget() -> None:
    found = steps_of(OWNED, "load-sticky", 0)

    assert figures_in(found["Present owner"]) == ["c0"]
    assert figures_in(found["Kept"]) == ["c0"]
    assert not lacks(found["Moved"], "c0 carries 144", "c2 7", "to c2", "c0 with 93", "c2 with 58")


def test_load_sticky_says_what_the_budget_held_back() -> None:
    found = Explainer(OWNED, STRATEGIES["load-sticky"]).explain(1)

    assert not lacks(found.decision, "Step 2", "to c1", "1 move", "10 %", "7", "2", "c0 keeps it")


def test_load_sticky_keeps_what_no_turn_would_move() -> None:
    assert figures_in(Explainer(OWNED, STRATEGIES["load-sticky"]).explain(4).decision) == ["c1"]


def test_load_sticky_places_unowned_partitions() -> None:
    found = steps_of(OWNED, "load-sticky", 7)

    assert figures_in(found["Present owner"]) == []
    assert "Placed" in found
    assert not lacks(found["Position"], "1", "1", "Heaviest first", "1st of 1")
    assert not lacks(found["Decision"], "c2", "only", "least load", "6")


def test_load_sticky_weighs_load_where_more_than_lag_counts() -> None:
    group = Group.fresh({"a": 2}, ["c0", "c1"], {"a": [1, 1]}).with_weights([900, 5])

    found = steps_of(group, "load-sticky", 0)

    assert not lacks(found["Position"], "901", "1")


def test_load_sticky_places_what_its_owner_no_longer_subscribes_to() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"]}
    group = Group.fresh({"a": 1, "b": 2}, wanted, {"a": [1], "b": [5, 5]})

    found = steps_of(group.owned_by(np.array([0, 0, 0], np.int32)), "load-sticky", 2)

    assert figures_in(found["Present owner"]) == ["c0"]


def test_between_equal_loads_the_fewest_partitions_decide() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 9, 19, 5]})

    owned = group.owned_by(np.array([0, 0, 1, -1], np.int32))
    found = Explainer(owned, STRATEGIES["load-sticky"]).explain(3)

    assert lacks(found.decision, "c1", "only", "least load", "20", "fewest partitions", "1") == []


def test_a_partition_that_serves_a_joiner_is_outside_the_budget() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1", "c2"], {"t": [20, 20, 20, 20]})

    owned = group.owned_by(np.array([0, 0, 1, 1], np.int32))
    found = Explainer(owned, STRATEGIES["load-sticky"]).explain(0)

    assert not lacks(
        found.decision,
        "c2 held nothing",
        "c0",
        "2",
        "c2 0",
        "to c2",
        "c0 with 1",
        "c2 with 1",
        "not count",
    )


def test_a_chain_that_evens_out_counts_is_told_as_one_step() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"], "c2": ["b", "c"]}
    group = Group.fresh({"a": 3, "b": 2, "c": 1}, wanted)

    owned = group.owned_by(np.array([0, 0, 0, 1, 1, 2], np.int32))
    found = Explainer(owned, STRATEGIES["load-sticky"]).explain(0)

    assert not lacks(found.decision, "1", "c1", "1 move")


def test_unknown_lags_are_said_to_keep_everything_where_it_is() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [90, 5, UNKNOWN, 1]})

    found = steps_of(group.owned_by(np.array([0, 0, 0, 1], np.int32)), "load-sticky", 0)

    assert not lacks(found["Unknown"], "unknown", "nothing moves")
