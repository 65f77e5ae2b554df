"""The groups last read from a text, files or a cluster, to choose from and to check."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from evaluation.wording import plural
from processes.calls import StoppedError
from sources.errors import SourceError
from sources.pastes.page import is_command
from sources.reading import Reading
from ui import scenario, widgets
from ui.scenario import Scenario
from ui.untrusted import verbatim

_READ: Final = "readings"
_IGNORED_SHOWN: Final = 200


def open_first(title: str, read: Callable[[], Sequence[Reading]]) -> bool:
    """Show the first group that was read and keep all; return whether there was one.

    Without one, ``problem`` shows the reason.
    """
    try:
        readings = read()
    except (SourceError, StoppedError) as error:
        st.session_state[_READ] = (title, str(error))
        return False
    st.session_state[_READ] = (title, readings)
    scenario.show(readings[0].name or title, readings[0])
    return True


def problem() -> None:
    """Say why the last attempt gave no group."""
    _, readings = st.session_state.get(_READ, ("", ()))
    if isinstance(readings, str):
        widgets.refusal(readings)


def choose_group(current: Scenario) -> None:
    """Let the viewer choose among the groups read together with the one on screen."""
    title, readings = st.session_state.get(_READ, ("", ()))
    if isinstance(readings, str) or len(readings) < 2:  # noqa: PLR2004 -- one leaves no choice
        return
    shown = next((k for k, each in enumerate(readings) if each is current.reading), None)
    if shown is None:
        return
    names = [f"{k + 1}. {reading.name or title}" for k, reading in enumerate(readings)]

    def open_chosen() -> None:
        reading = readings[names.index(st.session_state["group_read"])]
        scenario.show(reading.name or title, reading)

    st.session_state["group_read"] = names[shown]
    st.selectbox(
        f"{plural(len(readings), 'group')} read; on screen",
        names,
        key="group_read",
        on_change=open_chosen,
        width=560,
    )


def report(current: Scenario) -> None:
    """Show how the input was read: rows, assumptions, and every unused line."""
    _, readings = st.session_state.get(_READ, ("", ()))
    reading = current.reading
    if isinstance(readings, str) or not any(each is reading for each in readings):
        return
    is_odd = any(not is_command(line) for _, line in reading.ignored)
    remarks = len(reading.notes) + is_odd
    label = plural(remarks, "note") if remarks else "Read"
    icon = ":material/info:" if remarks else ":material/check:"
    with st.popover(label, icon=icon, help="How the input was read"):
        _how_read(reading)


def _how_read(reading: Reading) -> None:
    if reading.is_live:
        st.markdown(f"Read {plural(reading.rows, 'partition')} of {verbatim(reading.format)}.")
    else:
        every = "" if reading.ignored else " Every line was used."
        st.markdown(f"Read {plural(reading.rows, 'row')} as {verbatim(reading.format)}.{every}")
    for note in reading.notes:
        st.markdown(f":material/info: {verbatim(note)}")
    if reading.ignored:
        st.markdown(f"{plural(len(reading.ignored), 'line')} not used:")
        shown = reading.ignored[:_IGNORED_SHOWN]
        st.code("\n".join(f"{number:>5}  {text}" for number, text in shown), language=None)
        if len(reading.ignored) > len(shown):
            st.caption(f"… and {len(reading.ignored) - len(shown):,} more")
