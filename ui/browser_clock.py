"""The clock of the browser, by which pastes are dated: a server's may be wrong, or far away."""

import math
import time
from typing import Final

import streamlit as st

from ui.picture import places

_KEY: Final = "browser_clock"
_AHEAD: Final = "browser_ahead_s"
_ask = st.components.v2.component(
    "kafka_assignments_clock",
    html="<span></span>",
    js="""
    export default function ({ parentElement, setStateValue }) {
      if (parentElement.isTold) return;
      parentElement.isTold = true;
      setStateValue("now_ms", Date.now());
    }
    """,
)


def ask() -> None:
    """Ask the browser for its time, once a session.

    The place of the question stays, or what follows it would be drawn twice while it goes.
    """
    place = st.container(key=places.CLOCK)
    if _AHEAD not in st.session_state:
        with place:
            _ask(key=_KEY, on_now_ms_change=_keep)


def now_s() -> float:
    """Return the browser's time in seconds since the epoch; the server's until it has told."""
    return time.time() + float(st.session_state.get(_AHEAD, 0.0))


def _keep() -> None:
    now_ms = (st.session_state.get(_KEY) or {}).get("now_ms")
    if isinstance(now_ms, int | float) and math.isfinite(now_ms):
        st.session_state[_AHEAD] = now_ms / 1000 - time.time()
