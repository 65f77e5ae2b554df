"""The answer on the group's page: the band, and the one picture below it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from assignors.strategy import Strategy
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.words import Words
from evaluation.comparing.outcomes import Outcome
from evaluation.measuring.movement import moved
from evaluation.verdict_kinds import VerdictKind
from ui import caching, share, snapshots, start
from ui.compare.alarm import incident_picture
from ui.compare.flows import flows_of
from ui.compare.optimum import HOW_TO_MOVE, moves_table
from ui.compare.too_hot import what_ends_it
from ui.configuration import show_configuration
from ui.picture import incident, verdict
from ui.picture import show as pictures
from ui.picture.band import ADD, MOVES, SWITCH, band_of
from ui.picture.columns import Focus, side_by_side
from ui.scenario import Scenario
from ui.strategy_choice import say_refused

_WHERE_IT_WAITS: Final = {VerdictKind.TOO_LITTLE_KNOWN, VerdictKind.OWNERS_UNKNOWN}
"""No alarm yet, but where the lag is matters more than strategies."""


def show_band(current: Scenario, answer: Answer, words: Words) -> None:
    """Show the verdict and do what its buttons say."""
    reading = current.reading
    band = band_of(
        answer,
        words,
        reading.hosts,
        is_example=bool(current.origin),
        taken=snapshots.taken(reading),
    )
    link = urlencode(share.parameters(current)) if answer.verdict.is_alarm else ""
    pressed = verdict.show(band, link, is_held=True)
    if pressed == SWITCH and answer.proposal is not None and answer.proposal.strategy is not None:
        _how_to_switch(answer.proposal.strategy, answer)
    elif pressed == MOVES:
        _which_moves(answer)
    elif pressed == ADD:
        start.paste_one_more()


@st.dialog("How to switch", width="large")
def _how_to_switch(strategy: Strategy, answer: Answer) -> None:
    st.markdown(f"To **{strategy.label}**")
    show_configuration(strategy, answer.running.strategy)


@st.dialog("The fewest moves", width="large")
def _which_moves(answer: Answer) -> None:
    few = answer.few_moves
    if few is None or few.outcome is None:
        return
    st.dataframe(moves_table(answer.group, few.outcome.owners, answer.load), hide_index=True)
    st.caption(HOW_TO_MOVE)


def is_about_lag(answer: Answer) -> bool:
    """Return whether the picture is that of an alarm, with the strategies folded below it."""
    kind, proposal = answer.verdict.kind, answer.proposal
    if kind in _WHERE_IT_WAITS:
        return True
    is_switch = proposal is not None and proposal.action is Action.SWITCH
    is_held_back = answer.is_settling and any(o.why_not is None for o in answer.strategies)
    return answer.verdict.is_alarm and not (is_switch or is_held_back)


def show_picture_of(
    current: Scenario,
    answer: Answer,
    outcomes: Sequence[Outcome],
    before: Mapping[str, Outcome],
) -> None:
    """Show the one large picture; in an alarm the strategies fold below it.

    ``before`` are the outcomes of the baseline by name, none while it is on screen itself.
    """
    if not is_about_lag(answer):
        _strategies(current, answer, outcomes, before)
        return
    _where_it_waits(current, answer)
    if not outcomes:
        return
    is_known = answer.verdict.is_alarm and not answer.is_settling
    says = "No." if is_known else "Not known yet."
    fold = st.expander(
        f"**Would another assignor help?** {says}", on_change="rerun", key="would_help"
    )
    if fold.open:
        with fold:
            _strategies(current, answer, outcomes, before)


def _where_it_waits(current: Scenario, answer: Answer) -> None:
    group, known, found = current.group, answer.known, answer.verdict
    picture = incident_picture(
        group,
        known.times,
        flows_of(known.times, moved(group, known.history)),
        current.reading.hosts,
        found,
    )
    incident.show(replace(picture, ends=what_ends_it(answer)), group.id)


def _strategies(
    current: Scenario,
    answer: Answer,
    outcomes: Sequence[Outcome],
    before: Mapping[str, Outcome],
) -> None:
    say_refused()
    if answer.outcomes and not outcomes:
        st.info("Choose at least one strategy.")
    if not outcomes or not answer.group.partition_count:
        return
    proposal, found = answer.proposal, answer.verdict
    named = [] if proposal is None or proposal.strategy is None else [proposal.strategy.name]
    drawn = side_by_side(
        answer.group,
        outcomes,
        answer.load,
        answer.bound,
        before=before,
        named=named,
        ends_s=_ends(answer),
        hosts=current.reading.hosts,
        focus=Focus(
            members=found.members if found.is_alarm else (),
            word=ROWS[found.kind].consumers_are if found.is_alarm else "",
            is_broken=found.is_broken,
        ),
    )
    pictures.show(drawn, current.group.id, caching.digest(current.group), named[0] if named else "")


def _ends(answer: Answer) -> Mapping[str, float]:
    """Return when the backlog ends now and under each strategy, where rates are known."""
    found = [] if answer.keep is None else [answer.keep]
    return {
        option.outcome.name: option.ends_s
        for option in (*found, *answer.strategies)
        if option.outcome is not None and option.ends_s is not None
    }


def drawn_in(answer: Answer, chosen: Sequence[Strategy]) -> tuple[Outcome, ...]:
    """Return the present owners, and the outcomes of the chosen strategies."""
    names = (strategy.name for strategy in chosen)
    shown = [answer.outcomes[name] for name in names if name in answer.outcomes]
    return (*([answer.now] if answer.now else []), *shown)
