"""The way of a switch: who restarts when, what assigns, and which owners it knows of."""

from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.catalogue import strategy_called
from assignors.model import UNOWNED, Group
from assignors.rules import check
from assignors.strategy import Protocol, Strategy
from evaluation.assuming.clients import JAVA
from evaluation.rebalance.way import Way, WayStep, restarts_of
from tests.groups import groups, tried

RANGE, STICKY, COOPERATIVE, UNIFORM = map(
    strategy_called, ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688")
)


def owned(members: int = 3, *, static: bool = False) -> Group:
    ids = [f"c{m}" for m in range(members)]
    group = Group.fresh({"t": 3 * members}, ids)
    group = replace(
        group,
        layout=replace(
            group.layout, instance_ids=tuple(f"s{m}" if static else None for m in range(members))
        ),
    )
    return group.owned_by(RANGE.settle(group))


def played(
    group: Group, before: Strategy, after: Strategy, *, slow: bool = True, seed: int = 1
) -> list[WayStep]:
    return list(Way(group, before, after, seed, is_noticed=slow).steps())


def test_a_switch_between_client_strategies_restarts_everyone_twice() -> None:
    steps = played(owned(), RANGE, COOPERATIVE)

    assert [(step.restart, step.is_back) for step in steps] == [
        (restart, is_back) for restart in (1, 2) for _ in range(3) for is_back in (False, True)
    ]
    assert Counter(c for step in steps for c in step.consumers) == {0: 4, 1: 4, 2: 4}


def test_the_new_strategy_first_assigns_when_all_that_are_present_list_it() -> None:
    slow, quick = (played(owned(), RANGE, COOPERATIVE, slow=each) for each in (True, False))

    assert [step.strategy for step in slow] == [RANGE] * 4 + [COOPERATIVE] * 8
    assert [step.strategy for step in quick] == [RANGE] * 2 + [COOPERATIVE] * 4


def test_a_group_is_eager_until_nobody_lists_an_eager_strategy() -> None:
    steps = played(owned(), RANGE, COOPERATIVE)

    stops = [int(step.stops.sum()) for step in steps]

    assert stops[:6] == [2, 3, 2, 3, 2, 3]
    assert stops[-1] == 0


def test_consumers_with_static_ids_rebalance_only_when_the_strategy_changes() -> None:
    group = owned(static=True)

    steps = played(group, RANGE, STICKY)

    assert [step.strategy for step in steps] == [STICKY]
    assert not (steps[0].before == UNOWNED).any()


def test_a_consumer_that_is_back_in_time_causes_one_rebalance() -> None:
    assert len(played(owned(), RANGE, STICKY, slow=False)) == 6
    assert len(played(owned(), RANGE, STICKY, slow=True)) == 12


def test_a_broker_notices_every_restart_but_the_one_that_ends_its_part() -> None:
    to, off = (
        played(owned(), RANGE, UNIFORM, slow=False),
        played(owned(), UNIFORM, RANGE, slow=False),
    )

    assert [step.is_back for step in to] == [True, False, True, False, True]
    assert [step.is_back for step in off] == [False, True, False, True, True]


def test_a_broker_takes_over_with_the_first_new_consumer_and_keeps_what_the_others_own() -> None:
    group = owned()

    first, *_ = played(group, RANGE, UNIFORM, slow=False)

    (back,) = first.consumers
    others = group.present_owners != back
    assert first.strategy is UNIFORM
    assert np.array_equal(first.owners[others], group.present_owners[others])


def test_a_sticky_strategy_that_follows_a_broker_knows_what_its_consumers_got_there() -> None:
    steps = played(owned(), UNIFORM, STICKY, slow=False)

    last, others = steps[-1], steps[-1].before != UNOWNED
    assert [step.strategy for step in steps] == [UNIFORM] * 4 + [STICKY]
    assert np.array_equal(last.owners[others], last.before[others])


def test_consumers_with_static_ids_that_leave_a_broker_keep_its_owners() -> None:
    group = owned(static=True)
    swapped = group.owned_by(np.roll(group.present_owners, 1))

    steps = played(swapped, UNIFORM, RANGE)

    assert steps == []
    assert np.array_equal(Way(swapped, UNIFORM, RANGE, 1).end(), swapped.present_owners)


def test_no_restart_is_needed_for_the_strategy_that_runs() -> None:
    assert restarts_of(RANGE, RANGE) == ()
    assert played(owned(), RANGE, RANGE) == []


@tried(40)
@given(
    groups(),
    st.sampled_from(JAVA.settable),
    st.sampled_from(JAVA.settable),
    st.booleans(),
    st.integers(0, 9),
)
def test_every_way_ends_in_owners_that_the_rules_allow(
    group: Group, before: Strategy, after: Strategy, slow: bool, seed: int
) -> None:
    if not group.member_count or not group.partition_count or not restarts_of(before, after):
        return
    steps = played(group, before, after, slow=slow, seed=seed)

    assert steps or keeps_a_brokers_owners(group, before, after)
    for last in steps[-1:]:
        check(group, last.owners)
    check(group, Way(group, before, after, seed, is_noticed=slow).end())


def keeps_a_brokers_owners(group: Group, before: Strategy, after: Strategy) -> bool:
    leaves = before.protocol is Protocol.BROKER is not after.protocol
    return leaves and all(group.layout.instance_ids)


def test_a_broker_assigns_what_nobody_owns_before_static_consumers_leave_it() -> None:
    group = owned(static=True)
    unowned = group.owned_by(group.nobody())

    end = Way(unowned, UNIFORM, RANGE, 1).end()

    assert played(unowned, UNIFORM, RANGE) == []
    assert np.bincount(check(unowned, end)).tolist() == [3, 3, 3]


def test_a_group_of_which_nothing_is_known_starts_from_its_clients_default() -> None:
    ours, theirs = (
        next(Way(owned(), None, strategy_called(name), 1).steps()).strategy.name
        for name in ("cooperative-sticky", "franz-go-sticky")
    )

    assert (ours, theirs) == ("range", "franz-go-cooperative-sticky")
