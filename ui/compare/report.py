"""The contents of the report: the answer on one page, then the details."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Final

import numpy as np
import streamlit as st

from assignors import __version__
from assignors.certainty import EXACT
from assignors.model import Group
from assignors.registry import KAFKA_RULES
from assignors.strategy import Strategy
from charts.loads import panel_of, scale_of
from charts.panels import panel_svg
from charts.report import (
    FigureRow,
    FirstPage,
    Heading,
    Part,
    Picture,
    Pictures,
    ReportList,
    Section,
    TermList,
    report,
)
from evaluation.changes import changes_between, size_of
from evaluation.clients import JAVA, Client
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.configuration import configuration
from evaluation.wording import plural
from ui import downloads, judging, visited
from ui.clients import client
from ui.compare import pictures, summary
from ui.compare.conclusion import conclusion, remarks
from ui.compare.figures import why
from ui.compare.report_tables import figures_of_each, group_parts
from ui.incident import view as incident
from ui.scenario import Scenario
from ui.slides.files import story_of
from ui.slides.story import costs, we_should
from ui.untrusted import plain

_FIRST_PICTURES: Final = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Content:
    """The content of the Compare page, and what else the session viewed."""

    title: str
    comparison: Comparison
    baseline: Group
    client: Client = JAVA
    basis: str = ""
    """What the figures rest on: the next rebalance, or a switch."""
    incident: Sequence[str] = ()
    """Why the group is behind, a sentence each."""
    hindrance: str = ""
    """Why no strategy helps now, to stand behind "while"."""
    others: Sequence[Section] = ()
    """The last sections of other pages on this group."""
    proposal: str = ""
    """What we should do, in a sentence."""
    costs: Sequence[str] = ()
    """What that costs and risks, a sentence each."""


def report_button(current: Scenario, comparison: Comparison, basis: str) -> None:
    """Offer the report on the current screen, built when the button is pressed."""
    story = story_of(current, comparison)
    content = Content(
        title=current.title,
        comparison=comparison,
        baseline=comparison.group
        if current.is_at_baseline
        else judging.weighed(current, current.baseline),
        client=client(),
        basis=basis,
        incident=[plain(said) for said in incident.sentences(current, story.findings)],
        hindrance=story.hindrance,
        others=visited.sections(current.group),
        proposal=we_should(story),
        costs=tuple(costs(story)),
    )
    st.download_button(
        "Report",
        lambda: report_html(content, datetime.now(UTC).date()).encode(),
        file_name=downloads.file_name(current.group.id, "-report.html"),
        mime="text/html",
        on_click="ignore",
        help="The answer on one page to print, then figures and reasons, in one file that opens "
        "offline",
    )


def report_html(content: Content, made_on: date) -> str:
    """Return the report as HTML; nothing but its date varies between runs."""
    comparison = content.comparison
    group, compared = comparison.group, _compared(comparison)
    strategies = [o.strategy for o in compared if o.strategy is not None]
    each = [part for strategy in strategies for part in _strategy(strategy, content)]
    on = "" if content.client is JAVA else f"; clients: {content.client.label}"
    answer = FirstPage(
        content.title,
        f"{size_of(group)}{on}. Made on {made_on:%d %B %Y}.",
        _question(comparison),
        content.proposal or plain(conclusion(comparison, hindrance=content.hindrance)),
    )
    appendix = (
        *content.others,
        Section("Every strategy compared", list(_comparison(comparison, compared))),
        Section(
            "Why each comes out so", [TermList([(o.label, why(comparison, o)) for o in compared])]
        ),
        Section("The group", list(group_parts(content.comparison.group))),
        Section("The strategies", each),
        Section("Versions", [TermList(list(_versions()))]),
    )
    return report(answer, _first_page(content), appendix)


def _question(comparison: Comparison) -> str:
    group, load = comparison.group, comparison.load
    least = f"the least {load.noun}" if load.by_weight else "the fewest partitions"
    return (
        f"Which assignment of {plural(group.partition_count, 'partition')} to "
        f"{plural(group.member_count, 'consumer')} gives the busiest consumer {least}?"
    )


def _compared(comparison: Comparison) -> list[Outcome]:
    """Return the strategies on screen and the recommended ones, each once, the best first."""
    by_name = {o.name: o for o in (*comparison.outcomes, *comparison.advice.recommended)}
    return replace(comparison, outcomes=list(by_name.values())).best_first


def _first_page(content: Content) -> Iterator[Part]:
    comparison = content.comparison
    group, advice = comparison.group, comparison.advice
    yield from content.incident
    if content.proposal:
        yield plain(conclusion(comparison, hindrance=content.hindrance))
    yield from content.costs
    yield from remarks(comparison, is_advised=not content.hindrance)
    if content.baseline is not group:
        differences = ", ".join(changes_between(content.baseline, group)) or "no difference"
        yield f"Compared with the baseline: {differences}."
    yield FigureRow(summary.four(comparison, content.baseline))
    shown = [*([advice.now] if advice.now else []), *advice.recommended]
    named = {each.name for each in shown}
    shown += [o for o in _compared(comparison) if o.name not in named]
    yield from _pictures(comparison, shown[:_FIRST_PICTURES])
    if content.basis:
        yield content.basis
    if content.hindrance:
        return
    for outcome, about in (
        (advice.settable, "What to set for"),
        (advice.custom, "What it takes to run"),
    ):
        if outcome is not None and outcome.strategy is not None:
            yield Heading(f"{about} {outcome.label}")
            yield from _settings(outcome.strategy, content)


def _pictures(comparison: Comparison, outcomes: Sequence[Outcome]) -> Iterator[Pictures]:
    group, load = comparison.group, comparison.load
    if not group.member_count or not group.partition_count or not outcomes:
        return
    scale = scale_of(group, outcomes, load, comparison.bound)
    drawn = []
    for outcome in outcomes:
        most, rest = pictures.figures(comparison, outcome)
        drawing = panel_svg(
            panel_of(group, outcome, scale),
            f"{outcome.label}: {pictures.described(comparison, outcome)}",
        )
        if span := load.span_said(outcome):
            rest += f" ({span})"
        elif outcome.certainty != EXACT:
            rest += f" ({outcome.certainty.text})"
        drawn.append(Picture(outcome.label, f"{most}{rest}", drawing))
    yield Pictures(drawn, pictures.legend(comparison, outcomes))


def _comparison(comparison: Comparison, compared: Sequence[Outcome]) -> Iterator[Part]:
    if compared:
        yield figures_of_each(comparison, compared)
    yield from _pictures(comparison, compared)


def _strategy(strategy: Strategy, content: Content) -> Iterator[Part]:
    promises = sorted(promise.value for promise in strategy.promises)
    certainty = strategy.certainty_for(content.comparison.group)
    yield Heading(strategy.label)
    yield TermList(
        [
            ("Protocol", strategy.protocol.value),
            ("Goals, in order", "; ".join(strategy.goals)),
            ("Promises", " ".join(promises) or "none"),
            ("Weakness", strategy.weakness),
            ("Prediction", ". ".join(filter(None, [certainty.text, certainty.why]))),
            ("Sources", ", ".join(strategy.sources)),
        ]
    )
    yield from _settings(strategy, content)


def _settings(strategy: Strategy, content: Content) -> Iterator[Part]:
    guide = configuration(strategy, content.client, content.comparison.runs)
    for number, step in enumerate(guide.steps, 1):
        yield f"{number}. {step.text}" if len(guide.steps) > 1 else step.text
        yield ReportList(step.settings)
    yield from guide.notes


def _versions() -> Iterator[tuple[str, str]]:
    yield "kafka-assignments", __version__
    yield "Rules", KAFKA_RULES
    yield "Python", platform.python_version()
    yield "numpy", np.__version__
