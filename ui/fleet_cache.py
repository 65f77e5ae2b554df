"""Cached readings of the fleet's tables, by the version on disk and what was chosen; bounded."""

from typing import Final

import pandas as pd
import streamlit as st

from sources import fleet_history, fleet_maps, fleet_ranking, fleet_scope, fleet_totals
from sources.fleet import Fleet
from sources.fleet import open_fleet as opened
from sources.fleet_place import Place
from sources.fleet_scope import Extent, Scope

HELD_ROWS: Final = 10_000_000
"""Of tables with so many rows of ``group_summary``, the groups as they were are read once and
held; of larger ones, each part that is looked at is read by itself."""


@st.cache_resource(max_entries=8, show_spinner="Opening the tables…")
def _open(_place: Place, stamp: str) -> Fleet:  # noqa: ARG001 -- the stamp is the cache's key
    return opened(_place)


def open_fleet(place: Place) -> Fleet:
    """Return the tables of this version; raises SourceError."""
    return _open(place, place.stamp)


@st.cache_resource(max_entries=8, show_spinner="Reading the tables…")
def _extent(_fleet: Fleet, stamp: str) -> Extent:  # noqa: ARG001 -- likewise
    return fleet_scope.extent(_fleet)


def extent(fleet: Fleet) -> Extent:
    """Return what there is to choose from."""
    return _extent(fleet, fleet.place.stamp)


@st.cache_resource(max_entries=4, show_spinner="Reading the tables…")
def _present(_fleet: Fleet, stamp: str, scope: Scope) -> pd.DataFrame:  # noqa: ARG001 -- likewise
    return fleet_totals.present(_fleet, scope)


def present(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    """Return each group as it was at each snapshot; not to be changed."""
    if fleet.count("group_summary") > HELD_ROWS:
        return _present(fleet, fleet.place.stamp, scope.for_present)
    return fleet_totals.within(_present(fleet, fleet.place.stamp, Scope()), scope)


@st.cache_resource(max_entries=8, show_spinner="Ranking the groups…")
def _ranking(_fleet: Fleet, stamp: str, scope: Scope) -> pd.DataFrame:  # noqa: ARG001 -- likewise
    return fleet_ranking.ranking(_fleet, scope, present(_fleet, scope))


def ranking(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    """Return the ranked groups; not to be changed."""
    return _ranking(fleet, fleet.place.stamp, scope)


@st.cache_resource(max_entries=8, show_spinner=False)
def _rejected(_fleet: Fleet, stamp: str) -> fleet_totals.Rejected:  # noqa: ARG001 -- likewise
    return fleet_totals.rejected(_fleet)


def rejected(fleet: Fleet) -> fleet_totals.Rejected:
    """Return how much telemetry could not be used."""
    return _rejected(fleet, fleet.place.stamp)


@st.cache_resource(max_entries=32, show_spinner="Reading the group…")
def _history_rows(
    _fleet: Fleet,
    stamp: str,  # noqa: ARG001 -- likewise
    cluster: str,
    group: str,
    scope: Scope,
) -> pd.DataFrame:
    return fleet_history.history_rows(_fleet, cluster, group, scope)


def history_rows(fleet: Fleet, cluster: str, group: str, scope: Scope) -> pd.DataFrame:
    """Return one group's rows of ``group_summary``; not to be changed."""
    return _history_rows(fleet, fleet.place.stamp, cluster, group, scope.for_present)


@st.cache_resource(max_entries=16, show_spinner="Reading the consumers…")
def _loads(
    _fleet: Fleet,
    stamp: str,  # noqa: ARG001 -- likewise
    cluster: str,
    group: str,
    strategy: str,
    scope: Scope,
) -> pd.DataFrame:
    return fleet_maps.loads(_fleet, cluster, group, strategy, scope)


def loads(fleet: Fleet, cluster: str, group: str, strategy: str, scope: Scope) -> pd.DataFrame:
    """Return what each consumer of a group carries over time; not to be changed."""
    return _loads(fleet, fleet.place.stamp, cluster, group, strategy, scope.for_present)
