"""Whatever the group and its snapshots: the answer's parts agree with each other, and its words."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.options import Option
from evaluation.answering.why_not import WhyNot
from evaluation.answering.words import words_of
from evaluation.comparing.worth import RELIABLE, WORTH
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.doors.drawn import texts_of_groups
from tests.groups import tried
from tests.pasted import the_group

pytestmark = pytest.mark.slow
_STRATEGY_HELPS = {VerdictKind.NEVER_CATCHES_UP, VerdictKind.NOBODY_READS}


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    """Draw the answer on such a group."""
    return answer_of(given_of(the_group(draw(texts_of_groups()))))


@given(answers())
@tried(60)
def test_a_proposed_switch_obeys_the_rule(answer: Answer) -> None:
    proposal, keep = answer.proposal, answer.keep
    if proposal is None or proposal.action is not Action.SWITCH:
        return

    assert proposal.why_not is None
    assert proposal.ends_s is None or math.isfinite(proposal.ends_s)
    if keep is None:
        return
    is_gain = (proposal.reliability or 0) >= RELIABLE and (proposal.gain or 0) >= WORTH
    ends_it = keep.ends_s is not None and math.isinf(keep.ends_s)
    assert is_gain or ends_it or _unowned(proposal) < _unowned(keep)


@given(answers())
@tried(60)
def test_an_alarm_that_no_assignment_helps_proposes_no_strategy(answer: Answer) -> None:
    verdict, proposal = answer.verdict, answer.proposal
    is_helped = not any(each.hinders for each in answer.findings)

    if verdict.severity >= Severity.WARNING and verdict.kind not in _STRATEGY_HELPS:
        assert proposal is None or proposal.action is not Action.SWITCH or is_helped
    if not is_helped:
        assert {o.why_not for o in answer.strategies} <= {WhyNot.CAUSE_STANDS}


@given(answers())
@tried(60)
def test_words_name_what_is_proposed_and_nothing_else(answer: Answer) -> None:
    words, proposal = words_of(answer), answer.proposal
    labels = {o.outcome.label for o in answer.strategies if o.outcome is not None}
    named = {label for label in labels if f"Switch to {label}:" in words.action}
    proposed = {proposal.outcome.label} if proposal is not None and proposal.outcome else set()

    assert words.headline
    assert words.short
    assert "{" not in words.headline + words.evidence + words.action + "".join(words.caveats)
    assert named <= proposed
    json.dumps(as_data(answer))


def _unowned(option: Option) -> int:
    return 0 if option.outcome is None else option.outcome.figures.unowned
