"""Below the matrix: the bars of every choice in one case, and all figures as a table."""

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from charts.loads import MAX_NAMED, panel_of, scale_of
from charts.palette import ALARM, BAR, BUSIEST
from ui import downloads, panel, widgets
from ui.choices.option import OptionChoice
from ui.scenario import Scenario
from ui.untrusted import verbatim
from ui.what_ifs.figures import ScenarioCell

_CASE: Final = OptionChoice("what_if_case")
_NARROWEST: Final = 240


def show(
    current: Scenario, cases: Sequence[str], shown: Sequence[ScenarioCell], frame: pd.DataFrame
) -> None:
    """Show the fold with one case's bars and the table of all cells."""
    with st.expander("Charts side by side, and every figure", icon=":material/bar_chart:"):
        case = _CASE.switch("Case", cases) if len(cases) > 1 else cases[0]
        _panels([each for each in shown if each.case == case])
        widgets.table(
            frame,
            f"What each choice of {current.title} comes to",
            pinned=("Choice",),
            height="content",
        )
        downloads.offer(lambda: frame, current.group.id, "scenarios")


def _panels(shown: Sequence[ScenarioCell]) -> None:
    """Draw the load of each consumer, a panel for each choice, on one scale."""
    load = shown[0].load
    scales = [scale_of(each.group, [each.outcome], load, load.bound(each.group)) for each in shown]
    is_named = all(each.group.member_count <= MAX_NAMED for each in shown)  # or bases differ
    is_alarm = any(each.never_ends for each in shown)
    grid = st.grid(min(len(shown), 4), min_column_width=_NARROWEST, gap="medium")
    for number, each in enumerate(shown):
        scale = scales[number]._replace(
            top=max(scale.top for scale in scales),
            most_partitions=max(scale.most_partitions for scale in scales),
        )
        peak = ALARM if each.never_ends else BAR if is_alarm else BUSIEST
        drawn = panel_of(each.group, each.outcome, scale, is_named=is_named, peak=peak)
        with grid.cell():
            never = " :red[never catches up]" if each.never_ends else ""
            st.markdown(f"**{verbatim(each.title)}**{never}")
            panel.show(drawn, f"what_if_{number}", f"{each.title}: load of each consumer")
    coloured = "red where the group never catches up" if is_alarm else "orange"
    st.markdown(
        f":small[Bars: {load.axis('each consumer')}, on one scale; the busiest is {coloured}. "
        "Dashed line: the lower bound.]"
    )
