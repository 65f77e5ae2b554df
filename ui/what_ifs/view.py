"""The page of scenarios: the conclusion, the matrix, and forms for more choices and cases."""

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeVar

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from charts.report import Section
from evaluation import wording
from evaluation.answering.answer import Answer
from evaluation.answering.planning import Choice, PlanSaid, plan_words
from evaluation.capacity.draining import Capacity
from evaluation.measuring.facts import Facts
from evaluation.stated import InvalidNumberError
from evaluation.what_if import Asked, Weather, titles
from ui import facts, form, judging, price, scenario, told, visited, widgets
from ui.answers import answer_in
from ui.picture import places, verdict
from ui.picture.model import BandButton, Tone, VerdictBand
from ui.scenario import Scenario
from ui.untrusted import verbatim
from ui.what_ifs import charts, figures, forms, kept, matrix, plan
from ui.what_ifs.figures import ScenarioCell

TITLE: Final = "Scenarios side by side"
_FIRST_S: Final = 1.5
"""For about this long cells are computed before the page shows what there is."""
_COMPUTED: Final = "scenarios_computed"
_OPEN: Final = "open"
_PLAN: Final = "plan"
_T = TypeVar("_T")


def show(current: Scenario) -> None:
    """Show the scenarios of the group on screen."""
    if problem := kept.problem():
        st.error(f"The scenarios of the link could not be read: {verbatim(problem)}")
    answer = answer_in(current)
    asked = figures.usual(kept.chosen(), answer)
    kept.keep_in_link()
    progress = places.over_the_page()
    said_first = places.held(places.VERDICT)
    forms.offer(current, asked)
    drawn, basis = places.held(places.MATRIX), st.container()
    with basis:
        _assumptions(current, answer)
    try:
        allowed = form.number(Capacity, "allowed_s")
        cost = price.stated()
        shown = _computed(asked, answer)
    except InvalidNumberError as error:
        places.await_nothing()
        with said_first:
            widgets.refusal(error)
        return
    found, wide = answer.known.facts, len(asked.weathers)
    choices = figures.choices_of(asked, shown, answer.group.member_count)
    is_complete = len(shown) == wide * len(asked.choices)
    said = _said(choices, asked, allowed, found) if is_complete else None
    if said is not None:
        with said_first:
            _say(said, shown, asked)
            plan.show_since(current)
    best = None if said is None else said.verdict.taken
    with drawn:
        drawn_as = matrix.matrix_of(
            asked,
            shown,
            choices=choices,
            best=best,
            found=found,
            cost=cost,
            allowed_s=allowed,
        )
        matrix.show(drawn_as, partial(_act, asked, shown))
    if said is None:
        _compute_on(asked, answer, progress)
        st.rerun()
    _more(current, asked, shown, said, pd.DataFrame(figures.rows(shown, *cost, allowed)))


def _more(
    current: Scenario,
    asked: Asked,
    shown: Sequence[ScenarioCell],
    said: PlanSaid,
    frame: pd.DataFrame,
) -> None:
    """Show what is below the matrix; keep the page for the report."""
    notes = [*figures.notes(shown)]
    for note in notes:
        st.markdown(f":small[{verbatim(note)}]")
    charts.show(current, titles(asked.weathers), shown, frame)
    plan.offer(current, asked, said.text)
    table = visited.table("What each choice comes to in each case", frame, texts=frame.shape[1])
    visited.remember(current.group, Section("Scenarios", [said.text, *notes, table]))


def _computed(asked: Asked, answer: Answer) -> list[ScenarioCell]:
    """Return the cells that are computed in a moment, or all if they were before."""
    known = st.session_state.get(_COMPUTED)
    is_known = known is not None and known[0] is answer and known[1] == asked
    until = math.inf if is_known else time.monotonic() + _FIRST_S
    found = []
    for cell in figures.cells(asked, answer):
        found.append(cell)
        if time.monotonic() >= until:
            break
    return found


def _compute_on(asked: Asked, answer: Answer, area: DeltaGenerator) -> None:
    """Compute all cells, and show in the area how far it is."""
    count = len(asked.choices) * len(asked.weathers)
    for done, cell in enumerate(figures.cells(asked, answer), start=1):
        area.progress(done / count, f"{cell.title}: {done:,} of {count:,} cells")
    st.session_state[_COMPUTED] = (answer, asked)


def _assumptions(current: Scenario, answer: Answer) -> None:
    """Say what all cells assume, and let the visitor change it."""
    group, found = current.group, answer.known.facts
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        basis = (
            f"{facts.reading_words(found)}; {facts.arrival_words(group, found)}; {facts.FROM_THEN}"
        )
        st.markdown(f":small[{wording.sentence(basis)}]", width="content")
        with st.popover("Change", type="tertiary", key="scenario_assumptions"):
            judging.ask(current)
            facts.ask_speed(found)
            facts.ask_arriving(group, found)
            form.ask(Capacity, "allowed_s")
            price.ask()


def _said(choices: Sequence[Choice], asked: Asked, allowed_s: float, found: Facts) -> PlanSaid:
    """Return the conclusion, and what it rests on."""
    still = int(np.count_nonzero(found.is_still))
    again = (facts.again(still),) if still else ()
    rests_on = (*facts.rests_on(found), *again)
    return plan_words(choices, asked.weathers, allowed_s, rests_on)


def _say(said: PlanSaid, shown: Sequence[ScenarioCell], asked: Asked) -> None:
    """Show the conclusion with the one thing to do about it."""
    pressed = verdict.show(
        VerdictBand(
            tone=Tone.of(said.verdict.kind.severity),
            finding=said.finding,
            evidence=said.evidence,
            action=said.action,
            buttons=tuple(_buttons(said)),
        )
    )
    if pressed == _PLAN:
        _plan_for(asked.weathers[said.verdict.case])
        st.switch_page("pages/capacity.py")
    if pressed == _OPEN and said.verdict.taken is not None:
        _open(next(each for each in shown if each.title == said.verdict.taken.title))
        st.rerun()


def _buttons(said: PlanSaid) -> list[BandButton]:
    """Return what there is to do: the first is the main one."""
    taken, buttons = said.verdict.taken, []
    if said.is_asked:
        buttons.append(BandButton(key=_PLAN, label="Plan this case", is_main=True))
    if taken is not None and not taken.is_today:
        label = f"Open {taken.counted or taken.title}"
        buttons.append(BandButton(key=_OPEN, label=label, is_main=not buttons))
    return buttons


def _plan_for(case: Weather) -> None:
    """Ask on Consumers for what happens in this case."""
    told.PEAK.state(case.arrivals)
    told.SURVIVE.put(told.ONE if case.lost else None)


def _act(asked: Asked, shown: Sequence[ScenarioCell], act: str, at: int) -> None:
    """Do what is pressed in the matrix."""
    if act == "open":
        _open(shown[at * len(asked.weathers)])
    elif act == "remove":
        kept.keep(asked._replace(choices=_without(asked.choices, at)))
    else:
        kept.keep(asked._replace(weathers=_without(asked.weathers, at)))


def _without(every: tuple[_T, ...], at: int) -> tuple[_T, ...]:
    return every[:at] + every[at + 1 :]


def _open(cell: ScenarioCell) -> None:
    """Make a choice's group, with its owners, the one on screen."""
    group = cell.group
    owned = group.owned_by(cell.outcome.owners) if cell.strategy else group
    scenario.turn_into(owned.with_rates(group.offsets.rates))
