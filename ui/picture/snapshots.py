"""The strip of a group's snapshots."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from ui.picture.model import SnapshotStrip
from ui.picture.parts import read
from ui.picture.verdict import button_data

_KEY: Final = "snapshot_strip"
_MOST_MARKS: Final = 3
_draw = st.components.v2.component(
    "kafka_assignments_snapshots",
    html='<div class="place"></div>',
    css=read("palette.css", "snapshots.css"),
    js=read("elements.js", "snapshots.js"),
)


def show(strip: SnapshotStrip, press: Callable[[str], None], told: Callable[[float], None]) -> None:
    """Show the strip; ``press`` gets a button's key, ``told`` the seconds that a viewer typed."""

    def pressed() -> None:
        key = (st.session_state.get(_KEY) or {}).get("pressed")
        if key:
            press(str(key))

    def typed() -> None:
        seconds = (st.session_state.get(_KEY) or {}).get("seconds")
        if isinstance(seconds, int | float) and seconds > 0:
            told(float(seconds))

    _draw(key=_KEY, data=strip_data(strip), on_pressed_change=pressed, on_seconds_change=typed)


def strip_data(strip: SnapshotStrip) -> dict[str, Any]:
    """Return what the script draws, as JSON: the last snapshots, and how many came before."""
    shown = strip.marks[-_MOST_MARKS:]
    return {
        "marks": [{"when": mark.when, "behind": mark.behind} for mark in shown],
        "left": len(strip.marks) - len(shown),
        "seconds": strip.seconds,
        "is_asked": strip.is_asked,
        "note": strip.note,
        "buttons": [button_data(button) for button in strip.buttons],
    }
