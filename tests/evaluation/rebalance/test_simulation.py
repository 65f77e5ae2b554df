from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNOWNED, Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from assignors.rules import InvalidAssignmentError, check
from assignors.strategy import Promise, Protocol, Strategy
from evaluation.metrics import count_per_member
from evaluation.rebalance.events import AddPartitions, ComeBack, Join, Leave, Rejoin, Subscribe
from evaluation.rebalance.rounds import MOST_ROUNDS
from evaluation.rebalance.simulation import (
    fewest_moves,
    flows,
    simulate_history,
    simulate_rebalance,
)
from tests.groups import equal_groups, groups
from tests.histories import histories

RANGE = STRATEGIES["range"]
SIX = group_of(
    {"t": Topic(6)},
    [
        Member("m-a", ["t"], owned=[("t", 0), ("t", 1)], generation=7),
        Member("m-b", ["t"], owned=[("t", 2), ("t", 3)], generation=7),
        Member("m-c", ["t"], owned=[("t", 4), ("t", 5)], generation=7),
    ],
)
ANY_STRATEGY = st.sampled_from(list(STRATEGIES.values()))


def _scripted(protocol: Protocol, *answers: list[int]) -> Strategy:
    """Return a strategy that yields these results one after another, the last one forever."""
    left = [np.array(answer, np.int32) for answer in answers]

    def assign(group: Group) -> Owners:
        del group
        return left.pop(0) if len(left) > 1 else left[0]

    return replace(RANGE, name="scripted", assign=assign, protocol=protocol)


def test_a_dynamic_restart_moves_everything_under_range_where_two_moves_would_do() -> None:
    (_, step) = simulate_history(SIX, [ComeBack("m-a", "m-z")], RANGE)

    found = step.rebalance
    assert (found.moved, found.kept, found.new) == (6, 0, 0)
    assert (found.fewest, found.needless) == (2, 4)
    assert found.group.named(found.after) == {
        "m-b": ("t-0", "t-1"),
        "m-c": ("t-2", "t-3"),
        "m-z": ("t-4", "t-5"),
    }


def test_a_static_restart_moves_nothing_and_takes_no_round() -> None:
    (_, step) = simulate_history(SIX, [ComeBack("m-a", "m-z", instance_id="a")], RANGE)

    found = step.rebalance
    assert (found.moved, found.kept, found.rounds) == (0, 6, ())
    assert found.group.named(found.after)["m-z"] == ("t-0", "t-1")


def test_what_departed_members_owned_has_moved_and_keeps_their_name() -> None:
    (_, step) = simulate_history(SIX, [Leave(("m-c",))], RANGE)

    found = step.rebalance
    assert [found.holder(number) for number in found.before] == [
        *["m-a", "m-a", "m-b", "m-b"],
        *["m-c", "m-c"],
    ]
    assert found.departed == ("m-c",)
    assert found.moved == 3


def test_a_new_partition_is_new_and_has_not_moved() -> None:
    (_, step) = simulate_history(SIX, [AddPartitions("t", 3)], RANGE)

    found = step.rebalance
    assert (found.moved, found.kept, found.new) == (3, 3, 3)
    assert found.fewest == 0
    assert found.paused == 6


def test_partitions_that_lost_their_subscribers_have_no_new_owner() -> None:
    (_, step) = simulate_history(SIX, [Subscribe(SIX.members, ())], RANGE)

    assert step.rebalance.moved == 6
    assert step.rebalance.paused == 0
    assert (step.rebalance.after == UNOWNED).all()


def test_a_group_that_owns_nothing_starts_from_the_strategys_own_assignment() -> None:
    fresh = Group.fresh({"t": 4}, ["c0", "c1"])

    (start,) = simulate_history(fresh, [], RANGE)

    assert start.group.present_owners.tolist() == [0, 0, 1, 1]
    assert (start.rebalance.new, start.rebalance.moved) == (4, 0)


def test_a_group_that_owns_something_starts_from_that_as_it_is() -> None:
    (start,) = simulate_history(SIX, [], RANGE)

    assert start.group is SIX
    assert start.rebalance.kept == 6
    assert start.rebalance.rounds == ()


def test_each_step_starts_from_the_strategys_own_last_answer_one_generation_on() -> None:
    steps = simulate_history(SIX, [Join(("m-0",)), Rejoin(), Leave(("m-0",))], RANGE)

    for before, step in pairwise(steps):
        was = [before.rebalance.holder(number) for number in before.rebalance.after]
        assert [step.rebalance.holder(number) for number in step.rebalance.before] == was
    assert [int(step.group.claims.generations.max()) for step in steps] == [7, 8, 9, 10]
    assert steps[2].rebalance.moved == 0


def test_eager_stops_everything_that_was_owned() -> None:
    found = simulate_rebalance(SIX, RANGE)

    (only,) = found.rounds
    assert only.paused.all()
    assert only.revoked.tolist() == SIX.present_owners.tolist()
    assert (found.paused, found.moved) == (6, 0)


COOPERATIVE = ([0, 0, 1, 1, -1, -1, 0, 1], [0, 0, 1, 1, 2, 2, 0, 1])


def _c_joins() -> Group:
    claims = [[0, 1, 4, 6], [2, 3, 5, 7], []]
    return Group.of(["t"], [8], ["a", "b", "c"]).claimed_by(claims, [3, 3, -1])


def test_cooperative_stops_only_what_moves_between_its_two_rounds() -> None:
    found = simulate_rebalance(_c_joins(), _scripted(Protocol.COOPERATIVE, *COOPERATIVE))

    first, second = found.rounds
    assert not first.paused.any()
    assert first.revoked.tolist() == [-1, -1, -1, -1, 0, 1, -1, -1]
    assert np.flatnonzero(second.paused).tolist() == [4, 5]
    assert (found.paused, found.moved, found.kept) == (2, 2, 6)


def test_a_cooperative_strategy_that_hands_over_too_early_is_refused() -> None:
    hasty = _scripted(Protocol.COOPERATIVE, COOPERATIVE[1])

    with pytest.raises(InvalidAssignmentError, match="t-4 is given to c while a still owns it"):
        simulate_rebalance(_c_joins(), hasty)


def test_a_cooperative_strategy_that_never_settles_is_refused() -> None:
    endless = _scripted(Protocol.COOPERATIVE, COOPERATIVE[0])

    with pytest.raises(InvalidAssignmentError, match="t-4 has subscribers but no owner"):
        simulate_rebalance(_c_joins(), endless)


def test_broker_side_stops_only_what_moves_in_one_go() -> None:
    found = simulate_rebalance(_c_joins(), _scripted(Protocol.BROKER, COOPERATIVE[1]))

    (only,) = found.rounds
    assert np.flatnonzero(only.paused).tolist() == [4, 5]
    assert only.revoked[[4, 5]].tolist() == [0, 1]


def test_flows_count_partitions_from_whom_to_whom() -> None:
    (_, step) = simulate_history(SIX, [Leave(("m-c",)), AddPartitions("t", 2)], RANGE)[1:]

    found = flows(step.rebalance)

    named = [
        (step.rebalance.holder(source), step.rebalance.holder(target), count)
        for source, target, count in zip(*(column.tolist() for column in found), strict=True)
    ]
    assert named == [
        ("", "m-b", 2),
        ("m-a", "m-a", 3),
        ("m-b", "m-a", 1),
        ("m-b", "m-b", 2),
    ]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ([0, 0, 1, 1, 2, 2], 0),
        ([0, 0, 0, 1, 1, 1], 2),  # the third member must get two
        ([0, 0, 0, 0, 0, 0], 4),
        ([3, 3, 1, 1, 2, 2], 2),  # member 3 left: its partitions must move
        ([-1, -1, 1, 1, 2, 2], 0),  # without an owner before: assigned, not moved
        ([1, 1, 1, 1, 2, -1], 2),
    ],
)
def test_the_fewest_moves_to_even_counts(before: list[int], expected: int) -> None:
    assert fewest_moves(SIX, np.array(before, np.int32)) == expected


def test_members_with_one_partition_more_need_not_give_it_up_while_some_may_have_it() -> None:
    group = Group.fresh({"t": 7}, ["c0", "c1", "c2"])

    fewest = fewest_moves(group, np.array([0, 0, 0, 1, 1, 2, 2], np.int32))

    assert fewest == 0


def test_the_fewest_moves_are_not_known_for_unequal_subscriptions() -> None:
    group = Group.fresh({"t": 2, "u": 2}, {"c0": ["t"], "c1": ["t", "u"]})

    assert fewest_moves(group, group.nobody()) is None


@given(st.data())
def test_no_partition_has_two_owners_in_any_round_and_rounds_end(data: st.DataObject) -> None:
    group, strategy = data.draw(groups()), data.draw(ANY_STRATEGY)
    for step in simulate_history(group, data.draw(histories(group)), strategy)[1:]:
        found = step.rebalance
        assert len(found.rounds) <= MOST_ROUNDS
        if found.rounds:  # otherwise nothing changes, valid or not
            check(found.group, found.after)
        for turn in found.rounds:
            is_worked_on = turn.during != UNOWNED
            is_given = turn.owners != UNOWNED
            assert (turn.during == turn.owners)[is_worked_on & is_given].all()
            assert (turn.paused == ~is_worked_on)[found.group.is_wanted].all()


@pytest.mark.slow
@given(st.data())
def test_kept_moved_and_new_add_up(data: st.DataObject) -> None:
    group, strategy = data.draw(groups()), data.draw(ANY_STRATEGY)
    for step in simulate_history(group, data.draw(histories(group)), strategy):
        found = step.rebalance
        never_owned = int(np.count_nonzero((found.before == UNOWNED) & (found.after == UNOWNED)))
        assert found.kept + found.moved + found.new + never_owned == found.group.partition_count
        assert int(flows(found).partitions.sum()) == found.group.partition_count - never_owned


@given(st.data())
def test_no_strategy_ends_even_with_fewer_than_the_fewest_moves(data: st.DataObject) -> None:
    group, strategy = data.draw(equal_groups()), data.draw(ANY_STRATEGY)
    events = data.draw(histories(group, longest=2))
    for step in simulate_history(group, events, strategy)[1:]:
        found = step.rebalance
        counts = count_per_member(found.group, found.after)
        if found.fewest is not None and found.rounds and np.ptp(counts) <= 1:
            assert found.moved >= found.fewest


EVEN_COOPERATIVES = [
    s
    for s in STRATEGIES.values()
    if s.protocol is Protocol.COOPERATIVE and Promise.BALANCED in s.promises
]


@given(equal_groups())
def test_cooperative_rounds_end_with_even_counts(drawn: Group) -> None:
    group = drawn.owned_by(drawn.present_owners)  # without conflicting claims
    uses_racks = bool(group.layout.replica_racks.any())
    for strategy in EVEN_COOPERATIVES:
        found = simulate_rebalance(group, strategy)

        counts = count_per_member(group, found.after)
        assert len(found.rounds) <= (MOST_ROUNDS if uses_racks else 2)
        assert not counts.size or np.ptp(counts) <= 1


def test_a_second_round_assigns_again_and_may_differ_from_the_target_of_the_first() -> None:
    group = Group.of(["t"], [7], ["a", "b", "c", "d", "e"], owners=[4, 4, 4, 4, -1, -1, -1])

    found = simulate_rebalance(group, STRATEGIES["cooperative-sticky"])

    aim = STRATEGIES["cooperative-sticky"].settle(group)
    assert len(found.rounds) == 2
    assert found.after.tolist() != aim.tolist()
    assert sorted(count_per_member(group, found.after)) == sorted(count_per_member(group, aim))


def test_a_partition_with_two_claimants_is_unowned_until_a_round_resolves_it() -> None:
    claims, generations = [[0, 1], [1, 2]], [4, 3]
    group = Group.of(["t"], [3], ["a", "b"]).claimed_by(claims, generations)

    found = simulate_rebalance(group, _scripted(Protocol.COOPERATIVE, [0, 1, 1]))

    assert group.present_owners.tolist() == [0, 0, 1]
    assert found.rounds[0].during.tolist() == [0, -1, 1]
    assert found.rounds[0].revoked.tolist() == [-1, 0, -1]


@given(st.data())
def test_cooperative_rounds_end_where_the_strategy_says(data: st.DataObject) -> None:
    """Unless partitions lack an owner at first: those are assigned before the others."""
    followers = [s for s in STRATEGIES.values() if s.protocol is Protocol.COOPERATIVE]
    group = data.draw(equal_groups())
    owners, wanted = group.nobody(), np.flatnonzero(group.is_wanted)
    owner = st.integers(0, max(group.member_count - 1, 0))
    owners[wanted] = data.draw(st.lists(owner, min_size=wanted.size, max_size=wanted.size))
    group = group.owned_by(owners, generation=3)
    for strategy in followers:
        found = simulate_rebalance(group, strategy)

        assert found.after.tolist() == strategy.settle(group).tolist()


def test_a_partition_that_goes_directly_to_an_older_claimant_pauses_meanwhile() -> None:
    members = [
        Member("a", ["t"], owned=[("t", 0)], generation=1),
        Member("b", ["t", "u"], owned=[("t", 0), ("t", 1)], generation=2),
    ]
    group = group_of({"t": Topic(2), "u": Topic(1)}, members)

    found = simulate_rebalance(group, STRATEGIES["cooperative-sticky"])

    first = found.rounds[0]
    assert (first.owners.tolist(), first.paused.tolist()) == ([0, 1, 1], [True, False, True])
