"""The one rule of advice, each clause by hand."""

import math
from dataclasses import replace

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.options import Option
from evaluation.answering.rule import (
    Circumstances,
    after_switches,
    decided,
    proposed,
    why_not,
)
from evaluation.answering.why_not import WhyNot
from evaluation.takes import Takes

KEEP = Option(action=Action.KEEP, takes=Takes.NOTHING, busiest=10_000)
BESIDE = Circumstances(keep=KEEP)


def switch(busiest: int, reliability: float = 1.0, **rest: object) -> Option:
    """Return a switch by a setting that brings the busiest consumer to this load."""
    option = Option(
        action=Action.SWITCH,
        takes=Takes.SETTING,
        busiest=busiest,
        gain=1 - busiest / 10_000,
        reliability=reliability,
        moves=10,
    )
    return replace(option, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("busiest", "reliability", "expected"),
    [
        (9_500, 0.9, None),
        (9_501, 0.9, WhyNot.TOO_LITTLE),
        (9_500, 0.89, WhyNot.TOO_LITTLE),
        (11_000, 0.0, WhyNot.TOO_LITTLE),
    ],
)
def test_it_takes_5_percent_off_in_nine_restarts_of_ten(
    busiest: int, reliability: float, expected: WhyNot | None
) -> None:
    assert why_not(switch(busiest, reliability), BESIDE) is expected


def test_nothing_is_proposed_under_which_the_backlog_never_ends() -> None:
    option = switch(5_000, ends_s=math.inf)

    assert why_not(option, BESIDE) is WhyNot.NEVER_ENDS


def test_what_ends_a_backlog_that_never_ends_otherwise_needs_no_gain() -> None:
    beside = replace(BESIDE, keep=replace(KEEP, ends_s=math.inf))

    assert why_not(switch(9_990, 0.0, ends_s=60.0), beside) is None


@pytest.mark.parametrize(
    ("circumstance", "expected"),
    [
        ("is_hindered", WhyNot.CAUSE_STANDS),
        ("is_cause_open", WhyNot.CAUSE_OPEN),
        ("has_just_changed", WhyNot.JUST_REBALANCED),
    ],
)
def test_no_strategy_is_proposed_while_a_cause_stands_or_is_open(
    circumstance: str, expected: WhyNot
) -> None:
    beside = Circumstances(keep=KEEP, **{circumstance: True})

    assert why_not(switch(100), beside) is expected


def test_where_all_keep_up_there_is_no_reason_to_switch() -> None:
    beside = replace(BESIDE, all_keep_up=True)

    assert why_not(switch(100), beside) is WhyNot.NEGLIGIBLE
    endless = replace(beside, keep=replace(KEEP, ends_s=math.inf))
    assert why_not(switch(100, ends_s=9.0), endless) is None


def test_lag_alone_is_no_reason_to_stop_all_consumers_from_now_on() -> None:
    beside = replace(BESIDE, stops_only_moves=True)
    eager = switch(5_000, stops_all=True)

    assert why_not(eager, beside) is WhyNot.STOPS_ALL
    assert why_not(eager, replace(beside, weighs_arrivals=True)) is None


def test_from_one_snapshot_neither_a_jar_is_proposed_nor_what_stops_all() -> None:
    beside = replace(BESIDE, is_one_snapshot=True)
    jar = switch(5_000, takes=Takes.JAR)
    eager = switch(5_000, stops_all=True)

    assert why_not(jar, beside) is WhyNot.ONE_SNAPSHOT
    assert why_not(eager, beside) is WhyNot.ONE_SNAPSHOT
    assert why_not(replace(eager, takes=Takes.NOTHING), beside) is None  # it runs already
    assert why_not(switch(5_000), beside) is None
    assert why_not(jar, BESIDE) is None
    assert why_not(eager, BESIDE) is None
    in_doubt = replace(beside, hangs_on_assumption=True)
    assert why_not(jar, in_doubt) is WhyNot.RESTS_ON_ASSUMPTION


def test_a_rebalance_of_what_runs_comes_before_a_near_equal_switch() -> None:
    runs = switch(5_400, moves=20, stops_all=True, takes=Takes.NOTHING)
    near, better = switch(5_000, moves=1), switch(4_899, moves=1)

    assert proposed([near, runs], KEEP) is runs
    assert [o.why_not for o in decided([near, runs], BESIDE)] == [WhyNot.REBALANCE_FIRST, None]
    assert proposed([better, runs], KEEP) is better


def test_a_setting_comes_before_a_jar() -> None:
    jar = switch(1_000, takes=Takes.JAR)
    setting = switch(9_000)

    assert proposed([jar, setting], KEEP) is setting
    assert proposed([jar], KEEP) is jar


def test_what_no_release_of_today_has_is_never_proposed() -> None:
    old = switch(1_000, takes=Takes.EARLIER_RELEASE)

    assert [o.why_not for o in decided([old, switch(9_000)], BESIDE)] == [
        WhyNot.NOT_SHIPPED,
        None,
    ]
    assert [o.why_not for o in decided([old], BESIDE)] == [WhyNot.NOT_SHIPPED]


def test_among_near_equals_the_fewest_moves_win_then_no_pause() -> None:
    least = switch(5_000, moves=100)
    near = switch(5_499, moves=20, stops_all=True)
    calm = switch(5_450, moves=20)
    far = switch(5_501, moves=1)

    assert proposed([least, near, calm, far], KEEP) is calm


def test_what_fails_the_rule_is_never_proposed() -> None:
    options = decided([switch(9_900), switch(5_000, ends_s=math.inf)], BESIDE)

    assert [o.why_not for o in options] == [WhyNot.TOO_LITTLE, WhyNot.NEVER_ENDS]
    assert proposed(options, KEEP) is None


MOVE = Option(
    action=Action.MOVE, takes=Takes.JAR, busiest=5_000, gain=0.5, reliability=1.0, moves=1
)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (switch(1_000, takes=Takes.JAR), WhyNot.SETTING_FIRST),
        (switch(5_501, moves=1), WhyNot.MORE_LOAD),
        (switch(5_499, moves=11), WhyNot.MORE_MOVES),
        (switch(4_999, moves=11), WhyNot.MORE_MOVES),
        (switch(5_000, stops_all=True), WhyNot.MORE_STOPS),
        (switch(5_001), WhyNot.MORE_LOAD),
        (switch(4_999, takes=Takes.JAR), WhyNot.SETTING_FIRST),
        (switch(5_000), WhyNot.EQUAL),
        (MOVE, WhyNot.SWITCH_FIRST),
        (switch(9_501), WhyNot.TOO_LITTLE),
    ],
)
def test_what_loses_to_the_proposal_says_by_what(other: Option, expected: WhyNot) -> None:
    options = decided([switch(5_000), other], BESIDE)

    assert [o.why_not for o in options] == [None, expected]
    assert proposed(options, KEEP) is options[0]


def test_a_few_moves_beside_no_switch_take_a_jar_and_the_present_owners_need_no_reason() -> None:
    options = decided([KEEP, MOVE, switch(9_501)], BESIDE)

    assert [o.why_not for o in options] == [None, WhyNot.ONLY_BY_JAR, WhyNot.TOO_LITTLE]


def test_a_remedy_comes_after_a_switch_and_keeps_the_reason_that_it_has() -> None:
    wait = Option(action=Action.WAIT)
    more = Option(action=Action.ADD_CONSUMERS, why_not=WhyNot.ENDS_WITHOUT)

    assert [o.why_not for o in after_switches([wait, more], None)] == [None, WhyNot.ENDS_WITHOUT]
    assert [o.why_not for o in after_switches([wait, more], switch(1))] == [
        WhyNot.SWITCH_FIRST,
        WhyNot.ENDS_WITHOUT,
    ]
