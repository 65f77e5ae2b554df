"""Which strategies a page compares."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import streamlit as st

from assignors.catalogue import catalogue, strategies
from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.answering.rule import proposed
from evaluation.answering.why_not import WhyNot
from evaluation.assuming.clients import JAVA
from evaluation.assuming.running import is_broker_side
from evaluation.reading import Reading
from evaluation.takes import Takes, takes_of
from evaluation.wording import sentence
from ui import judging
from ui.choices.kept import keep
from ui.choices.option import SeveralChoice
from ui.clients import ask_running, choose_client, client
from ui.scenario import Scenario
from ui.untrusted import verbatim

_BEST_SETTING: Final = "best-setting"
_BEST_CUSTOM: Final = "best-custom"
"""Placeholders for the proposed strategy and what a jar gives best."""
_PLACEHOLDERS: Final = {
    _BEST_SETTING: "Recommended setting",
    _BEST_CUSTOM: "Best by jar",
}
_EARLIER: Final = {"Best custom assignor": _PLACEHOLDERS[_BEST_CUSTOM]}
"""What links of earlier releases call a placeholder."""
_IN_COMMON_USE: Final = ("range", "sticky", "cooperative-sticky", "uniform-kafka-18688")
_SUPERSEDED: Final = "uniform"
_OF_EXAMPLE: Final = "strategies_of_example"


class _Offer(NamedTuple):
    """The strategies that a visitor may compare."""

    key: str
    """The widget's key and the name in the link."""
    shown: tuple[str, ...]
    usual: Sequence[str]


def choose_strategies(current: Scenario, answer: Answer) -> tuple[Strategy, ...]:
    """Let the visitor choose strategies, and what they are judged by; return them in display order.

    An example may set its own strategies (``use_for``) as long as it is on screen.
    """
    with st.popover(
        "Strategies and assumptions",
        icon=":material/tune:",
        help="Choose the client and what to compare",
    ):
        choose_client()
        ask_running(current.group, current.reading)
        judging.ask(current)
        chosen = ask(current)
    return _in_order(answer, chosen)


def chosen_strategies(current: Scenario, answer: Answer) -> tuple[Strategy, ...]:
    """Return the strategies to compare, in display order, before they are asked for."""
    return _in_order(answer, _named(current))


def named_strategies(current: Scenario) -> tuple[Strategy, ...]:
    """Return those among them that no answer decides; every answer has the others."""
    return tuple(strategies()[name] for name in _named(current) if name not in _PLACEHOLDERS)


def _named(current: Scenario) -> Sequence[str]:
    offer = _offer(current)
    names: Sequence[str] | None = st.session_state.get(offer.key)
    if names is None:
        linked = _linked(offer.key)
        names = [name for name in offer.shown if _label(name) in linked] or offer.usual
    return names


def keep_named(current: Scenario) -> None:
    """Write the strategies to the link, whether their list is drawn or not; not the usual ones."""
    offer, names = _offer(current), _named(current)
    keep(offer.key, [] if [*names] == [*offer.usual] else [_label(name) for name in names])


def _linked(key: str) -> Sequence[str]:
    """Return what the link said when the visitor came; Streamlit drops it on other pages."""
    written = st.query_params.get_all(key)
    linked: Sequence[str] = [_EARLIER.get(label, label) for label in written]
    kept = f"{key}_of_link"
    if linked != written:
        keep(key, linked)
    if linked:
        st.session_state[kept] = linked
    elif linked := st.session_state.get(kept, ()):
        keep(key, linked)
    return linked


def ask(current: Scenario) -> Sequence[str]:
    """Let the visitor choose among the strategies of a client and an example; return them."""
    offer, of = _offer(current), client()
    if offer.key not in st.session_state:
        _linked(offer.key)
    chosen = SeveralChoice(offer.key).ask_side_by_side(
        "By default: the assignors in common use, the recommended setting, and the best by jar"
        if of is JAVA
        else "By default: all that can be set, and the best by jar if there is one",
        offer.shown,
        _label,
        usual=offer.usual,
    )
    labels: dict[str, list[str]] = {}
    for strategy in (strategies()[name] for name in offer.shown if name not in _PLACEHOLDERS):
        labels.setdefault(takes_of(strategy).value, []).append(strategy.label)
    for runs, of_kind in labels.items():
        st.caption(f"{runs}: {', '.join(of_kind)}")
    return list(chosen)


def _offer(current: Scenario) -> _Offer:
    """Return what may be compared with the group on screen.

    Strategies of brokers come first where a broker assigns, and no setting of a client is compared
    there unless the visitor asks for it.
    """
    of, (opened, names) = client(), st.session_state.get(_OF_EXAMPLE, (None, ()))
    example = names if opened is current.reading else None
    settable = [strategy.name for strategy in of.settable if strategy.name != _SUPERSEDED]
    usual = _IN_COMMON_USE if of is JAVA else tuple(settable)
    own = [strategy.name for strategy in of.strategies]
    key = "strategies" if of is JAVA else f"{of.name}_strategies"
    brokers = [name for name in settable if strategies()[name].remote_assignor]
    is_assigned = current.reading.assumed.has_epochs or is_broker_side(current.group)
    if is_assigned and brokers:
        usual, own, key = tuple(brokers), [*brokers, *own], f"broker_{key}"
    best = (_BEST_SETTING, _BEST_CUSTOM) if of.custom else (_BEST_SETTING,)
    shown = tuple(dict.fromkeys((*own, *(example or ()), *best)))
    if example is None:
        return _Offer(key, shown, (*usual, *best))
    return _Offer(f"example_{key}", shown, example)


def _in_order(answer: Answer, names: Sequence[str]) -> tuple[Strategy, ...]:
    wanted = {strategy for name in names for strategy in _resolved(answer, name)}
    return tuple(strategy for strategy in strategies().values() if strategy in wanted)


def say_refused() -> None:
    """Say which installed strategies cannot be used, and why."""
    for reason in catalogue().refused:
        st.warning(verbatim(sentence(reason)))


def use_for(reading: Reading, names: Sequence[str]) -> None:
    """Compare these strategies as long as the reading is on screen."""
    st.session_state[_OF_EXAMPLE] = (reading, tuple(names))


def _label(name: str) -> str:
    return _PLACEHOLDERS.get(name) or strategies()[name].label


def _resolved(answer: Answer, name: str) -> Sequence[Strategy]:
    """Return the strategy that a name or a placeholder stands for, if any."""
    if name == _BEST_SETTING:
        proposal = answer.proposal
        return () if proposal is None or proposal.strategy is None else (proposal.strategy,)
    if name == _BEST_CUSTOM:
        custom = client().custom
        ours = [
            replace(o, why_not=None) if o.why_not is WhyNot.ONE_SNAPSHOT else o
            for o in answer.strategies
            if o.takes is Takes.JAR and o.strategy in custom
        ]
        best = proposed(ours, answer.keep) or next(iter(ours), None)
        return custom[:1] if best is None or best.strategy is None else (best.strategy,)
    return (strategies()[name],)
