"""Which strategies a page compares: a few by default, every other one a click away."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.model import Group
from assignors.registry import STRATEGIES, Kind
from evaluation.advice import best_of, custom_strategies, is_judged_by_lag
from sources.reading import Reading
from ui import cache

_BEST_CUSTOM: Final = "best-custom"
"""Stands for whichever custom assignor serves the group on screen best."""
_DEFAULT: Final = ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688", _BEST_CUSTOM)
_OF_EXAMPLE: Final = "strategies_of_example"


def choose_strategies(group: Group, reading: Reading) -> tuple[str, ...]:
    """Show the strategies to choose from; return the chosen ones, in display order.

    An example may bring strategies of its own (``use_for``), which last as long as it is
    on screen.
    """
    opened, names = st.session_state.get(_OF_EXAMPLE, (None, ()))
    is_of_example = opened is reading
    options = (*STRATEGIES, _BEST_CUSTOM)
    with st.popover("Strategies", icon=":material/tune:", help="Choose what to compare"):
        chosen = st.pills(
            "Compared by default are the assignors in common use and the best custom one",
            options,
            selection_mode="multi",
            default=names if is_of_example else _DEFAULT,
            format_func=_label,
            key="example_strategies" if is_of_example else "strategies",
            bind="query-params",
            wrap=True,
        )
        for kind in Kind:
            of_kind = [s.label for s in STRATEGIES.values() if s.kind is kind]
            if of_kind:
                st.caption(f"{kind.text}: {', '.join(of_kind)}")
    wanted = {_resolved(group, name) for name in chosen}
    return tuple(name for name in STRATEGIES if name in wanted)


def use_for(reading: Reading, names: Sequence[str]) -> None:
    """Compare these strategies as long as the reading is on screen."""
    st.session_state[_OF_EXAMPLE] = (reading, tuple(names))


def _label(name: str) -> str:
    return "Best custom assignor" if name == _BEST_CUSTOM else STRATEGIES[name].label


def _resolved(group: Group, name: str) -> str:
    if name != _BEST_CUSTOM:
        return name
    found = best_of(cache.answers(group, custom_strategies()), by_lag=is_judged_by_lag(group))
    return custom_strategies()[0] if found is None else found.name
