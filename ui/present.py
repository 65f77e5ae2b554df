"""Presenting the group on screen: slides, report, link, file; each is made when it is asked for."""

import streamlit as st

from evaluation.comparison import Comparison
from ui import share
from ui.compare.report import report_button
from ui.scenario import Scenario
from ui.slides import files, view


def present(current: Scenario, comparison: Comparison, basis: str) -> None:
    """Show the button that opens everything to take along."""
    popover = st.popover("Present", on_change="rerun", key="present")
    if not popover.open:
        return
    with popover:
        view.slides_button()
        files.take_along(current)
        report_button(current, comparison, basis)
        share.link_and_file(current)
