"""The report: the story of the slides in its long form, the answer on one page to print."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from urllib.parse import urljoin

import numpy as np
import streamlit as st

from assignors import __version__
from assignors.registry import KAFKA_RULES
from charts.deck.drawing import chart_svg
from charts.deck.model import Slide, SlidePlace
from charts.report import (
    FigureRow,
    FirstPage,
    Heading,
    Part,
    Picture,
    Pictures,
    ReportLink,
    ReportList,
    Section,
    TermList,
    report,
)
from evaluation.answering.words import cause_words
from evaluation.assuming.clients import JAVA
from evaluation.comparing.changes import changes_between, size_of
from evaluation.releases import holds_for
from evaluation.wording import amount
from ui import downloads, visited
from ui.compare.report_tables import group_parts, options_table
from ui.scenario import Scenario
from ui.slides.deck import deck_of
from ui.slides.story import Story, simulated

_DRAWN: Final = {SlidePlace.FINDING, SlidePlace.CAUSE, SlidePlace.PROPOSAL}
"""The slides whose pictures stand on the first page."""
_LEARN: Final = "strategies"
"""The page on which every strategy is explained."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Content:
    """A story, and what else the session viewed of the group."""

    story: Story
    edits: str = ""
    """How the group differs from the one that was opened; "" if it does not."""
    others: Sequence[Section] = ()
    """The last sections of other pages on this group."""
    address: str = ""
    """Where the dashboard runs; "" if unknown."""


def report_button(current: Scenario, story: Story) -> None:
    """Offer the report on the current screen, built when the button is pressed.

    It is built without a session, so what the session saw is collected before.
    """
    content = _content(current, story)
    st.download_button(
        "Report",
        lambda: report_html(content, datetime.now(UTC).date()).encode(),
        file_name=downloads.file_name(current.group.id, "-report.html"),
        mime="text/html",
        on_click="ignore",
        help="The answer on one page to print, then what it rests on, in one file that opens "
        "offline",
    )


def _content(current: Scenario, story: Story) -> Content:
    edits = ""
    if not current.is_at_baseline:
        changes = changes_between(current.baseline, current.group)
        edits = ", ".join(changes) or "no difference"
    return Content(
        story=story,
        edits=edits,
        others=visited.sections(current.group),
        address=st.context.url or "",
    )


def report_html(content: Content, made_on: date) -> str:
    """Return the report as HTML; nothing but its date varies between runs."""
    story = content.story
    client = story.answer.given.client
    on = "" if client is JAVA else f"; clients: {client.label}"
    page = FirstPage(
        title=story.title,
        made=f"{size_of(story.group)}{on}. Made on {made_on:%d %B %Y}.",
        headline=story.words.headline,
        evidence=story.words.evidence,
        action=story.words.action,
    )
    appendix = (
        *content.others,
        Section("What could be done", list(_options(story))),
        Section("What this rests on", list(_basis(story))),
        Section("The group", list(group_parts(story.group))),
        Section("The strategies", list(_strategies(content))),
        Section("Versions", [TermList(list(_versions()))]),
    )
    shown = [each for each in appendix if each.parts]
    return report(page, _first_page(content), shown)


def _first_page(content: Content) -> Iterator[Part]:
    finding, *slides = deck_of(content.story, "").slides
    if content.edits:
        yield f"Compared with the group that was opened: {content.edits}."
    yield FigureRow(finding.figures)
    yield from _pictures([finding, *slides])
    for slide in slides:
        if slide.decision:
            yield from _next(slide, content.story)
        elif slide.name is SlidePlace.COST_AND_TIME:
            yield Heading(slide.title)
            yield FigureRow(slide.figures)
    yield from filter(None, (finding.basis, simulated(content.story)))


def _pictures(slides: Sequence[Slide]) -> Iterator[Pictures]:
    """Yield the pictures of finding, cause and proposal, each with what it shows."""
    drawn = [picture for slide in slides for picture in _of_slide(slide)]
    charts = [slide.chart for slide in slides if slide.chart is not None and slide.name in _DRAWN]
    lines = [f"{c.line_label}, {amount(c.line)}" for c in charts if c.line is not None]
    dashed = f"Dashed line: {'; '.join(dict.fromkeys(lines))}." if lines else ""
    remarks = dict.fromkeys(each.legend for each in charts)
    if drawn:
        yield Pictures(drawn, " ".join(filter(None, (dashed, *remarks))))


def _of_slide(slide: Slide) -> Iterator[Picture]:
    chart = slide.chart
    if chart is not None and slide.name in _DRAWN:
        last = len(chart.states) - 1
        yield Picture(chart.states[last].label, chart.axis, chart_svg(chart, last))


def _next(slide: Slide, story: Story) -> Iterator[Part]:
    """Yield the next step, its settings in full where a slide has their first clause."""
    yield Heading(slide.title)
    steps = [(each.text, each.settings) for each in slide.steps]
    if len(steps) > 1:
        steps = [(each.text, each.settings) for each in story.guide.steps]
    for number, (text, settings) in enumerate(steps, 1):
        yield f"{number}. {text}" if len(steps) > 1 else text
        if settings:
            yield ReportList(settings)
    yield from slide.points
    yield TermList(list(slide.asides))
    yield f"{slide.decision} Owner: ____________ By: ____________"


def _options(story: Story) -> Iterator[Part]:
    table = options_table(story.answer)
    if table is not None:
        yield table


def _basis(story: Story) -> Iterator[Part]:
    """Yield the other causes, and every caveat."""
    answer = story.answer
    for cause in answer.causes:
        if cause.kind is not answer.verdict.kind:
            headline, evidence = cause_words(cause, answer)
            yield f"{headline} {evidence}"
    yield from story.words.caveats


def _strategies(content: Content) -> Iterator[Part]:
    """Yield a link to each strategy that was compared; without an address its name alone."""
    shown = [o.strategy for o in content.story.answer.strategies if o.strategy is not None]
    if of_releases := holds_for(shown):
        yield of_releases
    for strategy in shown:
        where = urljoin(content.address, _LEARN) if content.address else ""
        yield ReportLink(strategy.label, f"{where}#{strategy.name}" if where else "")


def _versions() -> Iterator[tuple[str, str]]:
    yield "kafka-assignments", __version__
    yield "Rules", KAFKA_RULES
    yield "Python", platform.python_version()
    yield "numpy", np.__version__
