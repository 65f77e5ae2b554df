"""The header of the group's page: its name and size, ways to open another, tables, presenting."""

from typing import Final, NamedTuple

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from assignors.kinds import GroupKind
from assignors.model import Group
from evaluation.comparing.changes import size_of
from evaluation.kinds.view import view_of
from evaluation.kinds.words import size_said
from evaluation.metrics import total_lag
from evaluation.wording import amount, plural
from ui import readings, scenario, start
from ui.picture import places
from ui.scenario import Scenario
from ui.untrusted import verbatim

_SEPARATOR: Final = "\u00a0· "
"""Of facts in a line, of which none begins with it."""
_LONGEST_TITLE: Final = 70
"""Characters of a name that fit on two lines beside the buttons."""


class HeaderChoices(NamedTuple):
    """The header's choices, and a place that is filled once the answer is known."""

    present: PopoverContainer
    """Where slides, report, link and file go, if it is open."""
    is_editing: bool
    way: str | None


def header(current: Scenario) -> HeaderChoices:
    """Lay out the header."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="header"):
        with st.container(width="stretch", gap=None):
            name_group(current)
        with st.container(
            horizontal=True,
            width="content",
            vertical_alignment="center",
            gap="xxsmall",
            key=places.OWN_LINE,
        ):
            way = start.choose_way(current)
            is_editing = current.reading.as_kind is None and _edit_button()
            if not is_editing:
                undo_button(current)
            present = st.popover("Present", on_change="rerun", key="present")
    return HeaderChoices(present, is_editing=is_editing, way=way)


def _edit_button() -> bool:
    """Show the button that shows and hides the tables; return whether they are shown."""
    is_editing = start.is_editing()
    label = "Close" if is_editing else "Edit"
    st.button(label, key="edit_tables", on_click=start.edit, args=(not is_editing,))
    return is_editing


def name_group(current: Scenario) -> None:
    """Show the group's name, and its size as it is on screen."""
    title = current.title
    is_long = len(title) > _LONGEST_TITLE
    shown = f"{title[: _LONGEST_TITLE - 1]}…" if is_long else title
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(
            verbatim(shown),
            anchor=False,
            help=verbatim(title) if is_long else None,
            width="content",
        )
        if current.origin:
            st.badge("example", color="blue")
        else:
            st.empty()  # else the last group's badge stays until all of this one has been computed
        if not current.reading.kind.runs_consumer_strategies:
            st.badge(current.reading.kind.label, color="blue")
        readings.report(current)
    st.markdown(f":small[:gray[{_SEPARATOR.join(_size(current))}]]")


def _size(current: Scenario) -> list[str]:
    group, total = current.group, total_lag(current.group)
    as_kind = current.reading.as_kind
    said = size_of(group).split(", ") if as_kind is None else size_said(view_of(as_kind, group))
    if total.known is not None:
        said.append(f"{amount(total.known)} records behind")
    if total.unknown_partitions and current.reading.kind is not GroupKind.CONNECT:
        said.append(f"lag unknown in {plural(total.unknown_partitions, 'partition')}")
    return [*said, "edited"] if current.is_edited else said


def undo_button(current: Scenario) -> None:
    """Offer to take back the last change, if there is one."""
    if current.earlier:
        st.button("Undo", on_click=scenario.undo, help="Take back the last change")


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
    """Say, on other pages, whose plan it is and from which backlog it starts."""
    total = total_lag(current.group)
    backlog = "lag unknown" if total.known is None else f"{amount(total.known)} records behind"
    st.markdown(
        f":small[**{verbatim(current.title)}**: {size_of(current.group)}, {backlog}"
        f"{', edited' if current.is_edited else ''}]"
    )
