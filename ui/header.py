"""The header of the Compare page: the group's name, ways to open one, and sharing."""

from typing import Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from evaluation.changes import size_of
from evaluation.metrics import total_lag
from evaluation.wording import amount
from ui import readings, scenario, share, start
from ui.scenario import Scenario
from ui.slides import view
from ui.untrusted import verbatim

_LONGEST_TITLE: Final = 70
"""Characters of a name that fit on two lines beside the buttons."""


class HeaderChoices(NamedTuple):
    """The header's choices, and placeholders that are filled once the tables have been read."""

    name: DeltaGenerator
    """Placeholder for the group's name, after the edits of this run."""
    actions: DeltaGenerator
    """Placeholder for undo, link, file and report."""
    is_editing: bool
    way: str | None


def header() -> HeaderChoices:
    """Lay out the header."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        name = st.container(width="stretch", gap=None)
        view.slides_button()
        way = start.choose_way()
        is_editing = st.toggle(
            "Edit",
            key=start.EDIT,
            bind="query-params",
            help="Show the group's tables beside the answer",
        )
        actions = st.container(
            horizontal=True, width="content", vertical_alignment="bottom", gap="xsmall"
        )
    return HeaderChoices(name, actions, is_editing=is_editing, way=way)


def name_group(current: Scenario) -> None:
    """Show the group's name, and its size as it is on screen."""
    title = current.title
    is_long = len(title) > _LONGEST_TITLE
    shown = f"{title[: _LONGEST_TITLE - 1]}…" if is_long else title
    st.title(verbatim(shown), anchor=False, help=verbatim(title) if is_long else None)
    st.markdown(f":small[{size_of(current.group)}{', edited' if current.is_edited else ''}]")


def say_why_empty(group: Group, title: str) -> bool:
    """Say what to do about a group in which there is nothing to read; return whether it is one."""
    if not group.partition_count:
        why = "This group has no partitions"
    elif group.member_count and not group.is_wanted.any():
        why = "No consumer of this group subscribes to a topic with partitions"
    else:
        return False
    st.title(title, anchor=False)
    st.info(f"{why}. Open or edit a group on the Group page.")
    return True


def plan_of(current: Scenario) -> None:
    """Say, on pages other than Compare, whose plan it is and from which backlog it starts."""
    total = total_lag(current.group)
    backlog = "lag unknown" if total.known is None else f"{amount(total.known)} records behind"
    st.markdown(
        f":small[**{verbatim(current.title)}**: {size_of(current.group)}, {backlog}"
        f"{', edited' if current.is_edited else ''}]"
    )


def undo_and_share(current: Scenario) -> None:
    """Show Undo, the notes on reading, and Share."""
    st.button(
        "Undo",
        on_click=scenario.undo,
        disabled=not current.earlier,
        help="Take back the last change",
    )
    readings.report(current)
    share.share_popover(current)
