"""Groups of the fleet opened: one of them, or several, planned together."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from evaluation.wording import plural
from sources.errors import SourceError
from sources.fleet.tables import Fleet
from sources.fleet.totals import latest
from sources.plans_of_groups import MOST_GROUPS
from ui import open_groups, scenario, widgets
from ui.fleet import cache
from ui.fleet.group import snapshot_title
from ui.scenario import Scenario


def offer(fleet: Fleet, rows: pd.DataFrame, chosen: Sequence[tuple[str, str]]) -> None:
    """Show a button that plans the chosen groups, by cluster and name, once some are chosen.

    ``rows`` are those of ``as_it_was``; each group opens at its last snapshot among them.
    """
    if not chosen:
        return
    is_too_many = len(chosen) > MOST_GROUPS
    is_asked = st.button(
        f"Plan {'this group' if len(chosen) == 1 else f'these {len(chosen)} groups'}",
        icon=":material/speed:",
        type="primary",
        key="plan_groups",
        disabled=is_too_many,
        help=f"At most {plural(MOST_GROUPS, 'group')} at once"
        if is_too_many
        else "How many consumers they need, under one deadline and one peak, and in all",
    )
    if not is_asked:
        return
    plan(fleet, rows, chosen)


def plan(fleet: Fleet, rows: pd.DataFrame, chosen: Sequence[tuple[str, str]]) -> None:
    """Open groups at their last snapshots, to plan consumers for them together."""
    try:
        groups = _opened(fleet, rows, chosen)
    except SourceError as error:
        widgets.refusal(error)
        return
    open_groups.open_together("Fleet", groups)
    st.switch_page("pages/capacity.py")


def open_alone(fleet: Fleet, rows: pd.DataFrame, key: tuple[str, str]) -> None:
    """Open a group at its last snapshot on the Group page."""
    try:
        (found,) = _opened(fleet, rows, [key])
    except SourceError as error:
        widgets.refusal(error)
        return
    scenario.show(found.title, found.reading)
    st.switch_page("pages/compare.py")


def _opened(fleet: Fleet, rows: pd.DataFrame, chosen: Sequence[tuple[str, str]]) -> list[Scenario]:
    last = latest(rows).set_index(["cluster", "group_id"])["snapshot_at"]
    return [
        scenario.opened(
            snapshot_title(group, last[cluster, group]),
            cache.snapshot(fleet, cluster, group, last[cluster, group].to_pydatetime()),
        )
        for cluster, group in chosen
    ]
