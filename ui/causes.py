"""Why the group on screen is behind, beside what another page answers."""

import streamlit as st

from evaluation.answering.answer import Answer
from evaluation.answering.verdicts import Severity, VerdictKind
from evaluation.answering.words import cause_words
from ui.answers import answer_in
from ui.lag_in_time.view import conclusion_line
from ui.scenario import Scenario
from ui.untrusted import verbatim


def show(current: Scenario) -> None:
    """Show a line for each cause that the answer names, and how far behind the group is."""
    answer = answer_in(current)
    for headline, evidence in said(answer):
        st.markdown(f":material/emergency: **{verbatim(headline)}** {verbatim(evidence)}")
    if answer.verdict.kind is not VerdictKind.CATCHING_UP:
        conclusion_line(current)


def said(answer: Answer) -> list[tuple[str, str]]:
    """Return headline and evidence of what is broken or will be, or of a backlog that shrinks."""
    found = [each for each in answer.causes if each.severity >= Severity.WARNING]
    if answer.verdict.kind is VerdictKind.CATCHING_UP:
        found.append(answer.verdict)
    return [cause_words(each, answer) for each in found]
