"""The consumers' client, and the strategy that their group runs."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from assignors.catalogue import strategies
from assignors.model import Group
from evaluation.assuming.clients import CLIENTS, JAVA, Client
from evaluation.assuming.running import Running, candidates_of
from evaluation.reading import Reading
from ui import cache, scenario, told
from ui.choices.kept import keep

_CLIENT: Final = "client"
_KEPT: Final = "client_kept"
"""Session key that outlasts the list of clients, which every page redraws."""
_RESTARTS: Final[Mapping[str, str]] = {
    told.SLOW: "after the group has rebalanced without it",
    told.QUICK: "before the group rebalances without it",
}


def client() -> Client:
    """Return the chosen client, even before its list is drawn.

    By default it is the one that the group on screen gives away, else Java's.
    """
    usual = _usual()
    kept = st.session_state.get(_key(_KEPT, usual), st.query_params.get(_CLIENT))
    return CLIENTS.get(st.session_state.get(_key(_CLIENT, usual), kept), usual)


def _usual() -> Client:
    """Return the client that ids or the strategy of the group on screen give away, else Java's."""
    shown = scenario.shown()
    return JAVA if shown is None else CLIENTS.get(shown.reading.assumed.client, JAVA)


def _key(name: str, usual: Client) -> str:
    """Return a key of the session: what was chosen for one client's groups is not for another's."""
    return name if usual is JAVA else f"{name}_{usual.name}"


def choose_client() -> Client:
    """Let the visitor choose a client; return it."""
    names, usual = tuple(CLIENTS), _usual()
    name = st.selectbox(
        "Which client?",
        names,
        index=names.index(client().name),
        format_func=lambda name: CLIENTS[name].label,
        key=_key(_CLIENT, usual),
        help="Clients assign differently under the same names; strategies, reasons, settings and "
        "advice are those of this one",
    )
    keep_client()
    return CLIENTS[name]


def keep_client() -> None:
    """Keep the client for other pages and in the link, whether its list is drawn or not."""
    name, usual = client().name, _usual()
    st.session_state[_key(_KEPT, usual)] = name
    keep(_CLIENT, [] if name == usual.name else [name])


def ask_running(group: Group, reading: Reading) -> None:
    """Ask which strategy the group runs; what is known already stands first."""
    if not group.has_claims:
        return
    known = _running(group, reading)
    told.RUNS.ask(
        "Which strategy runs now?",
        "Its next rebalance is shown exactly, from today's ids and owners. A switch to any other "
        "takes a restart: ids are new then, and claims are gone.",
        ("", *(strategy.name for strategy in client().settable)),
        lambda name: strategies()[name].label if name else _as_known(known),
    )
    told.RESTARTS.ask(
        "A consumer that restarts is back",
        "It leaves, and the group rebalances once all others have heard of it: within the "
        "heartbeat interval, 3 s by default; a broker-side group (KIP-848) at once, however quick "
        "the restart. A consumer with a static id does not leave.",
        (told.SLOW, told.QUICK),
        _RESTARTS.__getitem__,
    )


def _running(group: Group, reading: Reading) -> Running:
    """Return the strategy that the group runs, before anybody states it: read or inferred."""
    of = client()
    read = of.strategy_called(reading.strategy) if reading.strategy else None
    candidates = candidates_of(of.settable, has_epochs=reading.assumed.has_epochs)
    return cache.running(group, candidates, None, read)


def _as_known(known: Running) -> str:
    if known.strategy is None:
        return "Not known"
    return f"{known.strategy.label}: {known.why}"
