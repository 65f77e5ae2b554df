"""What the visitor states about a group: one choice each, for all pages and the link.

What is stated of a group belongs to it: it leaves the screen with its group, and returns with it.
What the visitor asks of any group, the time allowed and the pause, stays.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import streamlit as st

from ui.choices import Lasts, UserChoice
from ui.kept_choices import BESIDE, keep

QUICK: Final = "quick"
SLOW: Final = "slow"
"""How long a restart lasts: until after the group has rebalanced without the consumer, or less."""
SPREADS: Final = ("a total, spread evenly", "a total, spread by lag")
"""How a stated total divides among the partitions; links contain these labels."""

SPEED: Final = UserChoice("throughput", Lasts.GROUP)
RATES: Final = UserChoice("rates", Lasts.GROUP, SPREADS)
TOTAL: Final = UserChoice("total_rate", Lasts.GROUP, may_be_zero=True)
CAP: Final = UserChoice("partition_cap", Lasts.GROUP)
RETENTION: Final = UserChoice("retention_hours", Lasts.GROUP)
INTERVAL: Final = UserChoice("snapshot_interval", Lasts.GROUP)
RUNS: Final = UserChoice("runs", Lasts.GROUP)
ALLOWED: Final = UserChoice("allowed_min", Lasts.VISITOR)
PAUSE: Final = UserChoice("pause", Lasts.VISITOR)
PEAK: Final = UserChoice("peak", Lasts.VISITOR)
HEADROOM: Final = UserChoice("headroom", Lasts.VISITOR)
SURVIVE: Final = UserChoice("survive", Lasts.VISITOR)
RESTARTS: Final = UserChoice("restarts", Lasts.VISITOR, (SLOW, QUICK))
JUDGE: Final = UserChoice("judge", Lasts.VISITOR)
HORIZON: Final = UserChoice("horizon", Lasts.VISITOR)

_OF_KINDS: Final = (
    *("instances_more", "threads_more", "workers_more", "consumers_more", "without", "is_leader"),
    *("standbys", "warmups", "recovery_lag", "probing", "changelog", "restore_rate"),
    *("max_delay", "worker_session", "brokers_release"),
)
"""What is asked of groups that are no consumer groups (``evaluation.kinds.stated``)."""
CHOICES: Final[Mapping[str, UserChoice]] = MappingProxyType(
    {
        each.name: each
        for each in (
            *(UserChoice(name, Lasts.GROUP) for name in _OF_KINDS),
            *(SPEED, RATES, TOTAL, CAP, ALLOWED, PAUSE, PEAK, HEADROOM, SURVIVE, RETENTION),
            *(INTERVAL, RUNS, RESTARTS, JUDGE, HORIZON),
        )
    }
)
"""All of them, by name."""


def called(name: str) -> UserChoice:
    """Return the choice of this name; one that nobody shares is its page's own."""
    return CHOICES.get(name) or UserChoice(name)


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


def is_slow() -> bool:
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
