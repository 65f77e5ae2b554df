"""Bounded caches of readings of the tables, by edition of the folder and the filters.

All visitors share the results, which must not be changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

import pandas as pd

from sources.fleet import history, runs, times, totals
from sources.fleet import ranking as ranked
from sources.fleet import snapshot as snapshots
from sources.fleet import standing as stood
from sources.fleet.location import SAMPLE
from sources.fleet.scope import Scope
from sources.fleet.tables import Edition, Fleet
from sources.fleet.urgency import ByUrgency, by_urgency_of
from ui.caching import cached, is_kept
from ui.workers import run_or_stop

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Tables = TypeVar("_Tables", Edition, Fleet)
HELD_ROWS: Final = 10_000_000
"""Up to this many rows of ``group_summary`` are read once and kept; of
larger tables, each part is read when shown."""
_QUICK: Final = 8
"""The states of so few groups take a second: the page waits for them."""


@dataclass(frozen=True, kw_only=True)
class Extent:
    """The clusters, strategies and times to choose from."""

    clusters: Sequence[str]
    strategies: Sequence[str]
    first: datetime | None
    """The first snapshot; None in empty tables."""
    last: datetime | None


def apart(
    read: Callable[Concatenate[_Tables, _P], _T],
) -> Callable[Concatenate[_Tables, _P], _T]:
    """Return a reading of tables, done in a process of its own unless they are the sample's.

    A few kilobytes made elsewhere may be millions of rows: they are read within limits, and not
    in the server's process.
    """

    @wraps(read)
    def found(tables: _Tables, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        edition = tables if isinstance(tables, Edition) else tables.edition
        if edition.folder == str(SAMPLE):
            return read(tables, *args, **kwargs)
        return run_or_stop(partial(read, **kwargs), tables, *args)

    return found


_as_it_was: Final = apart(totals.as_it_was)
open_fleet: Final = cached(8, "Opening the tables…")(apart(runs.open_fleet))
history_rows: Final = cached(32, "Reading the group…")(apart(history.history_rows))
snapshot: Final = cached(16, "Reading the group…")(apart(snapshots.snapshot))
loads: Final = cached(16, "Reading the consumers…")(apart(history.loads))
count: Final = cached(32, "Counting the rows…")(apart(Fleet.count))
rejected_by_reason: Final = cached(8, "Reading the rejected rows…")(
    apart(totals.rejected_by_reason)
)
rejected_rows: Final = apart(totals.rejected_rows)


@cached(8, "Reading the tables…")
def extent(fleet: Fleet) -> Extent:
    """Return the clusters, strategies and times of the tables."""
    rows = (
        _part(fleet, Scope())
        if _is_held(fleet)
        else _as_it_was(fleet, Scope(), ("cluster", "snapshot_at"))
    )
    times = rows["snapshot_at"]
    return Extent(
        clusters=sorted(rows["cluster"].unique()),
        strategies=fleet.run["strategies"] or (),
        first=times.iloc[0].to_pydatetime() if len(rows) else None,
        last=times.iloc[-1].to_pydatetime() if len(rows) else None,
    )


def as_it_was(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    """Return each group with its recorded owners at each snapshot."""
    if _is_held(fleet):
        return totals.within(_part(fleet, Scope()), scope)
    return _part(fleet, scope.as_it_was)


@cached(8, "Adding up the groups…")
def sums(fleet: Fleet, scope: Scope) -> totals.Totals:
    """Return the sums over the groups' last snapshots."""
    return totals.totals(as_it_was(fleet, scope))


def _is_held(fleet: Fleet) -> bool:
    return count(fleet, "group_summary") <= HELD_ROWS


@cached(4, "Reading the tables…")
def _part(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    return _as_it_was(fleet, scope)


@cached(8, "Checking the last snapshots…")
def standing(fleet: Fleet, scope: Scope) -> stood.Standing:
    """Return how the groups stand: what is the matter with them, and what is proposed."""
    return apart(stood.standing)(fleet, as_it_was(fleet, scope), scope)


@cached(8, "Ranking the groups…")
def ranking_alone(fleet: Fleet, scope: Scope) -> stood.Standing:
    """Return how the groups rank, before anybody looks at their last snapshots."""
    return apart(stood.standing)(fleet, as_it_was(fleet, scope), scope, is_checked=False)


def standing_so_far(fleet: Fleet, scope: Scope, *, is_awaited: bool = False) -> stood.Standing:
    """Return how the groups stand, or how they rank where their states are not known at once.

    ``is_awaited``: whether to wait for the states all the same.
    """
    is_known = is_awaited or is_kept(standing, fleet, scope)
    if is_known or sums(fleet, scope).groups <= _QUICK:
        return standing(fleet, scope)
    return ranking_alone(fleet, scope)


@cached(8, "Ordering the groups…")
def by_urgency(fleet: Fleet, scope: Scope, *, is_checked: bool) -> ByUrgency:
    """Return the groups by urgency, as ``standing`` or ``ranking_alone`` has them."""
    found = standing(fleet, scope) if is_checked else ranking_alone(fleet, scope)
    return by_urgency_of(found, as_it_was(fleet, scope))


@cached(8, "Reading the partitions…")
def group_times(fleet: Fleet, scope: Scope, retention_s: float | None) -> pd.DataFrame:
    """Return each group's lag in time, regardless of the scope's strategies."""
    return apart(times.group_times)(fleet, scope.as_it_was, retention_s)


@cached(8, "Reading the groups…")
def switches(fleet: Fleet, scope: Scope, before: str, after: str) -> pd.DataFrame:
    """Return the moves of switching each group; only the scope's cluster matters."""
    return apart(ranked.switches)(fleet, Scope(cluster=scope.cluster), before, after)
