"""Why the group on screen is behind, beside what another page answers."""

import streamlit as st

from evaluation.answering.answer import Answer
from evaluation.answering.words import cause_words
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from ui.answers import answer_in
from ui.scenario import Scenario
from ui.untrusted import verbatim


def show(current: Scenario) -> None:
    """Show a small line for each cause that the answer names."""
    for headline, evidence in said(answer_in(current)):
        st.markdown(f":small[:gray[{verbatim(f'{headline} {evidence}')}]]")


def said(answer: Answer) -> list[tuple[str, str]]:
    """Return headline and evidence of what is broken or will be, or of a backlog that shrinks."""
    found = [each for each in answer.causes if each.severity >= Severity.WARNING]
    if answer.verdict.kind is VerdictKind.CATCHING_UP:
        found.append(answer.verdict)
    return [cause_words(each, answer) for each in found]
