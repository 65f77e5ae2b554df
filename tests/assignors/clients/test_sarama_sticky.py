"""Promises about results that vary from call to call, checked against recorded ones."""

import numpy as np
import pytest

from assignors.clients.kip_54 import are_claims_clear
from assignors.clients.registry import OTHER_CLIENTS
from assignors.clients.sarama_sticky import (
    SARAMA,
    of_sarama_sticky,
    sarama_cooperative_sticky,
    sarama_sticky,
)
from assignors.model import Group
from assignors.quotas import held_by_each
from tests.golden_cases import Case, cases

BOTH = pytest.mark.parametrize("name", ["sarama-sticky", "sarama-cooperative-sticky"])


def counts_of(case: Case) -> dict[str, int]:
    """Return what both strategies end at; the cooperative one after its last round."""
    counts = held_by_each(sarama_sticky(case.group), case.group.member_count)
    return {m: n for m, n in zip(case.group.members, counts.tolist(), strict=True) if n}


@pytest.mark.slow
@BOTH
def test_each_count_is_as_frequent_as_in_every_recorded_result(name: str) -> None:
    clear = [case for case in cases(name) if are_claims_clear(case.group)]

    different = [
        case.record["id"]
        for case in clear
        if any(
            sorted(seen.values()) != sorted(counts_of(case).values())
            for seen in case.record["counts"]
        )
    ]

    assert len(clear) > 100
    assert not different


@pytest.mark.slow
@BOTH
def test_saramas_distribution_is_called_certain_with_equal_subscriptions_alone(name: str) -> None:
    told = [case for case in cases(name) if of_sarama_sticky(case.group) == SARAMA]

    different = [
        case.record["id"]
        for case in told
        for seen in case.record["counts"]
        if sorted(seen.values()) != sorted(counts_of(case).values())
    ]

    assert len(told) > 100
    assert all(case.group.layout.has_equal_subscriptions for case in told)
    assert not different


@pytest.mark.slow
@BOTH
def test_no_stated_share_is_larger_than_that_of_the_recorded_groups(name: str) -> None:
    right: dict[float, list[bool]] = {}
    for case in cases(name):
        share = of_sarama_sticky(case.group).share
        if share is not None:
            own = sorted(counts_of(case).values())
            is_right = all(sorted(seen.values()) == own for seen in case.record["counts"])
            right.setdefault(share, []).append(is_right)

    assert right
    for share, came_true in right.items():
        assert sum(came_true) / len(came_true) >= share - 0.05


def test_a_cooperative_consumer_first_gives_up_what_moves() -> None:
    strategy = OTHER_CLIENTS["sarama-cooperative-sticky"]
    group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))

    assert sarama_cooperative_sticky(group).tolist() == [-1, 0, 0]
    assert strategy.settle(group).tolist() == [1, 0, 0]


def test_a_cooperative_consumer_keeps_what_another_claims_as_well() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"]).claimed_by([[0], [0, 1]], [2, 1])

    assert sarama_cooperative_sticky(group).tolist() == [0, 1]
