"""The promises of every registered strategy; registering a strategy adds it to these tests."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import NO_GENERATION, NO_RACK, Group
from assignors.rules import check
from assignors.strategy import Promise, Sees, Strategy
from benchmarks.measuring import anew
from sources.group_json import decode
from tests.groups import arrays_of, groups, tried
from tests.oracles.random_groups import random_group
from tests.promises import TRIALS

every_strategy = pytest.mark.parametrize("strategy", ALL_STRATEGIES.values(), ids=lambda s: s.name)


def each(of: Callable[[Strategy], Iterable[Sees | Promise]]) -> pytest.MarkDecorator:
    pairs = [(s, claim) for s in ALL_STRATEGIES.values() for claim in of(s)]
    names = [f"{s.name}-{claim.name.lower()}" for s, claim in pairs]
    return pytest.mark.parametrize(("strategy", "claim"), pairs, ids=names)


def with_other_lags(group: Group) -> Group:
    lags = np.arange(group.partition_count)[::-1] * 37 % 101
    return replace(
        group, offsets=replace(group.offsets, lags=lags, begin=None, end=None, committed=None)
    )


def without_racks(group: Group) -> Group:
    return replace(
        group,
        layout=replace(
            group.layout,
            member_racks=np.full_like(group.layout.member_racks, NO_RACK),
            replica_racks=np.zeros_like(group.layout.replica_racks),
        ),
    )


def without_claims(group: Group) -> Group:
    return replace(
        group,
        claims=replace(
            group.claims,
            starts=np.zeros_like(group.claims.starts),
            partitions=group.claims.partitions[:0],
            generations=np.full_like(group.claims.generations, NO_GENERATION),
        ),
    )


def without_static_ids(group: Group) -> Group:
    return replace(group, layout=replace(group.layout, instance_ids=(None,) * group.member_count))


def arrived_backwards(group: Group) -> Group:
    return replace(group, layout=replace(group.layout, arrival=group.layout.arrival[::-1]))


CHANGES: Final[dict[Sees, Callable[[Group], Group]]] = {
    Sees.LAG: with_other_lags,
    Sees.RACKS: without_racks,
    Sees.OWNERS: without_claims,
    Sees.STATIC_IDS: without_static_ids,
    Sees.ARRIVAL: arrived_backwards,
}


ONE_MUST_GIVE_UP = Group.of(["t"], [4], ["Aa", "BB", "c"]).claimed_by(
    [[0, 1], [2, 3], []], generations=[1, 1, 0]
)
"""Either of two may keep its extra; their ids share a bucket, as random ids rarely do."""


def answers(strategy: Strategy, group: Group) -> tuple[list[int], list[int]]:
    return strategy.assign(group).tolist(), strategy.settle(group).tolist()


@every_strategy
@given(group=groups())
@tried(40)
def test_every_result_obeys_the_protocol_is_reproducible_and_leaves_the_group_unchanged(
    strategy: Strategy, group: Group
) -> None:
    arrays = arrays_of(group)
    before = [array.copy() for array in arrays]
    first = answers(strategy, group)

    check(group, strategy.assign(group), complete=strategy.target is None)
    check(group, strategy.settle(group))
    strategy.settle(group)[:] = 999

    assert first == answers(strategy, group) == answers(strategy, anew(group))
    assert not any(array.flags.writeable for array in arrays)
    assert all(map(np.array_equal, arrays, before))


@every_strategy
@given(group=groups())
@tried(40)
def test_what_a_strategy_does_not_see_changes_nothing(strategy: Strategy, group: Group) -> None:
    unseen = [what for what in Sees if what not in strategy.sees]

    changed = [what.name for what in unseen if is_changed(strategy, group, what)]

    assert not changed


@every_strategy
@given(group=groups())
@tried(20)
def test_a_strategy_balances_weights_and_sees_no_lag_beside_them(
    strategy: Strategy, group: Group
) -> None:
    weighed = with_other_lags(group).with_weights(group.lags)

    assert answers(strategy, weighed) == answers(strategy, group)


@cache
def drawn_group(seed: int) -> Group:
    return decode(json.dumps(random_group(seed))).group


def is_changed(strategy: Strategy, group: Group, what: Sees) -> bool:
    return answers(strategy, CHANGES[what](group)) != answers(strategy, group)


@each(lambda strategy: [what for what in Sees if what in strategy.sees])
def test_what_a_strategy_sees_can_change_its_answer(strategy: Strategy, claim: Sees) -> None:
    some = chain([ONE_MUST_GIVE_UP], map(drawn_group, range(100)))

    assert any(is_changed(strategy, group, claim) for group in some)


@each(lambda strategy: [promise for promise in Promise if promise in strategy.promises])
@given(data=st.data())
@tried(40)
def test_every_promise_is_kept(strategy: Strategy, claim: Promise, data: st.DataObject) -> None:
    trial = TRIALS[claim]

    group = data.draw(trial.groups)

    assert trial.is_held(strategy, group, data)


def test_every_promise_there_is_can_be_tried() -> None:
    assert set(TRIALS) == set(Promise)
    assert set(CHANGES) == set(Sees)
