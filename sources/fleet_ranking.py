"""Groups ranked by what switching the strategy would gain, for any window and strategies.

The pipeline ranks over everything it read. Another window, or fewer strategies to choose
from, is worked out here from ``group_summary`` by the same rules (``pipeline.recommendation``):

A snapshot is judged where the largest lag is known under every strategy and the present
owners leave no more partitions to nobody than the strategies do; a group without any such
snapshot is judged on those with known lag, but its gain stays unknown.
"""

from typing import Final

import numpy as np
import pandas as pd

from assignors.registry import STRATEGIES
from schemas.tables import AS_IT_WAS, REAL_GAIN, RECOMMENDATION, columns
from sources.fleet import Fleet
from sources.fleet_averages import Averages, averages
from sources.fleet_scope import Scope, in_scope
from sources.fleet_totals import KEYS, frame, latest

COLUMNS: Final = tuple(columns(RECOMMENDATION))
_OF_STRATEGY: Final = ("max_lag", "moves", "max_over_mean")
_ORDER: Final = {name: place for place, name in enumerate(STRATEGIES)}


def ranking(fleet: Fleet, scope: Scope, present: pd.DataFrame) -> pd.DataFrame:
    """Return one row a group, the columns of RECOMMENDATION, most to gain first.

    ``present`` is ``fleet_totals.present`` of the same scope.
    """
    if scope.is_whole_window:
        of_cluster = in_scope(Scope(cluster=scope.cluster))
        found = frame(fleet.read("recommendation", COLUMNS, of_cluster))
        return found.sort_values("rank", kind="stable", ignore_index=True)
    return _ranked(_beside_present(averages(fleet, scope)), present)


def _beside_present(found: Averages) -> pd.DataFrame:
    """Return one row a group: its best strategy beside what it had."""
    now = found.table[found.table["strategy"] == AS_IT_WAS].set_index("group")
    best = _best(found.table).reindex(now.index)
    comparable = found.is_comparable[now.index]
    before, after = now["max_lag"], best["max_lag"]
    gains = before - after
    is_real = (gains >= 1) & (gains >= REAL_GAIN * before)
    switches = (best["strategy"].notna() & (is_real | ~comparable)).to_numpy()
    judged = now[["cluster", "group_id", "window_start", "window_end", "snapshots"]].copy()
    judged["strategy"] = best["strategy"].where(switches, AS_IT_WAS)
    for name in _OF_STRATEGY:
        judged[f"{name}_as_it_was"] = now[name]
        judged[name] = best[name].where(switches, now[name])
    judged["best_max_lag"] = now["best_max_lag"]
    judged["idle_members"] = now["idle_members"]
    judged["largest_partition_share"] = now["best_max_lag"] / now["total_lag"].replace(0, np.nan)
    judged["gain_lag"] = (before - judged["max_lag"]).where(comparable)
    judged["gain_share"] = judged["gain_lag"] / before.replace(0, np.nan)
    judged["is_comparable"] = comparable
    return judged.reset_index(drop=True)


def _best(table: pd.DataFrame) -> pd.DataFrame:
    """Return each group's best strategy: least lag, then fewest moves, then display order."""
    answers = table[(table["strategy"] != AS_IT_WAS) & table["summed_lag"].notna()]
    first_moves = answers["first_moves"]
    merit = (
        answers["summed_lag"],
        answers["moves"].fillna(first_moves).fillna(0.0),
        first_moves.fillna(-1.0),  # where nobody owned anything, nothing has to be given up
        answers["strategy"].map(_ORDER).fillna(len(_ORDER)),
    )
    ordered = answers.iloc[np.lexsort([figure.to_numpy() for figure in reversed(merit)])]
    return ordered.drop_duplicates("group").set_index("group")


def _ranked(judged: pd.DataFrame, present: pd.DataFrame) -> pd.DataFrame:
    """Add what the group was like at last, and rank: unknown gains last, equals by name."""
    last = latest(present).set_index(KEYS)[["partitions", "members"]]
    most = present.groupby(KEYS, sort=False)["members"].max().rename("most_members")
    found = judged.join(last, on=KEYS).join(most, on=KEYS)
    found["reason"] = _reasons(found)
    found = found.sort_values(
        ["gain_lag", "max_lag_as_it_was", *KEYS],
        ascending=[False, False, True, True],
        na_position="last",
        ignore_index=True,
    )
    found["rank"] = np.arange(1, len(found) + 1)
    return found[list(COLUMNS)]


def _reasons(found: pd.DataFrame) -> np.ndarray:
    """Return one word a group: why this strategy, or why none."""
    before = found["max_lag_as_it_was"]
    cases = {
        "no-members": found["most_members"] == 0,
        "unknown-lag": before.isna(),
        "unowned": ~found["is_comparable"],
        "gains": found["strategy"] != AS_IT_WAS,
        "no-lag": before == 0,
        "at-best": before == found["best_max_lag"],
    }
    chosen = [case.to_numpy(np.bool_) for case in cases.values()]
    return np.select(chosen, list(cases), "none-better")
