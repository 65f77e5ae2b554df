"""Where what a visitor chose is kept: in the widget's state, beside the fields, and in the link."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import streamlit as st

BESIDE: Final = "told_beside_the_fields"
"""What was stated by the link or with the group; Streamlit drops a link's names on other pages."""
_OF_ANOTHER: Final[ContextVar[Mapping[str, str] | None]] = ContextVar("of_another", default=None)
"""What was stated of a group that is not on screen, while that is asked about."""


def stated(name: str, *, of_group: bool) -> str | float | None:
    """Return what is stated here, on another page or in the link; None if nothing is.

    ``of_group`` says whether it belongs to a group, so that another one has its own.
    """
    of_another = _OF_ANOTHER.get()
    if of_another is not None and of_group:
        return of_another.get(name)
    if name in st.session_state:
        value: str | float | None = st.session_state[name]
        return value
    beside: dict[str, str] = st.session_state.get(BESIDE, {})
    return st.query_params.get(name, beside.get(name))


def state_beside(name: str, value: str | None) -> None:
    """State this where no field does, or nothing; for callbacks."""
    st.session_state.pop(name, None)
    beside = st.session_state.setdefault(BESIDE, {})
    beside.pop(name, None)
    if value is not None:
        beside[name] = value
    keep(name, [] if value is None else [value])


@contextmanager
def stated_of_another(stated: Mapping[str, str]) -> Iterator[None]:
    """Read, but do not ask, what was stated of a group that is not on screen, by name."""
    before = _OF_ANOTHER.set(stated)
    try:
        yield
    finally:
        _OF_ANOTHER.reset(before)


def keep(name: str, values: Sequence[str]) -> None:
    """Write a choice to the link, or remove the default."""
    if values:
        st.query_params[name] = list(values)
    elif name in st.query_params:
        del st.query_params[name]
