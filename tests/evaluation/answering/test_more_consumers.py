"""How many consumers stop a backlog from growing, how many clear it, and where none do."""

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.options import Option
from evaluation.answering.words import words_of
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case


def read(owners: list[int], arriving: list[float], reading: list[float], lag: int = 40_000) -> Case:
    """Return the case of partitions that get and are read at these records/s, for a minute."""
    first = [lag + 1_000] * len(owners), [1_000] * len(owners)
    ends, at = (
        [start + round(60 * rate) for start, rate in zip(starts, rates, strict=True)]
        for starts, rates in zip(first, (arriving, reading), strict=True)
    )
    return case(owners, first, (ends, at))


def proposal(found: Case) -> Option:
    assert found.answer.proposal is not None
    return found.answer.proposal


def test_the_number_that_only_stops_the_growth_is_told_beside_the_one_that_clears_it() -> None:
    # 10 partitions of 20/s, and one consumer that reads 100/s: two read just the 200/s.
    found = read([0] * 10, [20.0] * 10, [10.0] * 10, lag=4_000)

    more = proposal(found)
    assert found.answer.verdict.figures.needed_consumers == 2
    assert (more.action, more.least, more.consumers) == (Action.ADD_CONSUMERS, 2, 3)
    assert more.ends_s == pytest.approx((10 * 4_000 + 60 * 100) / 100)
    assert "at least 2 consumers" in words_of(found.answer).action
    assert "with 3 consumers" in words_of(found.answer).action


@pytest.mark.parametrize("members", [4, 2])
def test_where_every_partition_gets_as_much_no_key_is_hot(members: int) -> None:
    # One consumer reads 100/s of a partition that gets 150/s, as all do.
    found = read([k % members for k in range(4)], [150.0] * 4, [25.0 * members] * 4)

    assert found.answer.verdict.kind is VerdictKind.FULL
    assert proposal(found).action is Action.ADD_CONSUMERS
    assert proposal(found).consumers is None
    assert "more partitions" in words_of(found.answer).action


def test_a_partition_that_gets_far_more_than_others_has_keys_to_split() -> None:
    # All consumers read 100/s and are full: 200/s arrive for c0 in t-0, and 120/s for each other.
    rates = [200.0] + [60.0] * 6
    found = read([0, 1, 1, 2, 2, 3, 3], rates, [100.0] + [50.0] * 6)

    assert found.answer.verdict.kind is VerdictKind.FULL
    assert proposal(found).action is Action.SPLIT_KEYS
    assert proposal(found).partitions == (0,)
