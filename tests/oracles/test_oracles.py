"""The real libraries still return the results in the golden vectors."""

import json
from collections.abc import Mapping, Sequence

import pytest

from assignors.clients.franz_go import less_what_others_claim, possible_answers
from assignors.clients.registry import OTHER_CLIENTS
from assignors.clients.sarama_sticky import SARAMA
from assignors.naming import assignment_of
from sources.group_json import decode
from tests.golden_cases import cases
from tests.oracles.random_groups import random_group
from tests.oracles.toolchains import answers, seen_answers

pytestmark = pytest.mark.proof


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", OTHER_CLIENTS)
def test_the_library_still_returns_the_results_of_the_vectors(name: str) -> None:
    records = [dict(case.record) for case in cases(name) if case.has_answer]

    again = answers(name, records)

    different = [r["id"] for r, found in zip(records, again, strict=True) if found != r["expected"]]
    assert not different


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", ["sarama-sticky", "sarama-cooperative-sticky"])
def test_saramas_distribution_is_the_one_shown_with_equal_subscriptions(name: str) -> None:
    strategy = OTHER_CLIENTS[name]
    drawn = [random_group(seed) for seed in range(600)]
    groups = [decode(json.dumps(each)).group for each in drawn]
    told = [
        (each, group)
        for each, group in zip(drawn, groups, strict=True)
        if strategy.certainty_for(group) == SARAMA
    ]

    different = [
        each["id"]
        for (each, group), seen in zip(
            told, seen_answers(name, [each for each, _ in told]), strict=True
        )
        for answer in seen
        if _counts(answer) != _counts(assignment_of(group, strategy.settle(group)))
    ]

    assert len(told) > 100
    assert not different


def _counts(answer: Mapping[str, Sequence[object]]) -> list[int]:
    return sorted(len(own) for own in answer.values() if own)


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", ["franz-go-sticky", "franz-go-cooperative-sticky"])
def test_franz_go_still_returns_every_result_of_the_vectors(name: str) -> None:
    records = [dict(case.record) for case in cases(name) if not case.group.claims.is_contested]

    again = [sorted(seen, key=json.dumps) for seen in seen_answers(name, records)]

    assert len(records) > 200
    assert again == [record["seen"] for record in records]


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", ["franz-go-sticky", "franz-go-cooperative-sticky"])
def test_franz_go_returns_nothing_that_is_not_predicted_in_groups_never_recorded(name: str) -> None:
    drawn = [random_group(seed) for seed in range(1_000, 1_300)]
    groups = [decode(json.dumps(each)).group for each in drawn]
    adjusted = less_what_others_claim if "cooperative" in name else (lambda _, owners: owners)

    wrong, unequal = [], 0
    for each, group, seen in zip(drawn, groups, seen_answers(name, drawn), strict=True):
        possible = [assignment_of(group, adjusted(group, one)) for one in possible_answers(group)]
        unequal += bool(possible) and not group.layout.has_equal_subscriptions
        told = [_tidy(one) for one in possible]
        wrong += [each["id"] for one in seen if told and _tidy(one) not in told]

    assert unequal > 80
    assert not wrong


def _tidy(answer: Mapping[str, Sequence[Sequence[object]]]) -> dict[str, list[tuple[object, ...]]]:
    return {member: [tuple(pair) for pair in own] for member, own in answer.items() if own}
