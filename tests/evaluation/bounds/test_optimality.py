import numpy as np
import pytest
from hypothesis import given

from assignors.model import UNKNOWN, Group
from assignors.numbering import Member, Topic, group_of
from evaluation.bounds.optimality import bounds_of, optimality
from evaluation.comparing.outcomes import at_next_rebalance
from tests.groups import groups, tried
from tests.named import named
from tests.said import figures_in

COUNT_FIRST = Group.fresh(
    {"t": 9}, ["c0", "c1", "c2"], {"t": [900, 500, 400, 300, 300, 250, 30, 10, 10]}
)


def says(group: Group, owners: list[int]) -> str:
    found = optimality(group, bounds_of(group), np.array(owners, np.int32))

    assert found.load is not None
    return found.load.says


def test_the_limits_of_a_group_are_shown_beside_the_best_found() -> None:
    found = bounds_of(COUNT_FIRST)

    assert (found.max_load, found.found_max_load) == (900, 930)
    assert (found.balanced_max_load, found.found_balanced_max_load) == (920, 930)
    assert found.max_count == 3
    assert found.moves is found.rack_local is None
    assert found.hot_partition is None


@pytest.mark.parametrize(
    ("lags", "owners", "sentence"),
    [
        ([5, 5, 5, 5], [0, 0, 1, 1], "optimal"),
        ([5, 5, 5, 5], [0, 0, 0, 1], "at most 50.0 % above optimal"),
        ([10_000, 9_999, 1, 1], [0, 1, 0, 0], "at most 0.1 % above optimal"),
        (
            [90, 1, 5, 4],
            [0, 1, 1, 1],
            "no assignor can help: partition t-0 alone holds 90 % of the lag",
        ),
        ([90, 1, 5, 4], [0, 0, 1, 1], "at most 1.2 % above optimal"),
        ([0, 0, 0, 0], [0, 0, 0, 1], "optimal"),
        ([5, 5, 5, 5], [0, 0, 1, -1], "1 partition without an owner, so no comparison is possible"),
        (
            [5, 5, UNKNOWN, UNKNOWN],
            [0, 1, 0, 1],
            "optimal; of known lag only, 2 partitions unknown",
        ),
    ],
)
def test_a_sentence_says_how_far_lag_is_from_the_best(
    lags: list[int], owners: list[int], sentence: str
) -> None:
    assert says(Group.fresh({"t": 4}, ["c0", "c1"], {"t": lags}), owners) == sentence


def test_a_small_share_is_not_rounded_away() -> None:
    group = Group.fresh({"t": 200}, [f"c{m:03}" for m in range(200)], {"t": [12] + [10] * 199})

    assert figures_in(says(group, [*range(200)])) == ["t-0", "0.6"]


def test_even_counts_have_a_price_of_their_own() -> None:
    found = bounds_of(COUNT_FIRST)
    capped, skewed, dealt = (
        optimality(COUNT_FIRST, found, outcome.owners).balanced_load
        for outcome in at_next_rebalance(COUNT_FIRST, named("lag-capped", "lag-skew", "lag-based"))
    )

    assert capped is not None
    assert figures_in(capped.says) == ["1.1"]
    assert skewed is not None
    assert skewed.says == "better than even counts allow"
    assert dealt is not None
    assert dealt.value == 1160


def test_counts_moves_and_racks_have_their_verdicts_too() -> None:
    topics = {"t": Topic(4, racks=[["a"], ["a"], ["b"], ["b"]])}
    owned = [("t", 0), ("t", 1), ("t", 2)]
    members = [
        Member("c0", ["t"], rack="a", owned=owned, generation=1),
        Member("c1", ["t"], rack="b"),
    ]
    group = group_of(topics, members)

    even = optimality(group, bounds_of(group), np.array([0, 0, 1, 1], np.int32))
    odd = optimality(group, bounds_of(group), np.array([1, 1, 1, 0], np.int32))

    assert even.load is even.balanced_load is None
    assert (even.count.says, odd.count.says) == ("optimal", "1 partition above the least possible")
    assert even.moves is not None
    assert odd.moves is not None
    assert even.moves.says == "optimal"
    assert figures_in(odd.moves.says) == ["2"]
    assert even.rack_local is not None
    assert odd.rack_local is not None
    assert even.rack_local.says == "optimal"
    assert figures_in(odd.rack_local.says) == ["3"]


@given(group=groups())
@tried(60)
def test_no_strategy_is_better_than_the_limits_say(group: Group) -> None:
    found = bounds_of(group)

    for outcome in at_next_rebalance(
        group, named("range", "roundrobin", "fair", "lag-capped", "load-sticky")
    ):
        verdict = optimality(group, found, outcome.owners)
        assert verdict.load is None or verdict.load.value >= verdict.load.bound
        assert verdict.count.value >= verdict.count.bound
