"""What was last found in a text, in files or on a cluster: shown, chosen from, or explained."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from sources.errors import SourceError
from sources.reading import Reading
from ui import scenario
from ui.scenario import Scenario
from ui.words import plural

_FOUND: Final = "groups_found"
_IGNORED_SHOWN: Final = 200


def open_first(title: str, read: Callable[[], Sequence[Reading]]) -> None:
    """Show the first group that is read; keep them all, or the sentence why there is none."""
    try:
        found = read()
    except SourceError as error:
        st.session_state[_FOUND] = (title, str(error))
        return
    st.session_state[_FOUND] = (title, found)
    scenario.show(found[0].group.id or title, found[0])


def outcome(current: Scenario) -> None:
    """Show what came of the last attempt: an error, or groups and how they were read."""
    title, found = st.session_state.get(_FOUND, ("", ()))
    if isinstance(found, str):
        st.error(found, icon=":material/error:")
        return
    if len(found) > 1:
        _choose_group(title, found)
    if any(reading is current.reading for reading in found):
        _reading_report(current.reading)


def _reading_report(reading: Reading) -> None:
    """Show what was made of a text: rows, assumptions, and every line not used."""
    if reading.is_live:
        st.caption(f"Read {plural(reading.rows, 'partition')} of {reading.format}.")
    else:
        rows = f"Read {plural(reading.rows, 'row')} as {reading.format}."
        st.caption(rows + ("" if reading.ignored else " Every line was used."))
    for note in reading.notes:
        st.caption(f":material/info: {note}")
    if reading.ignored:
        with st.expander(f"{plural(len(reading.ignored), 'line')} not used"):
            shown = reading.ignored[:_IGNORED_SHOWN]
            st.code("\n".join(f"{number:>5}  {text}" for number, text in shown), language=None)
            if len(reading.ignored) > len(shown):
                st.caption(f"… and {len(reading.ignored) - len(shown):,} more")


def _choose_group(title: str, found: Sequence[Reading]) -> None:
    names = [f"{k + 1}. {reading.group.id or title}" for k, reading in enumerate(found)]

    def open_chosen() -> None:
        reading = found[names.index(st.session_state["found_group"])]
        scenario.show(reading.group.id or title, reading)

    st.selectbox(
        f"{plural(len(found), 'group')} found; show",
        names,
        key="found_group",
        on_change=open_chosen,
        width=560,
    )
