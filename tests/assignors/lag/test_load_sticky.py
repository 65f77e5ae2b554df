from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag.load_sticky import (
    cooperative_load_sticky,
    counted_steps,
    default_moves,
    joiners_of,
    load_sticky,
    placed_owners,
)
from assignors.lag.weights import weights_of
from assignors.layout import Layout, RackPlaces, SubscriptionClasses
from assignors.model import UNKNOWN, UNOWNED, Group, Owners
from assignors.registry import STRATEGIES
from assignors.sums import exact_sums
from tests.groups import groups, tried

LAGS = {"t": [49, 39, 29, 19, 9, 4, 4, 0]}
OWNED = np.array([0, 0, 0, 0, 1, 1, 2, 2], np.int32)
SKEWED = Group.fresh({"t": 8}, ["c0", "c1", "c2"], LAGS).owned_by(OWNED)
JOINED = Group.fresh({"t": 8}, ["c0", "c1", "c2", "c3"], LAGS).owned_by(OWNED)


def moved(group: Group, owners: np.ndarray) -> int:
    stays = group.present_owners
    return int(np.count_nonzero((stays >= 0) & (stays != owners)))


def loads(group: Group, owners: np.ndarray) -> list[int]:
    weights = weights_of(group).of
    found: list[int] = exact_sums(owners + 1, weights, group.member_count + 1)[1:].tolist()
    return found


def largest(group: Group, owners: np.ndarray) -> int:
    return max(loads(group, owners), default=0)


def test_the_worked_example_of_the_documentation() -> None:
    owners = load_sticky(JOINED)

    assert owners.tolist() == [3, 2, 0, 0, 1, 1, 2, 2]
    assert loads(JOINED, owners) == [50, 15, 46, 50]


def test_without_moves_everything_stays() -> None:
    assert load_sticky(SKEWED, moves=0).tolist() == SKEWED.present_owners.tolist()


def test_every_move_takes_what_helps_most_off_the_busiest() -> None:
    found = [largest(SKEWED, load_sticky(SKEWED, moves)) for moves in range(4)]

    assert found == [140, 90, 56, 55]


def test_a_swap_must_gain_as_much_as_two_moves() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [12, 12, 3, 2]})
    group = group.owned_by(np.array([0, 0, 1, 1], np.int32))

    assert load_sticky(group, moves=1).tolist().count(0) == 1
    assert loads(group, load_sticky(group, moves=1)) == [13, 20]


def test_the_best_first_move_need_not_be_part_of_the_best_two() -> None:
    group = Group.fresh({"t": 5}, ["c0", "c1", "c2"], {"t": [0, 7, 2, 3, 8]})
    group = group.owned_by(np.array([1, 2, 0, 2, 2], np.int32))

    assert largest(group, load_sticky(group, moves=2)) == 10
    assert largest(group, np.array([1, 1, 0, 0, 2], np.int32)) == 9


def test_a_partition_without_an_owner_is_placed_and_not_counted_as_moved() -> None:
    owners = np.array([0, 0, 1, -1], np.int32)
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 8, 1, 6]}).owned_by(owners)

    assert load_sticky(group, moves=0).tolist() == [0, 0, 1, 1]


def test_partitions_without_lag_weigh_one_each() -> None:
    owners = np.array([0, 1, -1, -1, -1, -1], np.int32)
    group = Group.fresh({"t": 6}, ["c0", "c1"], {"t": [2, 0, 0, 0, 0, 0]}).owned_by(owners)

    assert load_sticky(group, moves=0).tolist() == [0, 1, 1, 1, 0, 1]


def test_a_consumer_that_no_longer_subscribes_gives_its_partitions_up() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"]}
    group = Group.fresh({"a": 1, "b": 2}, wanted, {"a": [1], "b": [5, 5]})
    group = group.owned_by(np.array([0, 0, 0], np.int32))

    assert load_sticky(group, moves=0).tolist() == [0, 1, 1]
    assert default_moves(group) == 1


def test_a_joiner_is_served_although_the_busiest_holds_one_partition() -> None:
    group = Group.fresh({"t": 5}, ["c0", "c1", "c2"], {"t": [99, 9, 9, 9, 9]})
    group = group.owned_by(np.array([0, 1, 1, 1, 1], np.int32))

    owners = load_sticky(group, moves=0)

    assert loads(group, owners) == [100, 20, 20]


def test_a_joiner_among_many_equals_gets_an_even_share_whatever_the_budget() -> None:
    members = [f"c{m:03}" for m in range(240)]
    group = Group.fresh({"t": 2400}, members).owned_by((np.arange(2400) % 239).astype(np.int32))

    counts = np.bincount(load_sticky(group, moves=0))

    assert counts[239] == 10
    assert counts.min() == 10


def test_joiners_take_no_more_than_an_even_count() -> None:
    lags = {"t": [10_000, *[0] * 29]}
    group = Group.fresh({"t": 30}, ["c0", "c1", "c2"], lags)
    group = group.owned_by(np.array([0, *[1] * 29], np.int32))

    owners = load_sticky(group, moves=0)

    assert np.bincount(owners).tolist() == [1, 19, 10]
    assert moved(group, owners) == 10


def test_below_a_stuck_maximum_the_next_busiest_is_relieved() -> None:
    group = Group.fresh({"t": 6}, ["c0", "c1", "c2"], {"t": [99, 9, 9, 9, 9, 4]})
    group = group.owned_by(np.array([0, 1, 1, 1, 1, 2], np.int32))

    assert loads(group, load_sticky(group)) == [100, 30, 15]
    assert loads(group, load_sticky(group, moves=9)) == [100, 20, 25]


def test_nothing_moves_within_five_percent_of_an_even_share() -> None:
    lags = {"t": [99, 99, 99, 99, 9]}
    even = Group.fresh({"t": 5}, ["c0", "c1"], lags).owned_by(np.array([0, 0, 1, 1, 0], np.int32))

    assert loads(even, even.present_owners) == [210, 200]
    assert load_sticky(even, moves=5).tolist() == even.present_owners.tolist()


def test_nothing_moves_by_choice_while_some_lags_are_unknown() -> None:
    lags = {"t": [50, 40, 30, UNKNOWN, 10, 5]}
    group = Group.fresh({"t": 6}, ["c0", "c1"], lags)
    group = group.owned_by(np.array([0, 0, 0, 0, 1, UNOWNED], np.int32))

    assert load_sticky(group, moves=6).tolist() == [0, 0, 0, 0, 1, 1]


def test_an_unknown_lag_weighs_the_median_of_its_topic_or_of_all() -> None:
    lags = {"a": [UNKNOWN, 10, 20, 30], "b": [UNKNOWN], "c": [8]}

    weights = weights_of(Group.fresh({"a": 4, "b": 1, "c": 1}, ["c0", "c1"], lags))

    assert weights.of.tolist() == [21, 11, 21, 31, 11, 9]
    assert weights.is_partial


def test_huge_lags_share_a_unit_in_which_their_total_fits() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [2**62, 2**62, 2**63 - 1, 0]})

    weights = weights_of(group)

    assert weights.of.tolist() == [2**59 - 1] * 3 + [1]
    assert loads(group, load_sticky(group)) == [2**60 - 2, 2**59]


def test_a_free_partition_goes_to_a_rack_nearby_that_has_room() -> None:
    group = Group.with_layout(
        Layout.of(
            ["t"],
            [4],
            ["c0", "c1"],
            racks=RackPlaces(["a", "b"], [0, 1], [[True, True]] * 3 + [[True, False]]),
        ),
        owners=[0, 1, 1, UNOWNED],
        lags=[9, 4, 4, 0],
    )

    assert load_sticky(group).tolist() == [0, 1, 1, 0]
    assert load_sticky(group.with_lags(np.array([19, 4, 4, 0]))).tolist() == [0, 1, 1, 1]


def test_the_former_name_finds_the_same_strategy() -> None:
    assert STRATEGIES["lag-sticky"] is STRATEGIES["load-sticky"]
    assert "lag-sticky" in STRATEGIES
    assert "lag-sticky" not in list(STRATEGIES)


def test_the_first_round_withholds_what_another_still_owns() -> None:
    assert cooperative_load_sticky(JOINED).tolist() == [-1, -1, 0, 0, 1, 1, 2, 2]


@given(group=groups(), moves=st.integers(0, 12))
@tried(150)
def test_the_budget_is_kept_and_what_joiners_get_comes_on_top(group: Group, moves: int) -> None:
    steps = list(counted_steps(group, placed_owners(group)))
    gifts = sum(len(step.moves) for step in steps if step.is_gift)

    owners = load_sticky(group, moves)

    home = group.fit_owners
    assert np.count_nonzero((home != UNOWNED) & (home != owners)) <= moves + gifts
    assert largest(group, owners) <= largest(group, placed_owners(group))


@given(group=groups())
@tried(100)
def test_no_step_raises_the_largest_load_or_the_sum_of_squares(group: Group) -> None:
    owners = placed_owners(group)
    totals = [loads(group, owners)]

    for step in counted_steps(group, owners.copy()):
        for partition, member in step.moves:
            owners[partition] = member
        totals.append(loads(group, owners))

    peaks = [max(each, default=0) for each in totals]
    squares = [sum(load * load for load in each) for each in totals]
    assert peaks == sorted(peaks, reverse=True)
    are_counts = weights_of(group).are_counts
    assert all(a < b or (are_counts and a == b) for b, a in pairwise(squares))


@given(group=groups())
@tried(150)
def test_a_rebalance_that_no_budget_cut_short_is_followed_by_none_that_moves(group: Group) -> None:
    owners = load_sticky(group, moves=group.partition_count)

    again = load_sticky(group.owned_by(owners), moves=group.partition_count)

    assert again.tolist() == owners.tolist()


@pytest.mark.parametrize("seed", range(6))
def test_counts_racks_and_moves_are_the_best_that_brute_force_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(30):
        group = small_group(random)

        found = merit(group, load_sticky(group, moves=group.partition_count))

        assert found == min(merit(group, owners) for owners in every_assignment(group))


def small_group(random: np.random.Generator) -> Group:
    """Draw up to six partitions of equal weight, with racks, stale owners and free partitions."""
    topics, members, racks = (int(random.integers(2, most)) for most in (4, 5, 4))
    sizes = random.integers(1, 3, topics)
    partitions = int(sizes.sum())
    has_racks = random.random() < 0.5
    return Group.with_layout(
        Layout.of(
            [f"t{t}" for t in range(topics)],
            sizes,
            [f"c{m}" for m in range(members)],
            subscriptions=SubscriptionClasses(
                np.arange(members),
                [np.flatnonzero(random.random(topics) < 0.7) for _ in range(members)],
            ),
            racks=RackPlaces(
                ["a", "b", "c"][:racks] if has_racks else (),
                random.integers(-1, racks, members) if has_racks else None,
                random.random((partitions, racks)) < 0.5 if has_racks else None,
            ),
        ),
        owners=random.integers(-1, members, partitions),
    )


def merit(group: Group, owners: Owners) -> tuple[int, int, int]:
    """Return the sum of squared counts, the partitions off their rack, and the moves."""
    wanted = group.wanted.tolist()
    counts = np.bincount(owners[wanted], minlength=group.member_count)
    off_rack = sum(
        group.layout.member_racks[owners[p]] >= 0
        and bool(group.layout.replica_racks[p].any())
        and not group.layout.replica_racks[p, group.layout.member_racks[owners[p]]]
        for p in wanted
        if group.layout.racks
    )
    left = sum(group.fit_owners[p] not in {UNOWNED, owners[p]} for p in wanted)
    return int((counts**2).sum()), off_rack, left


def every_assignment(group: Group) -> Iterator[Owners]:
    wanted = group.wanted.tolist()
    subscribers = [group.subscribers(int(group.topic_of_partition[p])).tolist() for p in wanted]
    for chosen in product(*subscribers):
        owners = group.nobody()
        owners[wanted] = chosen
        yield owners


def test_joiners_are_those_who_own_nothing_that_they_could_keep() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"], "c2": ["nothing"], "c3": ["b"]}
    group = Group.fresh({"a": 1, "b": 2, "nothing": 0}, wanted)

    assert joiners_of(group.owned_by(np.array([1, 0, -1], np.int32))).tolist() == [0, 3]
