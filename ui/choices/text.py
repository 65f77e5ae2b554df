"""Texts that visitors type, and switches that they turn on."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from ui.choices.choice import UserChoice
from ui.choices.kept import keep

_ON: Final = "true"
"""How a link has a switch that is on."""


class TextChoice(UserChoice):
    """A text."""

    def ask(
        self,
        label: str,
        placeholder: str = "",
        about: str | None = None,
        on_change: Callable[[], None] | None = None,
        *,
        usual: str = "",
    ) -> str:
        """Show a text field; return its text. ``on_change`` is called when it is typed."""
        in_url = st.query_params.get(self.name, usual)
        typed = st.text_input(
            label,
            value=usual if self.name in st.session_state else in_url,
            key=self.name,
            placeholder=placeholder,
            help=about,
            on_change=on_change,
            persist_state="session",
        )
        keep(self.name, [] if typed == usual else [typed])
        return typed


class ToggleChoice(UserChoice):
    """On, or off by default."""

    def ask(self, label: str, about: str) -> bool:
        """Show a switch that is off by default; return whether it is on."""
        in_url = st.query_params.get(self.name) == _ON
        is_on = st.toggle(
            label,
            value=in_url and self.name not in st.session_state,
            key=self.name,
            help=about,
            persist_state="session",
        )
        keep(self.name, [_ON] if is_on else [])
        return is_on
