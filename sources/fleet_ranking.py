"""Groups ranked by what switching the strategy would gain, for any window and strategies.

The pipeline ranks over everything it read. Another window, or fewer strategies to choose
from, is worked out here from ``group_summary`` by the same definitions.
"""

from typing import Final

import numpy as np
import pandas as pd
import pyarrow.dataset as ds

from assignors.registry import STRATEGIES
from schemas.tables import AS_IT_WAS, RECOMMENDATION, columns
from sources.fleet import Fleet
from sources.fleet_scope import Scope, both, in_scope
from sources.fleet_totals import KEYS, frame, latest

COLUMNS: Final = tuple(columns(RECOMMENDATION))
_FIGURES: Final = {
    "max_lag": "max_lag",
    "best_max_lag": "best_max_lag",
    "moved_from_previous": "moves",
    "max_over_mean_lag": "max_over_mean",
    "idle_members": "idle_members",
    "total_lag": "total_lag",
}
"""What is averaged over the snapshots, and what the ranking calls it."""


def ranking(fleet: Fleet, scope: Scope, present: pd.DataFrame) -> pd.DataFrame:
    """Return one row a group, the columns of RECOMMENDATION, most to gain first.

    ``present`` is ``fleet_totals.present`` of the same scope.
    """
    if scope.is_whole_window:
        of_cluster = in_scope(Scope(cluster=scope.cluster))
        found = frame(fleet.read("recommendation", COLUMNS, of_cluster))
        return found.sort_values("rank", kind="stable", ignore_index=True)
    return _ranked(_judged(_averages(fleet, scope)), present)


def _averages(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    """Return each group's figures under each strategy, mean over the snapshots."""
    wanted = None
    if scope.strategies:
        wanted = ds.field("strategy") == AS_IT_WAS
        for name in scope.strategies:
            wanted = wanted | (ds.field("strategy") == name)
    rows = fleet.read(
        "group_summary", [*KEYS, "strategy", *_FIGURES], both(wanted, in_scope(scope))
    )
    means = rows.group_by([*KEYS, "strategy"]).aggregate([(name, "mean") for name in _FIGURES])
    return frame(means).rename(columns={f"{old}_mean": new for old, new in _FIGURES.items()})


def _judged(averages: pd.DataFrame) -> pd.DataFrame:
    """Return each group's best strategy beside what it had; ties go to the fewest moves."""
    is_now = averages["strategy"] == AS_IT_WAS
    now = averages[is_now].drop(columns="strategy").set_index(KEYS)
    order = {name: k for k, name in enumerate(STRATEGIES)}
    others = averages[~is_now & averages["max_lag"].notna()]
    others = others.assign(place=others["strategy"].map(order).fillna(len(order)))
    best = others.sort_values(["max_lag", "moves", "place"], kind="stable")
    best = best.drop_duplicates(KEYS).set_index(KEYS).reindex(now.index)
    gains = (best["max_lag"] < now["max_lag"]).to_numpy()
    found = pd.DataFrame(index=now.index)
    found["strategy"] = best["strategy"].where(gains, AS_IT_WAS)
    for name in ("max_lag", "moves", "max_over_mean"):
        found[f"{name}_as_it_was"] = now[name]
        found[name] = best[name].where(gains, now[name])
    found["best_max_lag"] = now["best_max_lag"]
    found["idle_members"] = now["idle_members"]
    found["largest_partition_share"] = now["best_max_lag"] / now["total_lag"].replace(0, np.nan)
    return found.reset_index()


def _ranked(judged: pd.DataFrame, present: pd.DataFrame) -> pd.DataFrame:
    """Add what the group was like, and rank; groups that gain alike go by name."""
    over_time = present.groupby(KEYS, sort=False)["snapshot_at"].agg(
        window_start="min", window_end="max", snapshots="size"
    )
    last = latest(present).set_index(KEYS)[["partitions", "members"]]
    found = judged.join(over_time, on=KEYS).join(last, on=KEYS)
    found["gain_lag"] = found["max_lag_as_it_was"] - found["max_lag"]
    before = found["max_lag_as_it_was"].replace(0, np.nan)
    found["gain_share"] = found["gain_lag"] / before
    found["reason"] = ""
    found = found.sort_values(
        ["gain_lag", *KEYS], ascending=[False, True, True], na_position="last", ignore_index=True
    )
    found["rank"] = np.arange(1, len(found) + 1)
    return found[list(COLUMNS)]
