"""The part of the fleet to show: cluster, time and candidate strategies."""

from datetime import UTC, datetime, timedelta
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sources.fleet.scope import Scope
from ui.choices.kept import keep
from ui.choices.option import OptionChoice, SeveralChoice
from ui.fleet.cache import Extent
from ui.fleet.words import strategy_label

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


def ask(extent: Extent, area: DeltaGenerator) -> Scope:
    """Show the filters in their area; return the selected part."""
    with area:
        cluster = OptionChoice("cluster").pick("Cluster", [_ALL, *extent.clusters])
        window = OptionChoice("window").pick(
            "Time", [*_WINDOWS, _BETWEEN], about="Ends with the last snapshot in the tables"
        )
        strategies = _strategies(extent)
    since, until = _between(extent) if window == _BETWEEN else _last(extent, window)
    return Scope(
        cluster=None if cluster == _ALL else cluster,
        since=since,
        until=until,
        strategies=strategies,
    )


def _last(extent: Extent, window: str) -> tuple[datetime | None, datetime | None]:
    length = _WINDOWS[window]
    if length is None or extent.last is None:
        return None, None
    return extent.last - length, None


def _between(extent: Extent) -> tuple[datetime | None, datetime | None]:
    """Let the visitor choose a range of time in UTC; by default all of it."""
    if extent.first is None or extent.last is None:
        return None, None
    with st.container(horizontal=True):
        since = _moment("From (UTC)", "since", extent.first)
        until = _moment("To (UTC)", "until", extent.last)
    return since, until


def _moment(label: str, name: str, usual: datetime) -> datetime:
    linked_to = st.query_params.get(name)
    value = usual.replace(tzinfo=None)
    if linked_to:
        try:
            value = datetime.fromisoformat(linked_to).replace(tzinfo=None)
        except ValueError:
            keep(name, [])
    chosen = st.datetime_input(
        label, value, key=name, step=timedelta(minutes=1), persist_state="session"
    )
    chosen = value if chosen is None else chosen
    keep(name, [chosen.isoformat(timespec="minutes")])
    return chosen.replace(tzinfo=UTC)


def _strategies(extent: Extent) -> tuple[str, ...]:
    """Let the visitor choose strategies; return an empty tuple for all of them."""
    names = list(extent.strategies)
    chosen = SeveralChoice(_STRATEGIES).ask(
        "Switch to",
        names,
        strategy_label,
        placeholder="any strategy",
        about="Consider switching to these strategies alone; none chosen: to any",
    )
    # The pipeline has already ranked all of them together.
    return () if len(chosen) == len(names) else tuple(name for name in names if name in chosen)
