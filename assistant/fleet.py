"""The groups of a fleet by urgency, as an assistant reads them."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant import answers
from evaluation.answering.fleet_words import fleet_words
from evaluation.answering.of_fleet import GroupStanding, Urgency
from sources.errors import SourceError
from sources.fleet.location import ROOT, SAMPLE, LocationPolicy, permitted
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.standing import standing
from sources.fleet.totals import as_it_was
from sources.fleet.urgency import by_urgency_of

if TYPE_CHECKING:
    import pandas as pd


def ranking_in(folder: str | None, cluster: str | None, most: int) -> answers.FleetRanking:
    """Return the groups of the tables in a folder, else of the sample. Raises SourceError."""
    policy = LocationPolicy(os.environ.get(ROOT), is_local=False)
    where = str(SAMPLE) if folder is None else permitted(folder, policy)
    fleet = open_fleet(edition_of(where, None if folder is None else policy.resolved_root))
    scope = Scope(cluster=cluster)
    recorded = as_it_was(fleet, scope)
    found = standing(fleet, recorded, scope)
    verdict, rows = by_urgency_of(found, recorded, most).verdict, found.ranked
    if not verdict.count and cluster is not None:
        message = f"the tables hold no group of the cluster {cluster!r}"
        raise SourceError(message)
    gains, words = rows[rows["reason"] == "gains"], fleet_words(verdict, fleet.measure)
    keys = zip(rows["cluster"], rows["group_id"], strict=True)
    places = {key: place for place, key in enumerate(keys)}
    return answers.FleetRanking(
        folder=where,
        text=" ".join(filter(None, (words.headline, words.evidence, words.action))),
        groups=verdict.count,
        behind=len(verdict.those(Urgency.BEHIND)),
        gaining=len(gains),
        judged_by=fleet.measure.by.value,
        total_gain_load=float(gains["gain_load"].sum()),
        strategies=list(fleet.run["strategies"] or ()),
        ranking=[
            _told(group, rows.iloc[places[group.key]] if group.key in places else None)
            for group in verdict.groups[:most]
        ],
    )


def _told(group: GroupStanding, row: "pd.Series[Any] | None") -> answers.FleetGroup:
    """Return a group, without figures if it is not ranked."""
    advice, verdict = group.advice, group.verdict

    def known(name: str) -> float | None:
        return None if row is None or np.isnan(value := float(row[name])) else value

    return answers.FleetGroup(
        rank=None if row is None else int(row["rank"]),
        cluster=group.cluster,
        group=group.name,
        urgency=group.urgency.name.lower().replace("_", "-"),
        verdict=None if verdict is None else verdict.kind.value,
        lag_records=None if np.isnan(group.waits) else int(group.waits),
        action=None if advice.action is None else advice.action.value,
        strategy=advice.strategy,
        is_checked=advice.is_checked,
        best_strategy=None if row is None else str(row["strategy"]),
        busiest_load_as_it_was=known("max_load_as_it_was"),
        busiest_load=known("max_load"),
        gain_load=known("gain_load"),
        moves=known("moves"),
        reason="other-kind" if row is None else str(row["reason"]),
    )
