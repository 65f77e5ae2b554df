"""The deck about the group on screen, and its files to take along."""

from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec

import streamlit as st

from charts.deck.component import deck_html
from charts.deck.model import Deck
from evaluation.comparison import Comparison
from evaluation.ending import proposal
from ui import cache, downloads, facts, judging, price, told
from ui.clients import client
from ui.compare.conclusion import about_switch
from ui.incident.view import causes, findings_in
from ui.scenario import Scenario
from ui.slides.story import Story
from ui.slides.words import deck_of


def take_along(current: Scenario) -> None:
    """Offer the slides as files."""
    name = current.group.id or current.title
    with st.container(horizontal=True):
        st.download_button(
            "Slides",
            lambda: deck_html(deck_on_screen(current)).encode(),
            file_name=downloads.file_name(name, "-slides.html"),
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
            help="One file that opens offline; print it for a PDF",
        )
        if find_spec("pptx"):
            st.download_button(
                "PowerPoint",
                lambda: _pptx(current),
                file_name=downloads.file_name(name, "-slides.pptx"),
                mime="application/vnd.openxmlformats-officedocument.presentationml.presentation",
                icon=":material/download:",
                on_click="ignore",
                help="Native charts and text, to which a company's template applies",
            )


def story_of(current: Scenario, comparison: Comparison) -> Story:
    """Return what is known of the group on screen, as the Compare page has it."""
    group, advice, runs = comparison.group, comparison.advice, comparison.runs
    found, findings = facts.facts_in(current), causes(findings_in(current))
    best = proposal(group, advice, found)
    cost = None
    if best is not None and best.outlook is not None and best.strategy and runs:
        switch = (runs, best.strategy)
        cost = cache.lost(group, *switch, found.arriving, is_noticed=told.is_slow())
    settings = client().settings_for(runs) if group.member_count else ()
    return Story(
        title=current.title,
        comparison=replace(comparison, outcomes=cache.expected(group, settings, runs)),
        client=client(),
        findings=findings,
        facts=found,
        cost=cost,
        price=price.readable(),
        basis=about_switch(comparison, [best] if best else [], is_noticed=told.is_slow()),
    )


def deck_on_screen(current: Scenario) -> Deck:
    """Return the slides about the group on screen."""
    return deck_of(story_of(current, judging.compared(current)), f"{datetime.now(UTC):%d %B %Y}")


def _pptx(current: Scenario) -> bytes:
    from charts.deck.powerpoint import deck_pptx  # noqa: PLC0415 -- needs an extra

    return deck_pptx(deck_on_screen(current))
