"""The real libraries still return the results in the golden vectors."""

import json

import pytest

from assignors.clients.go_sticky import SARAMA
from assignors.clients.registry import OTHER_CLIENTS
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
def test_whoever_owns_no_more_than_its_count_keeps_it_under_sarama() -> None:
    strategy = OTHER_CLIENTS["sarama-sticky"]
    drawn = [random_group(seed) for seed in range(600)]
    clear = [g for g in drawn if strategy.certainty_for(decode(json.dumps(g)).group) == SARAMA]

    lost = [
        (group["id"], member["id"])
        for group, seen in zip(clear, seen_answers("sarama-sticky", clear), strict=True)
        for answer in seen
        for member in group["members"]
        for own in [answer.get(member["id"], [])]
        if len(member["owned"]) <= len(own) and any(pair not in own for pair in member["owned"])
    ]

    assert len(clear) > 50
    assert not lost


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", ["franz-go-sticky", "franz-go-cooperative-sticky"])
def test_franz_go_still_returns_every_result_of_the_vectors(name: str) -> None:
    records = [dict(case.record) for case in cases(name) if not case.group.is_contested]

    again = [sorted(seen, key=json.dumps) for seen in seen_answers(name, records)]

    assert len(records) > 200
    assert again == [record["seen"] for record in records]
