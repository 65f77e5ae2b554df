"""Presenting the group on screen: slides, report, link, file; each is made when it is asked for."""

from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from evaluation.kinds.view import KindView
from ui import share
from ui.compare.report import report_button
from ui.kinds import slides as kind_slides
from ui.kinds.page import leavers_of, words_in
from ui.kinds.report import kind_report_button
from ui.scenario import Scenario
from ui.slides import files
from ui.slides.view import slides_button


def present(popover: PopoverContainer, current: Scenario) -> None:
    """Fill the popover with everything to take along, if it is open."""
    if not popover.open:
        return
    with popover:
        slides_button()
        story, _ = files.story_of(current)
        files.take_along(current, story)
        report_button(current, story)
        share.link_and_file(current)


def present_kind(popover: PopoverContainer, current: Scenario, view: KindView | None) -> None:
    """Fill the popover for a group that is no consumer group."""
    if not popover.open:
        return
    with popover:
        if view is not None:
            slides_button()
            words = words_in(current, view)
            kind_slides.take_along(view, words, leavers_of(view), current.title)
            kind_report_button(view, words, current.title)
        share.link_and_file(current)
