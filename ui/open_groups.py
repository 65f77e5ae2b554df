"""The groups that a visitor has open as one plan: saved, in a link, opened again."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from evaluation.reading import Reading
from processes.calls import StoppedError
from sources import links, plans_of_groups
from sources.errors import SourceError
from sources.plans_of_groups import PlanGroup, PlanOfGroups
from ui import downloads, price, readings, scenario, told
from ui.copying import copy_button
from ui.scenario import Scenario
from ui.workers import input_read

GROUPS: Final = "groups"
"""The query parameter that holds a plan of several groups."""


def plan_of(groups: Sequence[Scenario]) -> PlanOfGroups:
    """Return open groups as they are on screen, with what is stated of each and asked of all."""
    return PlanOfGroups(
        groups=[
            PlanGroup(
                title=each.title,
                reading=each.reading.with_group(each.group),
                stated=told.of_group(each.told),
            )
            for each in groups
        ],
        asked={**told.of_visitor(told.values()), **price.written()},
    )


def open_plan(plan: PlanOfGroups) -> tuple[Reading, ...]:
    """Open the groups of a plan in the place of all that were open, and ask what it asks.

    Return their readings. The first is on screen then; for callbacks and the start of a session.
    """
    opened = open_together("Plan", scenarios_of(plan))
    told.restore(told.of_visitor(plan.asked))
    price.restore(plan.asked)
    return opened


def open_together(title: str, groups: Sequence[Scenario]) -> tuple[Reading, ...]:
    """Open these groups in the place of all that were open; return their readings."""
    scenario.open_together(groups)
    opened = tuple(each.reading for each in groups)
    readings.keep(title, opened)
    return opened


def open_files(files: Mapping[str, bytes]) -> bool | None:
    """Open the plan of an upload; return whether it could be read, None if it is no plan."""
    (data, *others) = files.values()
    if others or not plans_of_groups.may_be_plan(data):
        return None
    try:
        open_plan(input_read(plans_of_groups.decode_file, files))
    except (SourceError, StoppedError) as error:
        readings.refuse(str(error))
        return False
    return True


def scenarios_of(plan: PlanOfGroups) -> list[Scenario]:
    """Return the groups of a plan as scenarios, in order."""
    return [
        scenario.opened(each.title or "A group", each.reading, stated=each.stated)
        for each in plan.groups
    ]


def link_and_file(groups: Sequence[Scenario]) -> None:
    """Show a link with all these groups, or why there is none, and the file that holds them."""
    plan = plan_of(groups)
    text = plans_of_groups.encode_link(plan)
    if text is not None:
        copy_button("Copy link to these groups", _link(text), "copy_groups_link")
    st.download_button(
        "Plan file",
        partial(plans_of_groups.encode, plan),
        file_name=downloads.file_name("groups", "-plan.json"),
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
        key="plan_of_groups",
        help="Every group with what was stated of it, and what is asked of all; open it under "
        "Upload on the Group page",
    )
    if text is None:
        st.caption(
            f"These {len(groups)} groups are too much for a link of "
            f"{links.MOST_CHARACTERS:,} characters. Send the plan file instead."
        )


def _link(text: str) -> str:
    """Return the address of this page with the groups as its one parameter."""
    return f"{(st.context.url or '').rstrip('/')}?{urlencode({GROUPS: text})}"
