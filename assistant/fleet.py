"""The ranking of a fleet, as an assistant reads it."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant import answers
from sources.errors import SourceError
from sources.fleet.location import ROOT, SAMPLE, LocationPolicy, permitted
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.standing import Standing, standing
from sources.fleet.totals import as_it_was

if TYPE_CHECKING:
    import pandas as pd


def ranking_in(folder: str | None, cluster: str | None, most: int) -> answers.FleetRanking:
    """Return the ranking of the tables in a folder, else of the sample. Raises SourceError."""
    policy = LocationPolicy(os.environ.get(ROOT), is_local=False)
    where = str(SAMPLE) if folder is None else permitted(folder, policy)
    fleet = open_fleet(edition_of(where, None if folder is None else policy.resolved_root))
    scope = Scope(cluster=cluster)
    found = standing(fleet, as_it_was(fleet, scope), scope)
    rows = found.ranked
    if rows.empty and cluster is not None:
        message = f"the tables hold no group of the cluster {cluster!r}"
        raise SourceError(message)
    gains = rows[rows["reason"] == "gains"]
    return answers.FleetRanking(
        folder=where,
        groups=len(rows),
        gaining=len(gains),
        judged_by=fleet.measure.by.value,
        total_gain_load=float(gains["gain_load"].sum()),
        strategies=list(fleet.run["strategies"] or ()),
        ranking=[_ranked(row, found) for _, row in rows.head(most).iterrows()],
    )


def _ranked(row: "pd.Series[Any]", found: Standing) -> answers.FleetGroup:
    state = found.states.get((str(row["cluster"]), str(row["group_id"])))
    advice = found.advice(row)

    def known(name: str) -> float | None:
        return None if np.isnan(value := float(row[name])) else value

    return answers.FleetGroup(
        rank=int(row["rank"]),
        cluster=str(row["cluster"]),
        group=str(row["group_id"]),
        verdict=None if state is None else state.verdict.kind.value,
        action=None if advice.action is None else advice.action.value,
        strategy=advice.strategy,
        is_checked=advice.is_checked,
        best_strategy=str(row["strategy"]),
        busiest_load_as_it_was=known("max_load_as_it_was"),
        busiest_load=known("max_load"),
        gain_load=known("gain_load"),
        moves=known("moves"),
        reason=str(row["reason"]),
    )
