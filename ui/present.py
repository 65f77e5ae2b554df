"""Presenting the group on screen: slides, report, link, file; each is made when it is asked for."""

from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from ui import share
from ui.compare.report import report_button
from ui.scenario import Scenario
from ui.slides import files, view


def present(popover: PopoverContainer, current: Scenario) -> None:
    """Fill the popover with everything to take along, if it is open."""
    if not popover.open:
        return
    with popover:
        if current.reading.as_kind is not None:  # slides and report tell of strategies
            share.link_and_file(current)
            return
        view.slides_button()
        story = files.story_of(current)
        files.take_along(current, story)
        report_button(current, story)
        share.link_and_file(current)
