"""Which strategies a page compares."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.catalogue import catalogue, strategies
from assignors.strategy import Strategy
from evaluation.advice import best_of
from evaluation.clients import JAVA, Client, runs_as
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.running import is_broker_side
from evaluation.wording import sentence
from sources.reading import Reading
from ui import cache, judging
from ui.clients import ask_running, choose_client, client
from ui.scenario import Scenario
from ui.untrusted import verbatim

_BEST_SETTING: Final = "best-setting"
_BEST_CUSTOM: Final = "best-custom"
"""Placeholders for the recommended setting and the best custom assignor of the group on screen."""
_PLACEHOLDERS: Final = {
    _BEST_SETTING: "Recommended setting",
    _BEST_CUSTOM: "Best custom assignor",
}
_IN_COMMON_USE: Final = ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688")
_SUPERSEDED: Final = "uniform"
_OF_EXAMPLE: Final = "strategies_of_example"


def choose_strategies(current: Scenario, comparison: Comparison) -> tuple[Strategy, ...]:
    """Let the visitor choose strategies, and what they are judged by; return them in display order.

    An example may set its own strategies (``use_for``) as long as it is on screen.
    """
    opened, names = st.session_state.get(_OF_EXAMPLE, (None, ()))
    with st.popover(
        f"{client().short} strategies",
        icon=":material/tune:",
        help="Choose the client and what to compare",
    ):
        of = choose_client()
        ask_running(current.group, current.reading)
        judging.ask(current)
        example = names if opened is current.reading else None
        chosen = _choose_of(of, example, is_of_brokers=is_broker_side(current.group))
        say_refused()
    wanted = {strategy for name in chosen for strategy in _resolved(comparison, name)}
    return tuple(strategy for strategy in strategies().values() if strategy in wanted)


def _choose_of(of: Client, example: Sequence[str] | None, *, is_of_brokers: bool) -> list[str]:
    """Let the visitor choose among the strategies of a client and an example; return them.

    Those of brokers come first where ``is_of_brokers``, and no setting of a client is compared
    there unless the visitor asks for it.
    """
    settable = [strategy.name for strategy in of.settable if strategy.name != _SUPERSEDED]
    usual = _IN_COMMON_USE if of is JAVA else tuple(settable)
    own = [strategy.name for strategy in of.strategies]
    key = "strategies" if of is JAVA else f"{of.name}_strategies"
    brokers = [name for name in settable if strategies()[name].remote_assignor]
    if is_of_brokers and brokers:
        usual, own, key = tuple(brokers), [*brokers, *own], f"broker_{key}"
    best = (_BEST_SETTING, _BEST_CUSTOM) if of.custom else (_BEST_SETTING,)
    shown = tuple(dict.fromkeys((*own, *(example or ()), *best)))
    chosen = st.pills(
        "By default: the assignors in common use, the recommended setting, and the best custom one"
        if of is JAVA
        else "By default: all that can be set, and the best custom assignor if there is one",
        shown,
        selection_mode="multi",
        default=(*usual, *best) if example is None else example,
        format_func=_label,
        key=key if example is None else f"example_{key}",
        bind="query-params",
        wrap=True,
    )
    labels: dict[str, list[str]] = {}
    for strategy in (strategies()[name] for name in shown if name not in _PLACEHOLDERS):
        labels.setdefault(runs_as(strategy), []).append(strategy.label)
    for runs, of_kind in labels.items():
        st.caption(f"{runs}: {', '.join(of_kind)}")
    return list(chosen)


def say_refused() -> None:
    """Say which installed strategies cannot be used, and why."""
    for reason in catalogue().refused:
        st.warning(verbatim(sentence(reason)))


def use_for(reading: Reading, names: Sequence[str]) -> None:
    """Compare these strategies as long as the reading is on screen."""
    st.session_state[_OF_EXAMPLE] = (reading, tuple(names))


def _label(name: str) -> str:
    return _PLACEHOLDERS.get(name) or strategies()[name].label


def _resolved(comparison: Comparison, name: str) -> Sequence[Strategy]:
    """Return the strategy that a name or a placeholder stands for, if any."""
    if name == _BEST_SETTING:
        advice = comparison.advice  # what the answer names is drawn
        return _strategy_of(advice.settable or advice.unreliable)
    if name == _BEST_CUSTOM:
        custom = client().custom
        best = comparison.advice.custom
        if best is None:
            outcomes = cache.expected(comparison.group, custom, comparison.runs)
            best = best_of(outcomes, comparison.load)
        return custom[:1] if best is None else _strategy_of(best)
    return (strategies()[name],)


def _strategy_of(outcome: Outcome | None) -> Sequence[Strategy]:
    return () if outcome is None or outcome.strategy is None else (outcome.strategy,)
