"""What part of the fleet the page speaks of: cluster, time and strategies."""

from datetime import UTC, datetime, timedelta
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.registry import STRATEGIES
from sources.fleet_scope import Extent, Scope
from ui import linked

_ALL: Final = "all clusters"
_WINDOWS: Final = {
    "everything": None,
    "the last hour": timedelta(hours=1),
    "the last 6 hours": timedelta(hours=6),
    "the last day": timedelta(days=1),
    "the last 7 days": timedelta(days=7),
}
_BETWEEN: Final = "from … to"
_STRATEGIES: Final = "switch_to"


def ask(found: Extent, place: DeltaGenerator) -> Scope:
    """Show the filters at their place; return what they leave."""
    with place:
        cluster = linked.choice("Cluster", [_ALL, *found.clusters], "cluster")
        window = linked.choice(
            "Time",
            [*_WINDOWS, _BETWEEN],
            "window",
            about="Up to the last snapshot of the tables; UTC",
        )
        strategies = _strategies(found)
    since, until = _between(found) if window == _BETWEEN else _last(found, window)
    return Scope(
        cluster=None if cluster == _ALL else cluster,
        since=since,
        until=until,
        strategies=strategies,
    )


def _last(found: Extent, window: str) -> tuple[datetime | None, datetime | None]:
    length = _WINDOWS[window]
    if length is None or found.last is None:
        return None, None
    return found.last - length, None


def _between(found: Extent) -> tuple[datetime | None, datetime | None]:
    """Show two moments to choose, at first the whole; the clock shown is UTC."""
    if found.first is None or found.last is None:
        return None, None
    with st.container(horizontal=True):
        since = _moment("From (UTC)", "since", found.first)
        until = _moment("To (UTC)", "until", found.last)
    return since, until


def _moment(label: str, name: str, usual: datetime) -> datetime:
    linked_to = st.query_params.get(name)
    value = usual.replace(tzinfo=None)
    if linked_to:
        try:
            value = datetime.fromisoformat(linked_to).replace(tzinfo=None)
        except ValueError:
            linked.keep(name, [])
    chosen = st.datetime_input(
        label, value, key=name, step=timedelta(minutes=1), persist_state="session"
    )
    chosen = value if chosen is None else chosen
    linked.keep(name, [chosen.isoformat(timespec="minutes")])
    return chosen.replace(tzinfo=UTC)


def _strategies(found: Extent) -> tuple[str, ...]:
    """Show which strategies one would switch to; none named: all there are."""
    names = [name for name in STRATEGIES if name in found.strategies]
    names += [name for name in found.strategies if name not in STRATEGIES]
    chosen = linked.several(
        "Switch to",
        names,
        _STRATEGIES,
        label_of,
        placeholder="any strategy",
        about="The strategies to choose from; none chosen: all of them",
    )
    # All of them, one by one, is what the pipeline has ranked already.
    return () if len(chosen) == len(names) else tuple(name for name in names if name in chosen)


def label_of(name: str) -> str:
    """Return a strategy as people read it; one that is not registered by its name."""
    return STRATEGIES[name].label if name in STRATEGIES else name
