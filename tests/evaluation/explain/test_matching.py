"""The strategy behind an assignment: exact and nearest matches, ties, and no evidence."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import UNOWNED, Group
from assignors.registry import STRATEGIES
from evaluation.explain.matching import Agreement, Start, which_explains
from tests.evaluation.explain.examples import KIP_49, TWO_TOPICS
from tests.groups import groups, tried


def found_for(group: Group, owners: list[int]) -> Agreement:
    finding = which_explains(group.owned_by(np.array(owners, np.int32)))
    assert finding is not None
    return finding


def exact(finding: Agreement, start: Start) -> set[str]:
    return {m.strategy.name for m in finding.matches if m.is_exact and m.start is start}


@pytest.mark.parametrize("name", ["range", "roundrobin", "fair"])
def test_each_assignment_of_the_table_in_kip_49_is_recognised(name: str) -> None:
    owners = STRATEGIES[name].assign(KIP_49)

    finding = found_for(KIP_49, owners.tolist())

    assert name in exact(finding, Start.AFRESH)
    others = {"range", "roundrobin", "fair"} - {name}
    assert not others & exact(finding, Start.AFRESH)


def test_strategies_that_agree_are_reported_together() -> None:
    owners = STRATEGIES["range"].assign(TWO_TOPICS)

    finding = found_for(TWO_TOPICS, owners.tolist())

    same = exact(finding, Start.AFRESH)
    assert {"range", "server-range", "librdkafka-range"} <= same
    assert int(finding.sentence.split()[0]) == len(same)


def test_a_single_match_is_reported_with_its_client() -> None:
    group = Group.fresh({"t": 5, "u": 5}, members=["C0", "C1"])

    finding = found_for(group, [0, 0, 1, 1, 1] * 2)

    assert exact(finding, Start.AFRESH) == {"kafka-go-range"}


def test_keeping_an_even_assignment_proves_nothing() -> None:
    finding = found_for(Group.fresh({"t": 4}, members=["C0", "C1"]), [1, 0, 0, 1])

    assert not exact(finding, Start.AFRESH)
    assert {"sticky", "cooperative-sticky", "uniform"} <= exact(finding, Start.KEPT)


def test_the_nearest_is_named_with_what_differs() -> None:
    group = Group.fresh({"t": 9}, members=["C0", "C1", "C2"])

    finding = found_for(group, [0, 0, 0, 1, 1, 1, 2, 2, 0])

    nearest = next(m for m in finding.matches if m.start is Start.AFRESH)
    assert nearest.strategy.name == "range"
    assert nearest.differing.tolist() == [8]


def test_exchanged_consumers_are_recognised_as_the_same_sets() -> None:
    finding = found_for(TWO_TOPICS, [1, 1, 0, 1, 1, 0])

    alike = {m.strategy.name for m in finding.matches if m.is_same_split}
    assert {"range", "server-range"} <= alike
    assert not exact(finding, Start.AFRESH) & alike


def test_a_different_split_is_not_the_same_sets() -> None:
    finding = found_for(TWO_TOPICS, [0, 1, 0, 1, 0, 1])

    alike = {m.strategy.name for m in finding.matches if m.is_same_split}
    assert "roundrobin" in alike
    assert "range" not in alike


def test_partitions_without_owner_are_left_out_and_reported() -> None:
    finding = found_for(TWO_TOPICS, [0, 0, 1, 0, UNOWNED, 1])

    assert finding.judged == 5
    assert "range" in exact(finding, Start.AFRESH)


def test_far_from_everything_is_said_to_explain_nothing() -> None:
    finding = found_for(Group.fresh({"t": 4}, members=["C0", "C1", "C2"]), [1, 1, 1, 1])

    afresh = [match for match in finding.matches if match.start is Start.AFRESH]
    assert min(match.differing.size for match in afresh) > finding.judged / 2


def test_without_owners_no_strategy_matches() -> None:
    assert which_explains(TWO_TOPICS) is None


@pytest.mark.parametrize("name", ALL_STRATEGIES)
@tried(20)
@given(group=groups())
def test_a_strategys_new_assignment_is_attributed_to_it(name: str, group: Group) -> None:
    fresh = group.owned_by(group.nobody())
    owners = ALL_STRATEGIES[name].settle(fresh)

    finding = which_explains(fresh.owned_by(owners))

    assert (finding is None) == bool((owners == UNOWNED).all())
    assert finding is None or name in exact(finding, Start.AFRESH)


def test_stale_generations_play_no_part_in_dealing_afresh() -> None:
    owners = STRATEGIES["range"].assign(TWO_TOPICS)
    group = TWO_TOPICS.owned_by(owners, generation=3)
    stale = replace(group, claims=replace(group.claims, generations=np.array([3, 2], np.int64)))

    finding = which_explains(stale)

    assert finding is not None
    assert "range" in exact(finding, Start.AFRESH)


def test_a_strategy_with_unpredictable_owners_is_not_ruled_out_by_them() -> None:
    finding = found_for(TWO_TOPICS, [0, 1, 1, 0, 0, 1])

    assert not exact(finding, Start.AFRESH) & {"uniform-kafka-18688"}
    possible = {match.strategy.name for match in finding.matches if match.is_possible}
    assert {"uniform", "uniform-kafka-18688"} & possible


@pytest.mark.parametrize(
    ("owners", "fits"), [([0, 1, 1], True), ([1, 0, 1], True), ([1, 1, 0], False)]
)
def test_each_possible_answer_of_a_strategy_is_its_own_and_no_other(
    owners: list[int], *, fits: bool
) -> None:
    group = Group.fresh({"a": 1, "b": 2}, members=["c0", "c1"])

    finding = found_for(group, owners)

    assert ("franz-go-sticky" in exact(finding, Start.AFRESH)) == fits
    possible = {match.strategy.name for match in finding.matches if match.is_possible}
    assert "franz-go-sticky" not in possible
