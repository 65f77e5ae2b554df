"""Numbers that visitors state."""

from contextlib import suppress
from dataclasses import dataclass
from math import isfinite, nan
from typing import Final

import streamlit as st

from ui.choices.choice import UserChoice
from ui.choices.kept import keep

LEAST: Final = 1e-9
MOST: Final = 1e15
"""The bounds of a number above 0 that is stated; a link, or a field, may hold any."""
_MOST_WHOLE: Final = 2**53 - 1
"""The largest whole number that a browser tells from its neighbours."""


@dataclass(frozen=True)
class NumberChoice(UserChoice):
    """A number."""

    may_be_zero: bool = False
    """Whether a number is usable that is 0, beside those from ``LEAST`` to ``MOST``."""

    def number(self) -> float | None:
        """Return a number that the visitor states here, on another page, or in the link."""
        value = self._stated()
        with suppress(ValueError):
            stated = nan if value is None else float(value)
            return stated if isfinite(stated) else None
        return None

    def usable(self) -> float | None:
        """Return a stated number if it is within bounds, for all but the page that asks it.

        That page refuses any other in a sentence; there and elsewhere nothing is computed from it.
        """
        value = self.number()
        if value is None or (value == 0 and self.may_be_zero):
            return value
        return value if LEAST <= value <= MOST else None

    def ask(
        self, label: str, about: str, placeholder: str = "", least: float | None = None
    ) -> float | None:
        """Ask for a number; return None if it is blank, as where a link has less than the least."""
        linked = None if self.name in st.session_state else self.number()
        if linked is not None and least is not None and linked < least:
            linked = None
        entered = st.number_input(
            label,
            least,
            value=linked,
            format="%g",
            key=self.name,
            placeholder=placeholder,
            help=about,
            persist_state="session",
        )
        keep(self.name, [] if entered is None else [f"{entered:g}"])
        return entered

    def ask_whole(
        self, label: str, least: int = 0, most: int | None = None, *, placeholder: str, about: str
    ) -> int | None:
        """Ask for a whole number; return None if it is blank."""
        self._drop_if_beyond(least, most)
        entered = st.number_input(
            label,
            least,
            most,
            value=self._whole_in_url(least, most),
            step=1,
            key=self.name,
            placeholder=placeholder,
            help=about,
            persist_state="session",
        )
        keep(self.name, [] if entered is None else [str(entered)])
        return entered

    def place(self, label: str, least: int, most: int) -> int:
        """Ask for one of the whole numbers between two, the first by default."""
        self._drop_if_beyond(least, most)
        usual = self._whole_in_url(least, most)
        number = st.number_input(
            label,
            least,
            most,
            value=least if usual is None and self.name not in st.session_state else usual,
            step=1,
            key=self.name,
            persist_state="session",
        )
        chosen = least if number is None else number
        keep(self.name, [] if chosen == least else [str(chosen)])
        return chosen

    def slide(self, label: str, least: int, most: int, usual: int) -> int:
        """Ask for a whole number between two that differ."""
        self._drop_if_beyond(least, most)
        linked = self._whole_in_url(least, most)
        is_first = self.name not in st.session_state
        number = st.slider(
            label,
            least,
            most,
            value=usual if is_first and linked is None else linked,
            step=1,
            key=self.name,
            persist_state="session",
        )
        keep(self.name, [] if number == usual else [str(number)])
        return number

    def state(self, number: float) -> None:
        """State a number in the visitor's place; for callbacks."""
        st.session_state[self.name] = number
        keep(self.name, [f"{number:g}"])

    def _drop_if_beyond(self, least: int, most: int | None) -> None:
        """Drop a number that the present group does not have."""
        number = st.session_state.get(self.name)
        if number is not None and (number < least or (most is not None and number > most)):
            del st.session_state[self.name]

    def _whole_in_url(self, least: int, most: int | None) -> int | None:
        """Return the whole number in the link, where no field has one and it is within bounds."""
        number = None if self.name in st.session_state else self.number()
        if number is None or not least <= number <= (_MOST_WHOLE if most is None else most):
            return None
        return int(number)
