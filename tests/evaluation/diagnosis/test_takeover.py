"""What waits of consumers that have just taken over: of a deploy, or of one that is gone."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
from evaluation.answering.compose import answer_of
from evaluation.answering.why_not import WhyNot
from evaluation.diagnosis.findings import Slower, Stopped, TakenOver
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case
from tests.answers import NextRebalance


def seen(owners: Sequence[str], at_s: Sequence[int], read: Sequence[Sequence[int]]) -> Case:
    """Return snapshots of partitions that get 100/s each, by their owners, one letter each.

    ``read`` has how many records of each were read by then.
    """
    groups = []
    for ids, seconds, done in zip(owners, at_s, read, strict=True):
        members = sorted({*ids} - {"-"})
        ends = np.full(len(ids), 101_050 + 100 * seconds)
        committed = np.add(done, 101_000)
        groups.append(
            Group.of(
                ["t"], [len(ids)], members, lags=ends - committed,
                owners=[members.index(each) if each != "-" else -1 for each in ids],
            ).with_offsets(end=ends, committed=committed)
        )  # fmt: skip
    moments = (Moment.of(*each) for each in zip(groups, map(float, at_s), strict=True))
    return Case(groups[-1], OffsetHistory(tuple(moments)))


@pytest.mark.parametrize("between", [["---"], []])
def test_who_has_just_started_after_a_deploy_has_not_stopped(between: list[str]) -> None:
    at_s = [0, *(20 for _ in between), 40]

    found = seen(["abc", *between, "ABC"], at_s, [[0] * 3] * len(at_s))

    (new,) = found.findings
    assert isinstance(new, TakenOver)
    assert (new.members, new.partitions, new.lag, new.since_s) == ((0, 1, 2), (0, 1, 2), 12_150, 0)
    verdict = found.answer.verdict
    assert (verdict.kind, verdict.severity) == (VerdictKind.TAKEN_OVER, Severity.UNKNOWN)


def test_who_has_started_and_reads_nothing_for_half_a_minute_has_stopped() -> None:
    found = seen(["abc", "ABC", "ABC"], [0, 40, 70], [[0] * 3] * 3)

    assert found.causes == (Stopped,)


def test_a_deploy_that_replaces_one_after_another_tells_no_rates_yet() -> None:
    # Each partition stands for the 20 s in which its owner is replaced; 9,050 waited before.
    read = [[0, 0, 0], [0, 2_000, 2_000], [2_000, 2_000, 4_000], [4_000, 4_000, 4_000]]
    found = seen(
        ["abc", "Abc", "ABc", "ABC"],
        [0, 20, 40, 60],
        [[one - 9_000 for one in each] for each in read],
    )

    (new,) = found.findings
    assert isinstance(new, TakenOver)
    assert new.partitions == (0, 1, 2)
    assert answer_of(found.given, NextRebalance()).verdict.kind is VerdictKind.TAKEN_OVER


def test_what_was_taken_over_from_one_that_is_gone_is_caught_up_at_the_rates_since() -> None:
    # d stood for two minutes; a has read 200/s of its t-3 for 90 s, where 100/s arrive.
    others = [0, 6_000, 12_000, 21_000]
    found = seen(
        ["abcd", "abcd", "abca", "abca"],
        [0, 60, 120, 210],
        [[each, each, each, 18_000 if each == others[-1] else 0] for each in others],
    )

    (up,) = found.findings
    answer = answer_of(found.given, NextRebalance())

    assert isinstance(up, TakenOver)
    assert (up.members, up.partitions) == ((0,), (3,))
    assert (up.arriving, up.reading, up.over_s) == (100.0, 200.0, 30.5)
    assert answer.verdict.kind is VerdictKind.CATCHING_UP
    assert answer.proposal is not None
    assert answer.proposal.action is Action.WAIT  # it has rebalanced already
    assert {o.why_not for o in answer.strategies} == {WhyNot.JUST_REBALANCED}


@pytest.mark.parametrize(("lag", "kind"), [(1_000, None), (1_001, VerdictKind.TAKEN_OVER)])
def test_what_each_reads_in_one_poll_is_no_verdict(lag: int, kind: VerdictKind | None) -> None:
    new = TakenOver(
        members=(0, 1), partitions=(0, 1), lag=lag, arriving=10, reading=0, over_s=math.nan
    )

    assert new.kind is kind


def test_who_falls_further_behind_for_more_than_a_minute_is_not_excused() -> None:
    # All new at 60 s; since then each reads 50/s.
    read = [0, 6_000, 9_000, 12_000]

    found = seen(["abc", "ABC", "ABC", "ABC"], [0, 60, 120, 180], [[each] * 3 for each in read])

    assert found.causes == (Slower,)


def test_who_stood_while_it_was_deployed_does_not_pause_between_commits() -> None:
    # It was new at 60 s, stood for 10 s more then, and stands for 40 s now.
    found = seen(
        ["a", "b", "b", "b", "b"], [0, 60, 70, 100, 140], [[0], [0], [1_000], [4_000], [4_000]]
    )

    assert found.times.pauses is not None
    assert found.times.pauses.longest_s.tolist() == [0]
    assert found.causes == (Stopped,)


@pytest.mark.parametrize(("later_s", "is_told"), [(600, True), (3_600, False)])
def test_who_owns_it_for_an_hour_has_not_just_taken_over(later_s: int, *, is_told: bool) -> None:
    at_s = [0, 60, 60 + later_s]
    done = [
        [0, 0, 0],
        [6_000, 0, 6_000],
        [6_000 + 100 * later_s, 101 * later_s, 6_000 + 100 * later_s],
    ]

    found = seen(["abc", "aCc", "aCc"], at_s, done)

    assert any(isinstance(each, TakenOver) for each in found.findings) is is_told
