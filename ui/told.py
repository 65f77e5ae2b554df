"""What the visitor states about a group: one choice each, for all pages and the link.

What is stated of a group belongs to it: it leaves the screen with its group, and returns with it.
What the visitor asks of any group, the time allowed and the pause, stays.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import streamlit as st

from ui.choices.choice import Lasts, UserChoice
from ui.choices.kept import BESIDE, keep
from ui.choices.number import NumberChoice
from ui.choices.option import OptionChoice

QUICK: Final = "quick"
SLOW: Final = "slow"
"""How long a restart lasts: until after the group has rebalanced without the consumer, or less."""
SPREADS: Final = ("a total, spread evenly", "a total, spread by lag")
"""How a stated total divides among the partitions; links contain these labels."""
ONE: Final = "one consumer"
HOST: Final = "a host"
ZONE: Final = "a zone"
LOSSES: Final = ("nothing", ONE, HOST, ZONE)
"""What a plan survives."""

SPEED: Final = NumberChoice("throughput", Lasts.GROUP)
RATES: Final = OptionChoice("rates", Lasts.GROUP, SPREADS)
TOTAL: Final = NumberChoice("total_rate", Lasts.GROUP, may_be_zero=True)
CAP: Final = NumberChoice("partition_cap", Lasts.GROUP)
RETENTION: Final = NumberChoice("retention_hours", Lasts.GROUP)
INTERVAL: Final = NumberChoice("snapshot_interval", Lasts.GROUP)
RUNS: Final = OptionChoice("runs", Lasts.GROUP)
ALLOWED: Final = NumberChoice("allowed_min", Lasts.VISITOR)
PAUSE: Final = NumberChoice("pause", Lasts.VISITOR)
PEAK: Final = NumberChoice("peak", Lasts.VISITOR)
HEADROOM: Final = NumberChoice("headroom", Lasts.VISITOR)
SURVIVE: Final = OptionChoice("survive", Lasts.VISITOR)
RESTARTS: Final = OptionChoice("restarts", Lasts.VISITOR, (SLOW, QUICK))
JUDGE: Final = OptionChoice("judge", Lasts.VISITOR)
HORIZON: Final = NumberChoice("horizon", Lasts.VISITOR)
WITHOUT: Final = OptionChoice("without", Lasts.GROUP)
IS_LEADER: Final = OptionChoice("is_leader", Lasts.GROUP, ("no", "yes"))
RELEASE: Final = OptionChoice("brokers_release", Lasts.GROUP)
"""Of other kinds of groups: who leaves, whether that is Connect's leader, the brokers' release."""

_OF_KINDS: Final = (
    *("instances_more", "threads_more", "workers_more", "consumers_more"),
    *("standbys", "warmups", "recovery_lag", "probing", "changelog", "restore_rate"),
    *("max_delay", "worker_session"),
)
"""Numbers that are asked of groups of other kinds (``evaluation.kinds.stated``)."""
_NUMBERS: Final = {
    each.name: each
    for each in (
        *(NumberChoice(name, Lasts.GROUP) for name in _OF_KINDS),
        *(SPEED, TOTAL, CAP, ALLOWED, PAUSE, PEAK, HEADROOM, RETENTION, INTERVAL, HORIZON),
    )
}
_OPTIONS: Final = {
    each.name: each for each in (RATES, SURVIVE, RUNS, RESTARTS, JUDGE, WITHOUT, IS_LEADER, RELEASE)
}
CHOICES: Final[Mapping[str, UserChoice]] = MappingProxyType({**_NUMBERS, **_OPTIONS})
"""All of them, by name."""


def number(name: str) -> NumberChoice:
    """Return the number of this name; one that nobody shares is its page's own."""
    return _NUMBERS.get(name) or NumberChoice(name)


def take_from_link() -> None:
    """Keep what the link states, for the pages whose fields have not asked for it yet."""
    beside = st.session_state.setdefault(BESIDE, {})
    for name in CHOICES:
        if name in st.query_params:
            beside[name] = st.query_params[name]


def keep_in_link() -> None:
    """Write to the link what a group is taken for, on a page whose fields for it are not drawn."""
    stated = {each.name: each.picked() for each in (RUNS, RESTARTS, JUDGE)}
    for name, value in (stated | {HORIZON.name: HORIZON.written()}).items():
        keep(name, [value] if value else [])


def is_noticed() -> bool:
    """Return whether a group rebalances without a restarting consumer: yes unless stated."""
    return RESTARTS.chosen() == SLOW


def restore(stated: Mapping[str, str]) -> None:
    """State this again of whatever group is on screen, and leave the rest; for callbacks."""
    for name, each in CHOICES.items():
        if name in stated:
            each.put(stated[name])


def values() -> Mapping[str, str]:
    """Return everything stated, as a link holds it."""
    stated = {name: each.written() for name, each in CHOICES.items()}
    return {name: value for name, value in stated.items() if value is not None}


def of_group(stated: Mapping[str, str]) -> Mapping[str, str]:
    """Return what of this belongs to one group."""
    return {name: value for name, value in stated.items() if _lasts(name) is Lasts.GROUP}


def of_visitor(stated: Mapping[str, str]) -> Mapping[str, str]:
    """Return what of this holds for any group."""
    return {name: value for name, value in stated.items() if _lasts(name) is Lasts.VISITOR}


def _lasts(name: str) -> Lasts | None:
    return CHOICES[name].lasts if name in CHOICES else None


def replace_by(stated: Mapping[str, str]) -> None:
    """Put away what was stated of a group and state this instead; for callbacks."""
    for name, each in CHOICES.items():
        if each.lasts is Lasts.GROUP:
            each.put(stated.get(name))
