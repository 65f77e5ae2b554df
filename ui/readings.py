"""The groups last read from a text, files or a cluster, to choose from and to check."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import streamlit as st

from evaluation.reading import Reading
from evaluation.wording import plural
from processes.calls import StoppedError
from sources.added import added, is_same_group
from sources.errors import SourceError
from sources.pastes.page import is_command
from sources.text import Files
from ui import browser_clock, scenario, widgets
from ui.picture import places
from ui.scenario import Scenario
from ui.untrusted import verbatim

_READ: Final = "readings"
_IGNORED_SHOWN: Final = 200
_MOST_CHIPS: Final = 6
"""Groups that are named beside one another; more are a list."""


class Last(NamedTuple):
    """What was read last, and what of it was added to the group on screen."""

    title: str
    readings: tuple[Reading, ...] = ()
    refusal: str = ""
    """Why the last attempt gave no group; what was read before stays."""
    unread: tuple[str, ...] = ()
    """Why files beside those that were read were not."""
    alone: Reading | None = None
    """The text that was added to the group on screen, as if nothing had been there."""
    is_repeat: bool = False
    """Whether that text repeated the snapshot on screen and was left out."""


def last() -> Last:
    """Return what this visitor read last."""
    found: Last = st.session_state.get(_READ, Last(""))
    return found


def keep(title: str, opened: Sequence[Reading]) -> None:
    """Keep groups that were opened together, as those of one text."""
    st.session_state[_READ] = Last(title, tuple(opened))


def refuse(why: str) -> None:
    """Keep why the last attempt gave no group; what was read before stays."""
    st.session_state[_READ] = last()._replace(refusal=why, unread=())


def open_first(
    title: str, read: Callable[[], Files], *, is_text: bool = False, is_pasted: bool = False
) -> bool:
    """Show the first group that was read and keep all; return whether there was one.

    A further text of the group on screen is added to it; one that is pasted was taken now. Without
    a group, ``problem`` shows the reason.
    """
    now_s = browser_clock.now_s() if is_pasted else math.nan
    try:
        found = read()
    except (SourceError, StoppedError) as error:
        refuse(str(error))
        return False
    readings = tuple(replace(reading, pasted_s=now_s) for reading in found.readings)
    opened = (_add(readings) if is_text else None) or Last(title, readings)
    st.session_state[_READ] = opened._replace(unread=found.unread)
    if opened.alone is None:
        scenario.show(readings[0].name or title, readings[0])
    return True


def _add(readings: Sequence[Reading]) -> Last | None:
    """Add readings to those on screen if one is of the group on screen; None if none is."""
    before, shown = last(), scenario.shown()
    if shown is None or not any(each is shown.reading for each in before.readings):
        return None
    alone = next((each for each in readings if is_same_group(shown.reading, each)), None)
    if alone is None or alone.group is shown.reading.group:  # with its topology
        return None
    kept, rest = [], list(readings)
    on_screen = added(shown.reading, alone)
    for each in before.readings:
        same = next((other for other in rest if is_same_group(each, other)), None)
        kept.append(each if same is None else added(each, same).reading)
        rest = [other for other in rest if other is not same]
        if each is shown.reading:
            kept[-1] = on_screen.reading
    if not on_screen.is_repeat:
        scenario.add(on_screen.reading)
    return before._replace(
        readings=(*kept, *rest), refusal="", alone=alone, is_repeat=on_screen.is_repeat
    )


def replace_instead() -> None:
    """Show the text that was added as if nothing had been there before; for callbacks."""
    before, shown = last(), scenario.shown()
    if before.alone is None or shown is None:
        return
    kept = (before.alone if each is shown.reading else each for each in before.readings)
    st.session_state[_READ] = before._replace(readings=tuple(kept), alone=None)
    scenario.read_otherwise(before.alone)


def problem() -> None:
    """Say why the last attempt gave no group, and whose answer is below."""
    if said := last().refusal:
        widgets.refusal(said)
        shown = scenario.shown()
        if shown is not None:
            with st.container(key=places.FORMER):
                st.markdown(f"Below is still **{verbatim(shown.title)}**, opened before.")


def unread() -> None:
    """Say which files beside those that were read were not, and why."""
    for said in last().unread:
        widgets.refusal(said)


def choose_group(current: Scenario) -> None:
    """Let the viewer choose among the groups read together with the one on screen."""
    title, readings = last()[:2]
    if len(readings) < 2:  # noqa: PLR2004 -- one leaves no choice
        return
    shown = next((k for k, each in enumerate(readings) if each is current.reading), None)
    if shown is None:
        return
    names = [f"{k + 1}. {reading.name or title}" for k, reading in enumerate(readings)]

    def open_chosen() -> None:
        reading = readings[names.index(st.session_state["group_read"])]
        scenario.show(reading.name or title, reading)

    st.session_state["group_read"] = names[shown]
    label = f"{plural(len(readings), 'group')} read; on screen"
    if len(readings) <= _MOST_CHIPS:
        st.pills(
            label,
            names,
            key="group_read",
            required=True,
            format_func=verbatim,
            on_change=open_chosen,
            label_visibility="collapsed",
        )
        return
    st.selectbox(label, names, key="group_read", on_change=open_chosen, width=560)


def report(current: Scenario) -> None:
    """Show how the input was read: rows, assumptions, and every unused line."""
    reading = current.reading
    if not any(each is reading for each in last().readings):
        return
    is_odd = any(not is_command(line) for _, line in reading.ignored)
    remarks = max(len(reading.notes), is_odd)
    label = plural(remarks, "note") if remarks else "Read"
    icon = ":material/info:" if remarks else ":material/check:"
    about = "How the input was read"
    with st.popover(label, icon=icon, help=about, type="tertiary", key=places.LOW):
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
