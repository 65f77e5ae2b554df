"""What happened to the consumers between snapshots: one event, or one after another."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.compose import answer_of
from evaluation.answering.fields import fields_of
from evaluation.answering.why_not import WhyNot
from evaluation.diagnosis.findings import KeepsRebalancing
from evaluation.diagnosis.turnover import Turnover
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case
from tests.answers import NextRebalance


def seen(owners: Sequence[str], step_s: float = 60.0, waits: int = 6_000) -> Case:
    """Return snapshots of partitions by their owners, one letter each, ``step_s`` apart.

    Each partition gets 100/s and is read as fast; ``waits`` records wait in it.
    """
    groups = []
    for k, ids in enumerate(owners):
        members = sorted({*ids} - {"-"})
        ends = np.full(len(ids), 10_000 + int(100 * step_s) * k)
        groups.append(
            Group.of(
                ["t"], [len(ids)], members, lags=np.full(len(ids), waits),
                owners=[members.index(each) if each != "-" else -1 for each in ids],
            ).with_offsets(end=ends, committed=ends - waits)
        )  # fmt: skip
    moments = (Moment.of(group, step_s * k) for k, group in enumerate(groups))
    return Case(groups[-1], OffsetHistory(tuple(moments)))


@pytest.mark.parametrize(
    ("owners", "changes", "events"),
    [
        (["abcd", "Abcd", "ABcd", "ABCd", "ABCD"], 4, 1),  # a deploy, one by one
        (["abcd", "ABCD"], 1, 1),  # a deploy, all at once
        (["abcabc", "abaabb", "abCabC", "abCabC"], 2, 1),  # one restart
        (["abcabc", "abaabb", "abcabc", "abcabc"], 2, 1),  # one that comes back under its id
        (["abcd", "abca", "abab"], 2, 1),  # two leave
        (["aaaa", "abab", "abca", "abcd"], 3, 1),  # others join step by step
        (["aaaa", "abab", "aaaa"], 2, 2),  # somebody comes and leaves
        (["abcd", "ABCD", "wxyz"], 2, 2),  # two deploys
        (["abc", "abx", "aby", "abz"], 3, 3),  # one restarts again and again
        (["abcabc", "ababab", "abcabc", "ababab", "abcabc", "ababab"], 5, 3),  # one flaps
        (["abc", "bca", "cab", "abc"], 3, 3),  # among the same: they left and came unseen
        (["abc", "abc"], 0, 0),
    ],
)
def test_nobody_leaves_in_an_event_who_came_in_it(
    owners: list[str], changes: int, events: int
) -> None:
    turnover = Turnover.of(seen(owners).history)

    assert (turnover.changes, turnover.events) == (changes, events)


def test_the_second_round_of_a_cooperative_rebalance_is_no_event() -> None:
    # c joins and gets what the others gave up 20 s before.
    rounds = ["abababc", "aba--bc", "abaccbc"]
    joins = ["ababab", "aba-ab", "abacab"]

    assert Turnover.of(seen(rounds, 20.0).history).events == 1
    assert Turnover.of(seen(joins, 20.0).history).events == 1
    assert Turnover.of(seen(rounds, 60.0).history).events == 2


def test_only_the_latest_changes_count_each_within_a_quarter_of_an_hour() -> None:
    # A change an hour before the others.
    case = seen(["abc", "abd", "abe", "abf", "abg"])
    times_s = (0.0, 3_600.0, 7_200.0, 7_260.0, 7_320.0)
    moments = (
        moment._replace(at_s=at_s)
        for moment, at_s in zip(case.history.moments, times_s, strict=True)
    )

    turnover = Turnover.of(OffsetHistory(tuple(moments)))

    assert (turnover.changes, turnover.events, turnover.since_s) == (3, 3, 3_720)


def test_owners_that_stay_for_longer_than_between_two_changes_have_come_to_rest() -> None:
    flaps = ["abx", "aby", "abx", "aby", "abx"]

    for calm, goes_on in ((0, True), (1, True), (2, False)):
        history = seen(flaps + flaps[-1:] * calm).history
        moments = tuple(moment._replace(at_s=math.nan) for moment in history.moments)
        assert Turnover.of(history).goes_on == goes_on
        assert Turnover.of(OffsetHistory(moments)).goes_on == goes_on


@pytest.mark.parametrize(
    ("owners", "is_told"),
    [
        (["abcd", "Abcd", "ABcd", "ABCd", "ABCD"], False),
        (["abcabc", "abaabb", "abCabC", "abCabC"], False),
        (["aaaa", "abab", "aaaa"], False),
        (["abc", "abx", "aby", "abz"], True),
        (["abc", "abx", "aby", "abz", "abz", "abz"], False),
    ],
)
def test_three_events_are_a_group_that_keeps_rebalancing_until_it_rests(
    owners: list[str], *, is_told: bool
) -> None:
    behind, calm = seen(owners), seen(owners, waits=10)

    assert (KeepsRebalancing in behind.causes) == is_told
    assert (behind.answer.verdict.kind is VerdictKind.KEEPS_REBALANCING) == is_told
    assert (calm.answer.verdict.kind is VerdictKind.REBALANCES_OFTEN) == is_told


@pytest.mark.parametrize(
    ("runs", "is_named"), [("range", True), ("sticky", True), ("cooperative-sticky", False)]
)
def test_what_pauses_less_is_named_where_an_eager_group_keeps_rebalancing(
    runs: str, *, is_named: bool
) -> None:
    case = seen(["abc", "abx", "aby", "abz"])
    given = replace(case.given, strategy=runs)

    found = answer_of(given, NextRebalance())

    reasons = {o.strategy.name: o.why_not for o in found.strategies if o.strategy is not None}
    calmer = {name for name, why in reasons.items() if why is WhyNot.CAUSE_FIRST}
    assert calmer.issuperset({"cooperative-sticky"} if is_named else ())
    assert not calmer & {"range", "roundrobin", "sticky"}
    assert bool(calmer) == is_named
    fields = fields_of(found)
    assert ("calmer" in fields, "can_be_static" in fields) == (is_named, True)


def test_changes_of_which_only_checksums_are_known_may_be_one_event() -> None:
    history = seen(["abc", "Abc", "ABc", "ABC"], 120.0).history
    checksums = replace(history, moments=tuple(m._replace(held=None) for m in history.moments))

    found = Turnover.of(checksums)

    assert (found.changes, found.events) == (3, 1)
