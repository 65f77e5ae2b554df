"""Promises about results that vary from call to call, checked against recorded ones."""

from assignors.clients.kip_54 import are_claims_clear
from assignors.clients.sarama_sticky import SARAMA, of_sarama_sticky, sarama_sticky
from assignors.quotas import held_by_each
from tests.golden_cases import Case, cases


def counts_of(case: Case) -> dict[str, int]:
    counts = held_by_each(sarama_sticky(case.group), case.group.member_count)
    return {m: n for m, n in zip(case.group.members, counts.tolist(), strict=True) if n}


def test_each_count_is_as_frequent_as_in_every_recorded_result() -> None:
    clear = [case for case in cases("sarama-sticky") if are_claims_clear(case.group)]

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


def test_saramas_distribution_is_called_certain_with_equal_subscriptions_alone() -> None:
    told = [case for case in cases("sarama-sticky") if of_sarama_sticky(case.group) == SARAMA]

    different = [
        case.record["id"]
        for case in told
        for seen in case.record["counts"]
        if sorted(seen.values()) != sorted(counts_of(case).values())
    ]

    assert len(told) > 100
    assert all(case.group.layout.has_equal_subscriptions for case in told)
    assert not different


def test_no_stated_share_is_larger_than_that_of_the_recorded_groups() -> None:
    right: dict[float, list[bool]] = {}
    for case in cases("sarama-sticky"):
        share = of_sarama_sticky(case.group).share
        if share is not None:
            own = sorted(counts_of(case).values())
            is_right = all(sorted(seen.values()) == own for seen in case.record["counts"])
            right.setdefault(share, []).append(is_right)

    assert right
    for share, came_true in right.items():
        assert sum(came_true) / len(came_true) >= share - 0.05
