"""Long work on a page: with a bar, a button to stop, and a way to go on."""

from collections.abc import Iterable
from typing import Final, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_STOPPED: Final = "stopped_work"
_Tried = TypeVar("_Tried")


class PageProgress:
    """Long work on one question, with a bar and a way to stop; the key tells questions apart."""

    def __init__(self, key: str) -> None:
        """Resume the question where it was left."""
        self._key = key
        self._bars = 0

    @property
    def is_stopped(self) -> bool:
        """Whether the viewer stopped this very question."""
        return bool(st.session_state.get(_STOPPED) == self._key)

    def stop(self) -> None:
        """Stop trying; the answer rests on what was tried."""
        st.session_state[_STOPPED] = self._key

    def resume(self) -> None:
        """Go on where the work was stopped."""
        st.session_state[_STOPPED] = None

    def stopped_notice(self, area: DeltaGenerator) -> None:
        """Say where the bar was that the viewer stopped the work, and offer to go on."""
        with area.container(horizontal=True, vertical_alignment="center"):
            st.caption("Stopped: the answer rests on what was tried so far.")
            st.button("Continue", on_click=self.resume, icon=":material/play_arrow:")

    def run(self, tries: Iterable[_Tried], area: DeltaGenerator, expected: int, said: str) -> None:
        """Work through what is tried, with a bar and a button to stop once there is work.

        ``said`` names each with ``{}``.
        """
        if self.is_stopped:
            return
        bar = None
        for done, tried in enumerate(tries):
            bar = bar or self._bar(area)
            # The bar is also where Streamlit interrupts a run whose viewer stops or leaves.
            bar.progress(done / (done + expected / 3), said.format(tried))
        area.empty()

    def _bar(self, area: DeltaGenerator) -> DeltaGenerator:
        self._bars += 1
        with area.container(horizontal=True, vertical_alignment="center"):
            bar = st.empty()
            st.button(
                "Stop",
                key=f"stop {self._key} {self._bars}",
                on_click=self.stop,
                icon=":material/stop:",
            )
        return bar
