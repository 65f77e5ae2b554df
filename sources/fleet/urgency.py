"""The groups of a fleet by urgency, with what the tables recorded of each."""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from assignors.model import BoolArray
from evaluation.answering.of_fleet import Advice, FleetVerdict, GroupStanding, by_urgency
from schemas.tables import AS_IT_WAS
from sources.fleet.ranking import PROPOSED
from sources.fleet.standing import Standing, own_advice
from sources.fleet.states import Key
from sources.fleet.totals import KEYS

MOST_UNSEEN: Final = 250
"""The most groups to list whose last snapshots nobody has looked at."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Recorded:
    """A group as it was; NaN is unknown."""

    lags: tuple[float, ...]
    """Known records that waited, snapshot by snapshot."""
    members: float
    """At the last snapshot."""
    busiest_load: float
    """Mean over the snapshots."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ByUrgency:
    """The verdict on a fleet, and what is recorded of the groups that it lists."""

    verdict: FleetVerdict
    recorded: Mapping[Key, Recorded]


def by_urgency_of(found: Standing, rows: pd.DataFrame, most_unseen: int = MOST_UNSEEN) -> ByUrgency:
    """Return the groups looked at, and the first of the others, the most urgent first.

    ``rows`` are those of ``as_it_was`` in the scope.
    """
    ranked, others = found.ranked, found.others
    is_seen = _are_among(ranked, found.states)
    is_listed, is_other = is_seen.copy(), _are_among(others, found.states)
    is_listed[np.flatnonzero(~is_seen)[:most_unseen]] = True
    is_other[:most_unseen] = True
    listed = [row for _, row in ranked[is_listed].iterrows()]
    unranked = [row for _, row in others[is_other].iterrows()]
    recorded = _recorded(rows, {_key(row) for row in (*listed, *unranked)})
    groups = (
        *(_ranked(row, found, recorded) for row in listed),
        *(
            _standing(_key(row), own_advice(found.states.get(_key(row))), found, recorded)
            for row in unranked
        ),
    )
    is_open = ~is_seen & (ranked[PROPOSED] != AS_IT_WAS).to_numpy(np.bool_)
    verdict = FleetVerdict(
        groups=by_urgency(groups, is_checked=found.is_checked),
        count=len(ranked) + len(others),
        open_count=int(np.count_nonzero(is_open)),
        unranked=Counter(others["kind"]),
        is_checked=found.is_checked,
    )
    return ByUrgency(verdict=verdict, recorded=recorded)


def _are_among(table: pd.DataFrame, keys: Collection[Key]) -> BoolArray:
    """Return which rows of a table are about one of these groups."""
    among = table["group_id"].isin({name for _, name in keys}).to_numpy(np.bool_, copy=True)
    for place in np.flatnonzero(among).tolist():
        among[place] = _key(table.iloc[place]) in keys
    return among


def _ranked(
    row: "pd.Series[Any]", found: Standing, recorded: Mapping[Key, Recorded]
) -> GroupStanding:
    setting = str(row["setting"])
    return _standing(
        _key(row),
        found.advice(row),
        found,
        recorded,
        gain=_known(row["gain_share"]),
        setting=None if setting == AS_IT_WAS else setting,
        setting_gain=_known(row["setting_gain_share"]),
    )


def _standing(  # noqa: PLR0913 -- three that only a ranked group has
    key: Key,
    advice: Advice,
    found: Standing,
    recorded: Mapping[Key, Recorded],
    *,
    gain: float = math.nan,
    setting: str | None = None,
    setting_gain: float = math.nan,
) -> GroupStanding:
    state = found.states.get(key)
    lags = recorded[key].lags if key in recorded else ()
    return GroupStanding(
        cluster=key[0],
        name=key[1],
        advice=advice,
        verdict=None if state is None else state.verdict,
        figures={} if state is None else state.figures,
        runs=None if state is None else state.runs,
        ends_s=math.nan if state is None else state.ends_s,
        waits=lags[-1] if lags else math.nan,
        gain=gain,
        setting=setting,
        setting_gain=setting_gain,
    )


def _recorded(rows: pd.DataFrame, keys: Collection[Key]) -> dict[Key, Recorded]:
    named = rows[rows["group_id"].isin({name for _, name in keys})]
    found = {}
    for (cluster, name), each in named.groupby(KEYS, sort=False, observed=True):
        lags = each["total_lag"].to_numpy(np.float64, na_value=np.nan)
        if (str(cluster), str(name)) in keys:
            found[str(cluster), str(name)] = Recorded(
                lags=tuple(lags.tolist()),
                members=_known(each["members"].iloc[-1]),
                busiest_load=_known(each["max_load"].astype("Float64").mean()),
            )
    return found


def _key(row: "pd.Series[Any]") -> Key:
    return str(row["cluster"]), str(row["group_id"])


def _known(value: object) -> float:
    """Return a figure of a table, NaN where it has none."""
    return float(value) if isinstance(value, int | float | np.number) else math.nan
