"""A plan to keep: saved today, asked again of another day's group."""

from datetime import UTC, datetime
from functools import partial
from typing import Final

import streamlit as st

from evaluation.comparing.changes import since
from evaluation.what_if import Asked
from processes.calls import StoppedError
from sources import plans
from sources.errors import SourceError
from sources.plans import Plan
from ui import downloads, told, widgets
from ui.scenario import Scenario
from ui.untrusted import verbatim
from ui.what_ifs import kept
from ui.workers import input_read

_OPENED: Final = "plan"
_MOST_MB: Final = 20
_OF_THAT_DAY: Final = {
    each.name for each in (told.TOTAL, told.RATES, told.RETENTION, told.INTERVAL, told.RUNS)
}
"""What was stated of the group as it was; the rest is assumed again."""


def offer(current: Scenario, asked: Asked, said: str) -> None:
    """Offer to save the plan, and to ask an earlier one of the group on screen."""
    plan = _plan(current, asked, said)  # here, because the file is made without a session
    with st.expander("Keep this plan, or ask an earlier one again", icon=":material/history:"):
        st.download_button(
            "Save the plan",
            partial(plans.encode, plan),
            file_name=downloads.file_name(current.group.id or current.title, "-plan.json"),
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            help="The scenarios, the assumptions and the group of today, in one file",
        )
        st.file_uploader(
            "Ask a saved plan of the group on screen",
            type=["json"],
            key="plan_file",
            on_change=_open,
            max_upload_size=_MOST_MB,
            help="Open today's group first, then the plan: its scenarios and assumptions apply "
            "to the names that both have, and what has changed is listed.",
        )


def show_since(current: Scenario) -> None:
    """Say what has changed since the opened plan was saved, or why it could not be opened."""
    opened = st.session_state.get(_OPENED)
    if isinstance(opened, str):
        widgets.refusal(opened)
    if not isinstance(opened, Plan):
        return
    before, after = opened.reading.group, current.group
    changed = since(before, after) or ("Nothing that counts has changed.",)
    if before.id and after.id and before.id != after.id:
        changed = (f"That was the group {before.id}; this is {after.id}.", *changed)
    left_out = _OF_THAT_DAY.intersection(opened.stated)
    if left_out:
        changed = (*changed, "What was stated of that day's group is not assumed again.")
    with st.container(border=True):
        st.markdown(f"**Since the plan of {opened.saved:%d %B %Y}**")
        if opened.said:
            st.markdown(f"It said: {verbatim(opened.said)}")
        st.markdown("\n".join(f"- {verbatim(each)}" for each in changed))
        st.button("Close", key="close_plan", on_click=_close)


def _plan(current: Scenario, asked: Asked, said: str) -> Plan:
    return Plan(
        reading=current.reading.with_group(current.group),
        saved=datetime.now(UTC).date(),
        said=said,
        stated=told.values(),
        asked=asked,
    )


def _open() -> None:
    uploaded = st.session_state["plan_file"]
    if uploaded is None:
        return
    try:
        plan = input_read(plans.decode_file, {uploaded.name: uploaded.getvalue()})
    except (SourceError, StoppedError) as error:
        st.session_state[_OPENED] = str(error)
        return
    st.session_state[_OPENED] = plan
    kept.keep(plan.asked)
    told.restore({name: v for name, v in plan.stated.items() if name not in _OF_THAT_DAY})


def _close() -> None:
    st.session_state.pop(_OPENED, None)
