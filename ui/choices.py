"""What a visitor chooses: one kind of object, with its name, how long it lasts, and how it is read.

A choice has one name, which is the key of its widget and its parameter in the link. Streamlit
cannot leave a page by a button while one of its widgets is bound to the URL, so widgets here read
the link when they first appear, and write it on each run.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from math import isfinite, nan
from typing import Final, TypeVar

import streamlit as st

from ui.kept_choices import keep, state_beside, stated

_T = TypeVar("_T")
LEAST: Final = 1e-9
MOST: Final = 1e15
"""The bounds of a number above 0 that is stated; a link, or a field, may hold any."""
_DEFAULT: Final = "_by_default"
_MOST_WHOLE: Final = 2**53 - 1
"""The largest whole number that a browser tells from its neighbours."""
_ON: Final = "true"
"""How a link has a switch that is on."""


class Lasts(Enum):
    """How long a choice lasts."""

    PAGE = "on its page, and in its link"
    VISITOR = "for any group, on all pages"
    GROUP = "with its group: it leaves the screen with it, and returns with it"


@dataclass(frozen=True)
class UserChoice:
    """One choice of the visitor."""

    name: str
    """The widget's key and the parameter in the link."""
    lasts: Lasts = Lasts.PAGE
    options: tuple[str, ...] = ()
    """Texts to choose from, the default first; () where the page has them, or for a number."""
    may_be_zero: bool = False
    """Whether a number is usable that is 0, beside those from ``LEAST`` to ``MOST``."""

    def text(self) -> str | None:
        """Return a text that the visitor stated here, on another page, or in the link."""
        value = self._stated()
        return str(value) if value else None

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

    def picked(self) -> str | None:
        """Return what the visitor chose; None where a field shows what it does by default."""
        is_default = st.session_state.get(self.name) == st.session_state.get(self._default)
        return None if is_default and self.name in st.session_state else self.text()

    def chosen(self, options: tuple[str, ...] = ()) -> str:
        """Return what the visitor chose here, on another page, or in the link; else the default.

        What a field showed by default is no choice: another group may have another default.
        """
        options = options or self.options
        shown = st.session_state.get(self.name)
        if shown == st.session_state.get(self._default) != options[0]:
            st.session_state.pop(self.name, None)
        chosen = str(self._stated())
        return chosen if chosen in options else options[0]

    def written(self) -> str | None:
        """Return what is stated as a link has it; None if nothing is."""
        value = self._stated()
        if value is None:
            return None
        return f"{value:g}" if isinstance(value, float) else str(value)

    def ask_number(self, label: str, about: str, placeholder: str = "") -> float | None:
        """Ask for a number; return None if it is blank."""
        entered = st.number_input(
            label,
            value=None if self.name in st.session_state else self.number(),
            format="%g",
            key=self.name,
            placeholder=placeholder,
            help=about,
            persist_state="session",
        )
        keep(self.name, [] if entered is None else [f"{entered:g}"])
        return entered

    def ask(
        self,
        label: str,
        about: str,
        options: tuple[str, ...] = (),
        shown: Callable[[str], str] = str,
    ) -> str:
        """Ask for one of the options, the first by default."""
        options = options or self.options
        chosen = st.selectbox(
            label,
            options,
            index=options.index(self.chosen(options)),
            format_func=shown,
            key=self.name,
            help=about,
            persist_state="session",
        )
        st.session_state[self._default] = options[0]
        keep(self.name, [] if chosen == options[0] else [chosen])
        return chosen

    def pick(  # noqa: PLR0913 -- what a list needs, most of it by default
        self,
        label: str,
        options: Sequence[_T],
        written: Callable[[_T], str] = str,
        *,
        about: str | None = None,
        shown: Callable[[_T], str] | None = None,
        usual: _T | None = None,
    ) -> _T:
        """Show a list of whatever there is now; return the choice.

        By default that is ``usual``, or the first.
        ``written`` formats options for the link, and for the list unless ``shown`` does. There must
        be an option.
        """
        self._drop_if_gone(options)
        usual = options[0] if usual is None else usual
        in_url = self._index_in_url(options, written, options.index(usual))
        chosen = st.selectbox(
            label,
            options,
            index=0 if self.name in st.session_state else in_url,
            format_func=shown or written,
            key=self.name,
            help=about,
            persist_state="session",
        )
        keep(self.name, [] if chosen == usual else [written(chosen)])
        return chosen

    def switch(self, label: str, options: Sequence[str], *, is_label_shown: bool = False) -> str:
        """Show a few options side by side; return the chosen one; screen readers read the label."""
        self._drop_if_gone(options)
        is_shown = self.name in st.session_state
        chosen = st.segmented_control(
            label,
            options,
            default=None if is_shown else options[self._index_in_url(options, str)],
            required=True,
            key=self.name,
            label_visibility="visible" if is_label_shown else "collapsed",
            wrap=True,
            persist_state="session",
        )
        view = chosen or options[0]
        keep(self.name, [] if view == options[0] else [view])
        return view

    def fold(self, label: str, options: Sequence[str]) -> str | None:
        """Show options side by side, at first none of them chosen; return the chosen one."""
        self._drop_if_gone((None, *options))
        known = st.session_state.get(self.name, st.query_params.get(self.name))
        chosen = st.pills(
            label,
            options,
            default=known if known in options else None,
            key=self.name,
            label_visibility="collapsed",
            wrap=True,
            persist_state="session",
        )
        keep(self.name, [chosen] if chosen else [])
        return chosen

    def toggle(self, label: str, about: str) -> bool:
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

    def count(
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
        in_url = self._whole_in_url(least, most)
        is_first = self.name not in st.session_state
        number = st.slider(
            label,
            least,
            most,
            value=usual if is_first and in_url is None else in_url,
            step=1,
            key=self.name,
            persist_state="session",
        )
        keep(self.name, [] if number == usual else [str(number)])
        return number

    def several(
        self,
        label: str,
        options: Sequence[str],
        written: Callable[[str], str],
        *,
        placeholder: str,
        about: str,
    ) -> list[str]:
        """Show a list to choose any number of options from; return them."""
        if self.name in st.session_state:
            kept = [option for option in st.session_state[self.name] if option in options]
            st.session_state[self.name] = kept
        in_url = st.query_params.get_all(self.name)
        chosen = st.multiselect(
            label,
            options,
            default=None
            if self.name in st.session_state
            else [option for option in options if written(option) in in_url],
            format_func=written,
            key=self.name,
            placeholder=placeholder,
            help=about,
            persist_state="session",
        )
        keep(self.name, [written(option) for option in chosen])
        return chosen

    def several_shown(
        self,
        label: str,
        options: Sequence[str],
        written: Callable[[str], str],
        usual: Sequence[str],
    ) -> list[str]:
        """Show options side by side, any number of them chosen, by default ``usual``."""
        in_url = st.query_params.get_all(self.name)
        linked = [option for option in options if written(option) in in_url] or usual
        known = st.session_state.get(self.name, linked)  # another page's pills are not these
        chosen = st.pills(
            label,
            options,
            selection_mode="multi",
            default=[option for option in options if option in known],
            format_func=written,
            key=self.name,
            wrap=True,
            persist_state="session",
        )
        keep(self.name, [] if chosen == [*usual] else [written(option) for option in chosen])
        return chosen

    def ask_text(
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

    def state(self, number: float) -> None:
        """State a number in the visitor's place; for callbacks."""
        st.session_state[self.name] = number
        keep(self.name, [f"{number:g}"])

    def put(self, value: str | None) -> None:
        """State this where no field does, or nothing; for callbacks."""
        state_beside(self.name, value)

    @property
    def _default(self) -> str:
        return f"{self.name}{_DEFAULT}"

    def _stated(self) -> str | float | None:
        return stated(self.name, of_group=self.lasts is Lasts.GROUP)

    def _drop_if_gone(self, options: Sequence[object]) -> None:
        """Drop a choice that the present tables do not offer."""
        if self.name in st.session_state and st.session_state[self.name] not in options:
            del st.session_state[self.name]

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

    def _index_in_url(
        self, options: Sequence[_T], written: Callable[[_T], str], usual: int = 0
    ) -> int:
        if self.name in st.session_state:  # chosen on another page, by another widget
            return options.index(st.session_state[self.name])
        in_url = st.query_params.get(self.name)
        return next((k for k, option in enumerate(options) if written(option) == in_url), usual)
