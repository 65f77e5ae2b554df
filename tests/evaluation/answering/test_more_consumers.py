"""How many consumers stop a backlog from growing, how many clear it, and where none do."""

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.consumers_needed import consumers_needed
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


@pytest.mark.parametrize(
    ("arriving", "lag", "least", "consumers"),
    [
        (100.0, 4_000, 4, 5),  # 1,200/s and 110/s of the backlog, at 300/s each
        (100.0, 40_000, 4, 12),  # 169/s of each partition: no consumer reads two in time
        (130.0, 4_000, 6, 6),  # two partitions of 142/s each
    ],
)
def test_the_number_that_clears_the_backlog_is_the_one_that_consumers_needed_has(
    arriving: float, lag: int, least: int, consumers: int
) -> None:
    found = read([k % 3 for k in range(12)], [arriving] * 12, [75.0] * 12, lag)

    needed = consumers_needed(found.answer)

    assert (proposal(found).least, proposal(found).consumers) == (least, consumers)
    assert needed.fewest == consumers


def test_a_backlog_that_hardly_shrinks_takes_no_more_consumers_than_partitions() -> None:
    # Each of three reads 102/s of 100/s: 6 M records take 11 days, and no fourth gets a partition.
    found = read([0, 1, 2], [100.0] * 3, [102.0] * 3, lag=2_000_000)

    assert found.answer.verdict.kind is VerdictKind.CLEARS_SLOWLY
    assert proposal(found).action is Action.ADD_CONSUMERS
    assert proposal(found).consumers is None
    assert "more partitions" in words_of(found.answer).action


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
