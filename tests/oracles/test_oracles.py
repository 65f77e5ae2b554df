"""The real libraries are asked the golden vectors anew, where their toolchains stand."""

import json
from typing import Final

import pytest

from assignors.clients.franz_go import franz_go_answers
from assignors.clients.go_sticky import SARAMA
from assignors.clients.registry import OTHER_CLIENTS
from assignors.numbering import assignment_of
from sources.group_json import decode
from tests.golden_cases import cases
from tests.oracles.random_groups import random_group
from tests.oracles.toolchains import answers, seen_answers

_CASES: Final = 400


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", OTHER_CLIENTS)
def test_the_library_still_answers_as_the_vectors_say(name: str) -> None:
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
def test_franz_go_gives_only_the_answers_that_are_possible() -> None:
    drawn = [random_group(seed) for seed in range(_CASES, 4 * _CASES)]
    few = 0

    for record, seen in zip(drawn, seen_answers("franz-go-sticky", drawn), strict=True):
        group = decode(json.dumps(record)).group
        possible = [
            {member: [*map(list, own)] for member, own in assignment_of(group, each).items() if own}
            for each in franz_go_answers(group)
        ]
        if possible:
            assert all(answer in possible for answer in seen), record["id"]
            few += 1

    assert few > 100
