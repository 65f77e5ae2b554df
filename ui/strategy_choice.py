"""The consumers' client, and those of its strategies that a page compares."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from evaluation.advice import best_of, is_judged_by_lag
from evaluation.clients import CLIENTS, JAVA, Client, runs_as
from sources.reading import Reading
from ui import cache, url_state

_BEST_CUSTOM: Final = "best-custom"
"""Placeholder for the best custom assignor of the group on screen."""
_IN_COMMON_USE: Final = ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688")
_SUPERSEDED: Final = "uniform"
_OF_EXAMPLE: Final = "strategies_of_example"
_CLIENT: Final = "client"
_KEPT: Final = "client_kept"
"""Session key that outlasts the list of clients, which every page redraws."""


def client() -> Client:
    """Return the chosen client, even before its list is drawn; by default Java's."""
    kept = st.session_state.get(_KEPT, st.query_params.get(_CLIENT))
    return CLIENTS.get(st.session_state.get(_CLIENT, kept), JAVA)


def choose_client() -> Client:
    """Let the visitor choose a client; return it."""
    names = tuple(CLIENTS)
    name = st.selectbox(
        "Which client?",
        names,
        index=names.index(client().name),
        format_func=lambda name: CLIENTS[name].label,
        key=_CLIENT,
        help="Clients assign differently under the same names; strategies, reasons, settings and "
        "advice are those of this one",
    )
    st.session_state[_KEPT] = name
    url_state.keep(_CLIENT, [] if name == JAVA.name else [name])
    return CLIENTS[name]


def choose_strategies(group: Group, reading: Reading) -> tuple[str, ...]:
    """Let the visitor choose strategies; return them in display order.

    An example may set its own strategies (``use_for``) as long as it is on screen.
    """
    opened, names = st.session_state.get(_OF_EXAMPLE, (None, ()))
    with st.popover(
        f"{client().short} strategies",
        icon=":material/tune:",
        help="Choose the client and what to compare",
    ):
        of = choose_client()
        chosen = _choose_of(of, names if opened is reading else None)
    wanted = {_resolved(group, name) for name in chosen}
    return tuple(name for name in ALL_STRATEGIES if name in wanted)


def _choose_of(of: Client, example: Sequence[str] | None) -> list[str]:
    """Let the visitor choose among the strategies of a client and an example; return them."""
    usual = _IN_COMMON_USE if of is JAVA else tuple(n for n in of.settable if n != _SUPERSEDED)
    best_custom = (_BEST_CUSTOM,) if of.custom else ()
    shown = tuple(dict.fromkeys((*of.strategies, *(example or ()), *best_custom)))
    key = "strategies" if of is JAVA else f"{of.name}_strategies"
    chosen = st.pills(
        "By default: the assignors in common use, and the best custom one"
        if of is JAVA
        else "By default: all that can be set, and the best custom assignor if there is one",
        shown,
        selection_mode="multi",
        default=(*usual, *best_custom) if example is None else example,
        format_func=_label,
        key=key if example is None else f"example_{key}",
        bind="query-params",
        wrap=True,
    )
    labels: dict[str, list[str]] = {}
    for strategy in (ALL_STRATEGIES[name] for name in shown if name != _BEST_CUSTOM):
        labels.setdefault(runs_as(strategy), []).append(strategy.label)
    for runs, of_kind in labels.items():
        st.caption(f"{runs}: {', '.join(of_kind)}")
    return list(chosen)


def use_for(reading: Reading, names: Sequence[str]) -> None:
    """Compare these strategies as long as the reading is on screen."""
    st.session_state[_OF_EXAMPLE] = (reading, tuple(names))


def _label(name: str) -> str:
    return "Best custom assignor" if name == _BEST_CUSTOM else ALL_STRATEGIES[name].label


def _resolved(group: Group, name: str) -> str:
    if name != _BEST_CUSTOM:
        return name
    custom = client().custom
    best = best_of(cache.answers(group, custom), by_lag=is_judged_by_lag(group))
    return custom[0] if best is None else best.name
