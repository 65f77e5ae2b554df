"""What follows from a group and what is stated of it: what judges it, and what is an alarm."""

import pytest

from assignors.catalogue import strategy_called
from assignors.model import Group
from evaluation.answering.given import Given, Statements, known_of
from evaluation.answering.verdicts import Verdict
from evaluation.assuming.clients import ForeignStrategyError
from evaluation.judging import JudgeBy
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind


@pytest.mark.parametrize(
    ("asked", "rate", "judged"),
    [
        (None, None, JudgeBy.LAG),
        (JudgeBy.WORK, None, JudgeBy.LAG),  # nothing tells what arrives
        (None, 10.0, JudgeBy.WORK),
        (JudgeBy.LAG, 10.0, JudgeBy.LAG),
        (JudgeBy.RATE, 10.0, JudgeBy.RATE),
    ],
)
def test_an_answer_judges_by_what_was_asked_where_that_is_known(
    asked: JudgeBy | None, rate: float | None, judged: JudgeBy
) -> None:
    group = Group.fresh({"t": 2}, ["c"], lags={"t": [30, 10]})

    known = known_of(Given(group=group, stated=Statements(judge_by=asked, arriving=rate)))

    assert known.measure.by is judged


def test_a_warning_is_an_alarm_and_advice_is_none() -> None:
    alarms = {kind for kind in VerdictKind if Verdict(kind=kind).is_alarm}

    assert {Verdict(kind=kind).severity for kind in alarms} == {Severity.WARNING, Severity.ALARM}


def test_a_group_cannot_be_said_to_run_a_strategy_of_another_client() -> None:
    foreign = Statements(runs=strategy_called("librdkafka-range"))

    with pytest.raises(ForeignStrategyError, match="'librdkafka-range' in Java"):
        Given(group=Group.fresh({"t": 1}, ["c"]), stated=foreign)
