"""Promises about results that vary from call to call, checked against recorded ones."""

import pytest

from assignors.clients.go_sticky import SARAMA, go_sticky, of_sarama_sticky
from assignors.clients.kip_54 import are_claims_clear
from assignors.quotas import held_by_each
from tests.golden_cases import Case, cases


def counts_of(case: Case) -> dict[str, int]:
    counts = held_by_each(go_sticky(case.group), case.group.member_count)
    return {m: n for m, n in zip(case.group.members, counts.tolist(), strict=True) if n}


@pytest.mark.parametrize("strategy", ["sarama-sticky", "franz-go-sticky"])
def test_each_count_is_as_frequent_as_in_every_recorded_result(strategy: str) -> None:
    clear = [case for case in cases(strategy) if are_claims_clear(case.group)]

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


def test_each_member_of_sarama_gets_its_recorded_count() -> None:
    told = [case for case in cases("sarama-sticky") if of_sarama_sticky(case.group) == SARAMA]

    different = [c.record["id"] for c in told if any(s != counts_of(c) for s in c.record["counts"])]

    assert len(told) > 50
    assert not different


def test_whoever_claims_no_more_than_its_count_keeps_all_of_it_under_sarama() -> None:
    told = [case for case in cases("sarama-sticky") if of_sarama_sticky(case.group) == SARAMA]

    lost = [
        (case.record["id"], member["id"])
        for case in told
        for member in case.record["members"]
        if len(member["owned"]) <= counts_of(case).get(member["id"], 0)
        and any(pair not in case.record["always"][member["id"]] for pair in member["owned"])
    ]

    assert not lost
