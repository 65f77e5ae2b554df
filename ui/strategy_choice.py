"""The consumers' client, and those of its strategies that a page compares."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import streamlit as st

from assignors.catalogue import catalogue, strategies
from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.advice import best_of
from evaluation.clients import CLIENTS, JAVA, Client, runs_as
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.running import Running, is_broker_side
from evaluation.wording import sentence
from sources.reading import Reading
from ui import cache, told, url_state
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
_RESTARTS: Final[Mapping[str, str]] = {
    told.QUICK: "before the group rebalances without it",
    told.SLOW: "after the group has rebalanced without it",
}
_OF_EXAMPLE: Final = "strategies_of_example"
_CLIENT: Final = "client"
_KEPT: Final = "client_kept"
"""Session key that outlasts the list of clients, which every page redraws."""


def client() -> Client:
    """Return the chosen client, even before its list is drawn; by default Java's."""
    kept = st.session_state.get(_KEPT, st.query_params.get(_CLIENT))
    return CLIENTS.get(st.session_state.get(_CLIENT, kept), JAVA)


def running(group: Group, reading: Reading) -> Running:
    """Return the strategy that the group runs: stated, read or inferred."""
    of = client()
    read = of.strategy_called(reading.strategy) if reading.strategy else None
    stated = strategies().get(told.text(told.RUNS) or "")
    return cache.running(group, of.settable, stated, read)


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


def choose_strategies(
    comparison: Comparison, reading: Reading, ask_more: Callable[[], None] | None = None
) -> tuple[Strategy, ...]:
    """Let the visitor choose strategies; return them in display order.

    ``ask_more`` draws what else belongs to the choice.
    An example may set its own strategies (``use_for``) as long as it is on screen.
    """
    group = comparison.group
    opened, names = st.session_state.get(_OF_EXAMPLE, (None, ()))
    with st.popover(
        f"{client().short} strategies",
        icon=":material/tune:",
        help="Choose the client and what to compare",
    ):
        of = choose_client()
        _ask_running(group, reading)
        if ask_more is not None:
            ask_more()
        is_of_brokers = is_broker_side(group)
        chosen = _choose_of(of, names if opened is reading else None, is_of_brokers=is_of_brokers)
        say_refused()
    wanted = {strategy for name in chosen for strategy in _resolved(comparison, name)}
    return tuple(strategy for strategy in strategies().values() if strategy in wanted)


def _ask_running(group: Group, reading: Reading) -> None:
    """Ask which strategy the group runs; what is known already stands first."""
    if not group.has_claims:
        return
    of = client()
    read = of.strategy_called(reading.strategy) if reading.strategy else None
    known = cache.running(group, of.settable, None, read)
    told.ask_choice(
        told.RUNS,
        "Which strategy runs now?",
        "Its next rebalance is shown exactly, from today's ids and owners. A switch to any other "
        "takes a restart: ids are new then, and claims are gone.",
        ("", *(strategy.name for strategy in of.settable)),
        lambda name: _label(name) if name else _as_known(known),
    )
    told.ask_choice(
        told.RESTARTS,
        "A consumer that restarts is back",
        "It leaves, and the group rebalances once all others have heard of it: within the "
        "heartbeat interval, 3 s by default. A consumer with a static id does not leave.",
        (told.QUICK, told.SLOW),
        _RESTARTS.__getitem__,
    )


def _as_known(known: Running) -> str:
    if known.strategy is None:
        return "Not known"
    return f"{known.strategy.label}: {known.why}"


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
