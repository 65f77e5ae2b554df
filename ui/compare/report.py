"""The contents of the report: the answer on one page, then the details."""

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from charts.report import (
    Answer,
    FigureRow,
    Heading,
    Part,
    Picture,
    Pictures,
    ReportList,
    Section,
    TermList,
    report,
)
from charts.report_svg import panel_svg
from evaluation.advice import Advice
from evaluation.bounds.lag import best_possible_max_lag
from evaluation.changes import changes_between, size_of
from evaluation.clients import JAVA, Client
from evaluation.compare import Outcome
from evaluation.configuration import configuration
from evaluation.wording import plural
from ui import downloads, judging, visited
from ui.compare import incident, pictures, summary
from ui.compare.conclusion import PLAIN, conclusion, remarks, span_of
from ui.compare.figures import why
from ui.compare.report_tables import figures_of_each, group_parts
from ui.scenario import Scenario
from ui.slides.files import story_of
from ui.slides.story import costs, we_should
from ui.strategy_choice import client
from ui.untrusted import plain

_FIRST_PICTURES: Final = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Content:
    """The content of the Compare page, and what else the session viewed."""

    title: str
    group: Group
    """With what is judged in the place of lags."""
    as_read: Group | None = None
    """The group itself, if it differs."""
    advice: Advice
    outcomes: Sequence[Outcome]
    baseline: Group
    before: Mapping[str, Outcome]
    """The baseline's outcomes by name; none while the baseline itself is on screen."""
    client: Client = JAVA
    runs: Strategy | None = None
    """The group's present strategy, if it is known."""
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


def report_button(
    current: Scenario,
    advice: Advice,
    outcomes: Sequence[Outcome],
    before: Mapping[str, Outcome],
    basis: str,
) -> None:
    """Offer the report on the current screen, built when the button is pressed."""
    weighed, story = judging.weighed(current), story_of(current)
    content = Content(
        title=current.title,
        group=weighed,
        as_read=current.group,
        advice=advice,
        outcomes=outcomes,
        baseline=weighed if current.is_at_baseline else judging.weighed(current, current.baseline),
        before=before,
        client=client(),
        runs=story.runs.strategy,
        basis=basis,
        incident=[plain(said) for said in incident.sentences(current)],
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
    group, bound = content.group, best_possible_max_lag(content.group)
    compared = _compared(content)
    strategies = [o.strategy for o in compared if o.strategy is not None]
    each = [part for strategy in strategies for part in _strategy(strategy, content)]
    on = "" if content.client is JAVA else f"; clients: {content.client.label}"
    state = conclusion(group, content.advice, bound, PLAIN, hindrance=content.hindrance)
    answer = Answer(
        content.title,
        f"{size_of(group)}{on}. Made on {made_on:%d %B %Y}.",
        _question(group, content.advice),
        content.proposal or state,
    )
    appendix = (
        *content.others,
        Section("Every strategy compared", list(_comparison(content, compared, bound))),
        Section("Why each comes out so", [TermList(list(_reasons(content, compared)))]),
        Section("The group", list(group_parts(content.as_read or group))),
        Section("The strategies", each),
        Section("Versions", [TermList(list(_versions()))]),
    )
    return report(answer, _first_page(content, bound), appendix)


def _question(group: Group, advice: Advice) -> str:
    least = f"the least {advice.measure.noun}" if advice.by_lag else "the fewest partitions"
    return (
        f"Which assignment of {plural(group.partition_count, 'partition')} to "
        f"{plural(group.member_count, 'consumer')} gives the busiest consumer {least}?"
    )


def _compared(content: Content) -> list[Outcome]:
    """Return the strategies on screen and the recommended ones, each once, the best first."""
    advice = content.advice
    by_name = {o.name: o for o in (*content.outcomes, advice.settable, advice.custom) if o}
    return pictures.best_first(list(by_name.values()), by_lag=advice.by_lag)


def _first_page(content: Content, bound: int | None) -> Iterator[Part]:
    group, advice = content.group, content.advice
    yield from content.incident
    if content.proposal:
        yield conclusion(group, advice, bound, PLAIN, hindrance=content.hindrance)
    yield from content.costs
    yield from remarks(group, advice)
    if content.baseline is not group:
        differences = ", ".join(changes_between(content.baseline, group)) or "no difference"
        yield f"Compared with the baseline: {differences}."
    yield FigureRow(summary.four(group, advice, bound, content.baseline, content.before))
    shown = [o for o in (advice.now, advice.settable, advice.custom) if o is not None]
    shown += [o for o in _compared(content) if o.name not in {each.name for each in shown}]
    yield from _pictures(content, shown[:_FIRST_PICTURES], bound)
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
            yield from _settings(outcome.strategy, content.client, content.runs)


def _pictures(
    content: Content, outcomes: Sequence[Outcome], bound: int | None
) -> Iterator[Pictures]:
    group, by_lag = content.group, content.advice.by_lag
    if not group.member_count or not group.partition_count or not outcomes:
        return
    scale = scale_of(group, outcomes, bound, content.advice.measure, by_lag=by_lag)
    drawn = []
    for outcome in outcomes:
        caption = pictures.described(outcome, content.advice.measure, by_lag=by_lag)
        most, rest = pictures.figures(outcome, content.before.get(outcome.name), by_lag=by_lag)
        drawing = panel_svg(panel_of(group, outcome, scale), f"{outcome.label}: {caption}")
        if span := span_of(outcome, by_lag=by_lag):
            rest += f" ({span})"
        elif outcome.certainty != EXACT:
            rest += f" ({outcome.certainty.text})"
        drawn.append(Picture(outcome.label, f"{most}{rest}", drawing))
    yield Pictures(drawn, pictures.legend(group, outcomes, scale))


def _comparison(content: Content, compared: Sequence[Outcome], bound: int | None) -> Iterator[Part]:
    if compared:
        yield figures_of_each(compared, bound)
    yield from _pictures(content, compared, bound)


def _reasons(content: Content, compared: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    for outcome in compared:
        measure = content.advice.measure
        yield outcome.label, why(content.group, outcome, measure, content.runs)


def _strategy(strategy: Strategy, content: Content) -> Iterator[Part]:
    promises = sorted(promise.value for promise in strategy.promises)
    certainty = strategy.certainty_for(content.group)
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
    yield from _settings(strategy, content.client, content.runs)


def _settings(strategy: Strategy, of: Client, runs: Strategy | None) -> Iterator[Part]:
    guide = configuration(strategy, of, runs)
    for number, step in enumerate(guide.steps, 1):
        yield f"{number}. {step.text}" if len(guide.steps) > 1 else step.text
        yield ReportList(step.settings)
    yield from guide.notes


def _versions() -> Iterator[tuple[str, str]]:
    yield "kafka-assignments", __version__
    yield "Rules", KAFKA_RULES
    yield "Python", platform.python_version()
    yield "numpy", np.__version__
