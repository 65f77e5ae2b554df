"""What the visitor states about a group: one choice each, for all pages and the link.

What is stated of a group belongs to it: it leaves the screen with its group, and returns with it.
What the visitor asks of any group, the time allowed and the pause, stays.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import streamlit as st

from ui.choices import BESIDE, Choice, Scope

QUICK: Final = "quick"
SLOW: Final = "slow"
"""How long a restart lasts: until after the group has rebalanced without the consumer, or less."""
SPREADS: Final = ("a total, spread evenly", "a total, spread by lag")
"""How a stated total divides among the partitions; links contain these labels."""

SPEED: Final = Choice("throughput", Scope.GROUP)
RATES: Final = Choice("rates", Scope.GROUP, SPREADS)
TOTAL: Final = Choice("total_rate", Scope.GROUP, may_be_zero=True)
CAP: Final = Choice("partition_cap", Scope.GROUP)
RETENTION: Final = Choice("retention_hours", Scope.GROUP)
INTERVAL: Final = Choice("snapshot_interval", Scope.GROUP)
RUNS: Final = Choice("runs", Scope.GROUP)
ALLOWED: Final = Choice("allowed_min", Scope.VISITOR)
PAUSE: Final = Choice("pause", Scope.VISITOR)
PEAK: Final = Choice("peak", Scope.VISITOR)
HEADROOM: Final = Choice("headroom", Scope.VISITOR)
SURVIVE: Final = Choice("survive", Scope.VISITOR)
RESTARTS: Final = Choice("restarts", Scope.VISITOR, (SLOW, QUICK))
JUDGE: Final = Choice("judge", Scope.VISITOR)
HORIZON: Final = Choice("horizon", Scope.VISITOR)

_OF_KINDS: Final = (
    *("instances_more", "threads_more", "workers_more", "consumers_more", "without", "is_leader"),
    *("standbys", "warmups", "recovery_lag", "probing", "changelog", "restore_rate"),
    *("max_delay", "worker_session", "brokers_release"),
)
"""What is asked of groups that are no consumer groups (``evaluation.kinds.stated``)."""
CHOICES: Final[Mapping[str, Choice]] = MappingProxyType(
    {
        each.name: each
        for each in (
            *(Choice(name, Scope.GROUP) for name in _OF_KINDS),
            *(SPEED, RATES, TOTAL, CAP, ALLOWED, PAUSE, PEAK, HEADROOM, SURVIVE, RETENTION),
            *(INTERVAL, RUNS, RESTARTS, JUDGE, HORIZON),
        )
    }
)
"""All of them, by name."""


def called(name: str) -> Choice:
    """Return the choice of this name; one that nobody shares is its page's own."""
    return CHOICES.get(name) or Choice(name)


def take_from_link() -> None:
    """Keep what the link states, for the pages whose fields have not asked for it yet."""
    beside = st.session_state.setdefault(BESIDE, {})
    for name in CHOICES:
        if name in st.query_params:
            beside[name] = st.query_params[name]


def is_slow() -> bool:
    """Return whether a group rebalances without a restarting consumer: yes unless stated."""
    return RESTARTS.chosen() == SLOW


def restore(stated: Mapping[str, str]) -> None:
    """State this again of whatever group is on screen, and leave the rest; for callbacks."""
    for name, each in CHOICES.items():
        if name in stated:
            each.put(stated[name])


def values() -> Mapping[str, str]:
    """Return everything stated, as it stands in a link."""
    stated = {name: each.written() for name, each in CHOICES.items()}
    return {name: value for name, value in stated.items() if value is not None}


def replace_by(stated: Mapping[str, str]) -> None:
    """Put away what was stated of a group and state this instead; for callbacks."""
    for name, each in CHOICES.items():
        if each.scope is Scope.GROUP:
            each.put(stated.get(name))
