"""Options that visitors choose one of, or several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import streamlit as st

from ui.choices.choice import UserChoice
from ui.choices.kept import keep

_T = TypeVar("_T")
_DEFAULT: Final = "_by_default"


@dataclass(frozen=True)
class OptionChoice(UserChoice):
    """One of several options."""

    options: tuple[str, ...] = ()
    """What to choose from, the default first; () where the page has them."""

    def text(self) -> str | None:
        """Return a text that the visitor stated here, on another page, or in the link."""
        value = self._stated()
        return str(value) if value else None

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

    def switch(
        self,
        label: str,
        options: Sequence[str],
        *,
        about: str | None = None,
        is_label_shown: bool = False,
    ) -> str:
        """Show a few options side by side; return the chosen one; screen readers read the label."""
        self._drop_if_gone(options)
        is_shown = self.name in st.session_state
        chosen = st.segmented_control(
            label,
            options,
            default=None if is_shown else options[self._index_in_url(options, str)],
            required=True,
            key=self.name,
            help=about,
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

    @property
    def _default(self) -> str:
        return f"{self.name}{_DEFAULT}"

    def _drop_if_gone(self, options: Sequence[object]) -> None:
        """Drop a choice that the present tables do not offer."""
        if self.name in st.session_state and st.session_state[self.name] not in options:
            del st.session_state[self.name]

    def _index_in_url(
        self, options: Sequence[_T], written: Callable[[_T], str], usual: int = 0
    ) -> int:
        if self.name in st.session_state:  # chosen on another page, by another widget
            return options.index(st.session_state[self.name])
        in_url = st.query_params.get(self.name)
        return next((k for k, option in enumerate(options) if written(option) == in_url), usual)


class SeveralChoice(UserChoice):
    """Any number of several options."""

    def ask(
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

    def ask_side_by_side(
        self,
        label: str,
        options: Sequence[str],
        written: Callable[[str], str],
        *,
        usual: Sequence[str] = (),
        about: str | None = None,
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
            help=about,
            wrap=True,
            persist_state="session",
        )
        keep(self.name, [] if chosen == [*usual] else [written(option) for option in chosen])
        return chosen
