"""What the visitor states about a group: one value each, for all pages and the link.

What is stated of a group belongs to it: it leaves the screen with its group, and returns with it.
What the visitor asks of any group, the time allowed and the pause, stays.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite, nan
from typing import Final

import streamlit as st

from ui import url_state

SPEED: Final = "throughput"
RATES: Final = "rates"
TOTAL: Final = "total_rate"
CAP: Final = "partition_cap"
ALLOWED: Final = "allowed_min"
PAUSE: Final = "pause"
PEAK: Final = "peak"
HEADROOM: Final = "headroom"
SURVIVE: Final = "survive"
RETENTION: Final = "retention_hours"
INTERVAL: Final = "snapshot_interval"
RUNS: Final = "runs"
RESTARTS: Final = "restarts"
JUDGE: Final = "judge"
HORIZON: Final = "horizon"
OF_KINDS: Final = (
    "instances_more",
    "threads_more",
    "workers_more",
    "consumers_more",
    "without",
    "is_leader",
    "standbys",
    "warmups",
    "recovery_lag",
    "probing",
    "changelog",
    "restore_rate",
    "max_delay",
    "worker_session",
    "brokers_release",
)
"""What is asked of groups that are no consumer groups (``evaluation.kinds.stated``)."""
NAMES: Final = (
    *OF_KINDS,
    SPEED,
    RATES,
    TOTAL,
    CAP,
    ALLOWED,
    PAUSE,
    PEAK,
    HEADROOM,
    SURVIVE,
    RETENTION,
    INTERVAL,
    RUNS,
    RESTARTS,
    JUDGE,
    HORIZON,
)
"""Keys of the widgets and names in the link."""
QUICK: Final = "quick"
SLOW: Final = "slow"
"""How long a restart lasts: until after the group has rebalanced without the consumer, or less."""
LEAST: Final = 1e-9
MOST: Final = 1e15
"""The bounds of a number above 0 that is stated; a link, or a field, may hold any."""
SPREADS: Final = ("a total, spread evenly", "a total, spread by lag")
"""How a stated total divides among the partitions; links contain these labels."""
_DEFAULT: Final = "_by_default"
_BESIDE: Final = "told_beside_the_fields"
"""What was stated by the link or with the group; Streamlit drops a link's names on other pages."""
_OF_ANY_GROUP: Final = (ALLOWED, PAUSE, PEAK, HEADROOM, SURVIVE, RESTARTS, JUDGE, HORIZON)


def take_from_link() -> None:
    """Keep what the link states, for the pages whose fields have not asked for it yet."""
    beside = st.session_state.setdefault(_BESIDE, {})
    for name in NAMES:
        if name in st.query_params:
            beside[name] = st.query_params[name]


def _stated(name: str) -> str | float | None:
    beside: Mapping[str, str] = st.session_state.get(_BESIDE, {})
    value: str | float | None = st.session_state.get(
        name, st.query_params.get(name, beside.get(name))
    )
    return value


def _put(name: str, value: str | None) -> None:
    """State this where no field does, or nothing."""
    st.session_state.pop(name, None)
    beside = st.session_state.setdefault(_BESIDE, {})
    beside.pop(name, None)
    if value is not None:
        beside[name] = value
    url_state.keep(name, [] if value is None else [value])


def number(name: str) -> float | None:
    """Return a number that the visitor states here, on another page, or in the link."""
    value = _stated(name)
    with suppress(ValueError):
        stated = nan if value is None else float(value)
        return stated if isfinite(stated) else None
    return None


def usable(name: str) -> float | None:
    """Return a stated number above 0 if it is within bounds, for all but the page that asks it.

    That page refuses any other in a sentence; there and elsewhere nothing is computed from it.
    """
    value = number(name)
    return value if value is not None and LEAST <= value <= MOST else None


def total() -> float | None:
    """Return the records per second that are stated for the whole group, if any: 0 or more."""
    return 0.0 if number(TOTAL) == 0 else usable(TOTAL)


def text(name: str) -> str | None:
    """Return a text that the visitor stated here, on another page, or in the link."""
    value = _stated(name)
    return str(value) if value else None


def picked(name: str) -> str | None:
    """Return a choice that the visitor made; None where a field shows what it does by default."""
    is_default = st.session_state.get(name) == st.session_state.get(f"{name}{_DEFAULT}")
    return None if is_default and name in st.session_state else text(name)


def choice(name: str, options: tuple[str, ...]) -> str:
    """Return a choice that the visitor made here, on another page, or in the link.

    What a field showed by default is no choice: another group may have another default.
    """
    if st.session_state.get(name) == st.session_state.get(f"{name}{_DEFAULT}") != options[0]:
        st.session_state.pop(name, None)
    chosen = str(_stated(name))
    return chosen if chosen in options else options[0]


def is_slow() -> bool:
    """Return whether a group rebalances without a restarting consumer: yes unless stated."""
    return choice(RESTARTS, (SLOW, QUICK)) == SLOW


def ask_number(name: str, label: str, about: str, placeholder: str = "") -> float | None:
    """Ask for a number; return None if it is blank."""
    entered = st.number_input(
        label,
        value=None if name in st.session_state else number(name),
        format="%g",
        key=name,
        placeholder=placeholder,
        help=about,
        persist_state="session",
    )
    url_state.keep(name, [] if entered is None else [f"{entered:g}"])
    return entered


def ask_choice(
    name: str,
    label: str,
    about: str,
    options: tuple[str, ...],
    shown: Callable[[str], str] = str,
) -> str:
    """Ask for one of the options, the first by default."""
    chosen = st.selectbox(
        label,
        options,
        index=options.index(choice(name, options)),
        format_func=shown,
        key=name,
        help=about,
        persist_state="session",
    )
    st.session_state[f"{name}{_DEFAULT}"] = options[0]
    url_state.keep(name, [] if chosen == options[0] else [chosen])
    return chosen


def restore(stated: Mapping[str, str]) -> None:
    """State this again of whatever group is on screen, and leave the rest; for callbacks."""
    for name in NAMES:
        if name in stated:
            _put(name, stated[name])


def values() -> Mapping[str, str]:
    """Return everything stated, as it stands in a link."""
    stated = {name: _stated(name) for name in NAMES}
    return {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in stated.items()
        if value is not None
    }


def state(numbers: Mapping[str, float]) -> None:
    """State these numbers in the visitor's place; for callbacks."""
    for name, value in numbers.items():
        st.session_state[name] = value
        url_state.keep(name, [f"{value:g}"])


def replace_by(stated: Mapping[str, str]) -> None:
    """Put away what was stated of a group and state this instead; for callbacks."""
    for name in NAMES:
        if name not in _OF_ANY_GROUP:
            _put(name, stated.get(name))
