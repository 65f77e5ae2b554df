"""Choices in the URL on pages that a button leaves.

Streamlit cannot leave a page by a button while one of its widgets is bound to the URL, so these
read the URL when the widget first appears, and write it on each run.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import isfinite
from typing import Literal, TypeVar

import streamlit as st

_T = TypeVar("_T")


def choice(  # noqa: PLR0913 -- one argument a property of the widget
    label: str,
    options: Sequence[_T],
    name: str,
    written: Callable[[_T], str] = str,
    *,
    about: str | None = None,
    shown: Callable[[_T], str] | None = None,
) -> _T:
    """Show a list to choose from, by default the first option; return the choice.

    ``name`` is the widget's key and the query parameter; ``written`` formats options for the link,
    and for the list unless ``shown`` does. There must be an option.
    """
    _drop_if_gone(name, options)
    chosen = st.selectbox(
        label,
        options,
        index=0 if name in st.session_state else _index_in_url(options, name, written),
        format_func=shown or written,
        key=name,
        help=about,
        persist_state="session",
    )
    keep(name, [] if chosen == options[0] else [written(chosen)])
    return chosen


def switch(label: str, options: Sequence[str], name: str) -> str:
    """Show a few options side by side; return the chosen one; screen readers read the label."""
    _drop_if_gone(name, options)
    chosen = st.segmented_control(
        label,
        options,
        default=None if name in st.session_state else options[_index_in_url(options, name, str)],
        required=True,
        key=name,
        label_visibility="collapsed",
        persist_state="session",
    )
    view = chosen or options[0]
    keep(name, [] if view == options[0] else [view])
    return view


def several(  # noqa: PLR0913 -- one argument a property of the widget
    label: str,
    options: Sequence[str],
    name: str,
    written: Callable[[str], str],
    *,
    placeholder: str,
    about: str,
) -> list[str]:
    """Show a list to choose any number of options from; return them."""
    if name in st.session_state:
        kept = [option for option in st.session_state[name] if option in options]
        st.session_state[name] = kept
    in_url = st.query_params.get_all(name)
    chosen = st.multiselect(
        label,
        options,
        default=None
        if name in st.session_state
        else [option for option in options if written(option) in in_url],
        format_func=written,
        key=name,
        placeholder=placeholder,
        help=about,
        persist_state="session",
    )
    keep(name, [written(option) for option in chosen])
    return chosen


def text(
    label: str,
    name: str,
    placeholder: str,
    about: str | None = None,
    on_change: Callable[[], None] | None = None,
) -> str:
    """Show a text field; return its text. ``on_change`` is called when it is typed, not linked."""
    typed = st.text_input(
        label,
        value="" if name in st.session_state else st.query_params.get(name, ""),
        key=name,
        placeholder=placeholder,
        help=about,
        on_change=on_change,
        persist_state="session",
    )
    keep(name, [typed] if typed else [])
    return typed


def bound_if_finite(name: str) -> Literal["query-params"] | None:
    """Bind a field for a whole number to the link unless the number there is infinite.

    Streamlit 1.67 converts every number in the link to an integer, which fails for infinity.
    """
    with suppress(ValueError):
        return "query-params" if isfinite(float(st.query_params.get(name, "0"))) else None
    return "query-params"


def keep(name: str, values: Sequence[str]) -> None:
    """Write a choice to the link, or remove the default."""
    if values:
        st.query_params[name] = list(values)
    elif name in st.query_params:
        del st.query_params[name]


def _drop_if_gone(name: str, options: Sequence[object]) -> None:
    """Drop a choice that the present tables do not offer."""
    if name in st.session_state and st.session_state[name] not in options:
        del st.session_state[name]


def _index_in_url(options: Sequence[_T], name: str, written: Callable[[_T], str]) -> int:
    if name in st.session_state:  # chosen on another page, by another widget
        return options.index(st.session_state[name])
    in_url = st.query_params.get(name)
    return next((k for k, option in enumerate(options) if written(option) == in_url), 0)
