"""Lag that follows a consumer, in one snapshot, is told from lag that follows partitions."""

from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
from evaluation.diagnosis.findings import LagConcentrated, LagSpread
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case


def lagging(owners: Sequence[int], lags: Sequence[int]) -> Case:
    return case(owners, ([1_000 + lag for lag in lags], [1_000] * len(lags)))


def test_one_of_ten_consumers_whose_every_partition_lags_is_the_cause_and_no_switch_helps() -> None:
    # c0 has half of the lag: 900 in each of its 20 partitions, and 100 in every other one.
    found = lagging([k % 10 for k in range(200)], [900 if k % 10 == 0 else 100 for k in range(200)])

    (finding,) = found.findings
    assert isinstance(finding, LagConcentrated)
    assert (finding.members, len(finding.partitions), finding.share) == ((0,), 20, 0.5)
    assert found.answer.verdict.kind is VerdictKind.TOO_LITTLE_KNOWN
    assert found.answer.proposal is not None
    assert found.answer.proposal.action is Action.ADD_SNAPSHOT


@pytest.mark.parametrize(
    "lags",
    [
        [0, 5_000, 10_000, 15_000, 20_000, 25_000],  # 80 % on the second of two
        [1_000, 1_000, 1_000, 6_000, 6_000, 6_000],
    ],
)
def test_of_two_consumers_the_one_whose_partitions_all_lag_more_is_the_cause(
    lags: list[int],
) -> None:
    (finding,) = lagging([0, 0, 0, 1, 1, 1], lags).findings

    assert isinstance(finding, LagConcentrated)
    assert (finding.members, finding.partitions) == ((1,), (3, 4, 5))


@pytest.mark.parametrize(
    "lags",
    [
        [9_000, 8_000, 8_500, 7_500, 300, 250],  # another consumer's partition lags as much
        [20_000, 20_000, 900, 1_000, 1_000, 1_000],  # one of its own does not
        [2_500, 2_500, 2_500, 1_000, 1_000, 1_000],  # not far from what is usual
    ],
)
def test_lag_that_partitions_have_is_no_matter_of_their_consumer(lags: list[int]) -> None:
    (finding,) = lagging([0, 0, 0, 1, 1, 1], lags).findings

    assert isinstance(finding, LagSpread)


def test_a_consumer_of_one_partition_does_not_tell_whose_the_lag_is() -> None:
    (finding,) = lagging([0, 1, 2, 3], [4_000, 1_300, 1_300, 1_500]).findings

    assert isinstance(finding, LagSpread)


@pytest.mark.parametrize(
    ("rates", "is_open"),
    [([300.0, 10.0, 10.0] * 3, False), ([30.0] * 9, True), ([300.0, 10.0, np.nan] * 3, True)],
)
def test_lag_in_few_hands_is_no_riddle_where_most_is_known_to_arrive_there(
    rates: list[float], *, is_open: bool
) -> None:
    # x owns the first partition of three topics, in which 900/s of 960/s arrive.
    group = Group.of(
        ["a", "b", "c"],
        [3, 3, 3],
        ["x", "y", "z"],
        owners=[0, 1, 2] * 3,
        lags=[9_000, 0, 0] * 3,
        rates=rates,
    )

    found = Case(group, OffsetHistory())

    assert [isinstance(each, LagConcentrated) for each in found.findings] == [True] * is_open
    assert (found.answer.verdict.kind is VerdictKind.TOO_LITTLE_KNOWN) == is_open
