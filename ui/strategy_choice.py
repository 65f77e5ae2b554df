"""Which client the consumers run on, and which of its strategies a page compares."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from assignors.registry import Kind
from evaluation.advice import best_of, is_judged_by_lag
from evaluation.clients import CLIENTS, JAVA, Client
from sources.reading import Reading
from ui import cache, linked

_BEST_CUSTOM: Final = "best-custom"
"""Stands for whichever custom assignor serves the group on screen best."""
_IN_COMMON_USE: Final = ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688")
_SUPERSEDED: Final = "uniform"
_OF_EXAMPLE: Final = "strategies_of_example"
_CLIENT: Final = "client"


def client() -> Client:
    """Return the client chosen, also before its list is drawn: Java's unless said otherwise."""
    name = st.session_state.get(_CLIENT, st.query_params.get(_CLIENT))
    return CLIENTS.get(name or JAVA.name, JAVA)


def choose_client() -> Client:
    """Show the clients to choose from; return the chosen one."""
    name = linked.choice(
        "Which client?",
        tuple(CLIENTS),
        _CLIENT,
        about="Clients assign differently under the same names; strategies, reasons, settings and "
        "advice are those of this one",
        shown=lambda name: CLIENTS[name].label,
    )
    return CLIENTS[name]


def choose_strategies(group: Group, reading: Reading) -> tuple[str, ...]:
    """Show the strategies to choose from; return the chosen ones, in display order.

    An example may bring strategies of its own (``use_for``), which last as long as it is
    on screen.
    """
    opened, names = st.session_state.get(_OF_EXAMPLE, (None, ()))
    is_of_example = opened is reading
    with st.popover(
        f"{client().short} strategies",
        icon=":material/tune:",
        help="Choose the client and what to compare",
    ):
        of = choose_client()
        usual = _IN_COMMON_USE if of is JAVA else tuple(n for n in of.settable if n != _SUPERSEDED)
        best_custom = (_BEST_CUSTOM,) if of.custom else ()
        shown = dict.fromkeys((*of.strategies, *(names if is_of_example else ()), *best_custom))
        key = "strategies" if of is JAVA else f"{of.name}_strategies"
        chosen = st.pills(
            "Compared by default are the assignors in common use and the best custom one"
            if of is JAVA
            else "Compared by default is what can be set, and the best custom assignor if any",
            tuple(shown),
            selection_mode="multi",
            default=names if is_of_example else (*usual, *best_custom),
            format_func=_label,
            key=f"example_{key}" if is_of_example else key,
            bind="query-params",
            wrap=True,
        )
        for kind in Kind:
            labels = [
                s.label for s in ALL_STRATEGIES.values() if s.kind is kind and s.name in shown
            ]
            if labels:
                st.caption(f"{kind.value}: {', '.join(labels)}")
    wanted = {_resolved(group, name) for name in chosen}
    return tuple(name for name in ALL_STRATEGIES if name in wanted)


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
