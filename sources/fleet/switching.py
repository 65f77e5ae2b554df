"""What switching every group of the fleet to one strategy moves and pauses."""

from typing import Final

import pandas as pd
import pyarrow.dataset as ds

from assignors.clients.registry import ALL_STRATEGIES
from evaluation.rebalance.switching import pauses_all
from schemas.tables import AS_IT_WAS
from sources.errors import guarded
from sources.fleet.scope import Scope, both, in_scope
from sources.fleet.tables import Fleet, to_frame
from sources.fleet.totals import KEYS

_FIGURES: Final = ("members", "partitions", "moved_from_present", "max_lag")


@guarded("the tables")
def switches(fleet: Fleet, scope: Scope, before: str, after: str) -> pd.DataFrame:
    """Return one row a group whose switch moves most first, as of its first snapshot.

    There the replay starts from the present owners, so that ``moved`` is what a switch moves; it
    is unknown where nobody owned anything; ``paused`` follows from the two strategies' protocols.
    The scope's time and strategies do not matter.
    """
    names = ds.field("strategy").isin([AS_IT_WAS, after])
    of_cluster = in_scope(Scope(cluster=scope.cluster))
    columns = [*KEYS, "snapshot_at", "strategy", *_FIGURES]
    rows = to_frame(fleet.read("group_summary", columns, both(names, of_cluster)))
    rows = rows.sort_values("snapshot_at", kind="stable")
    first = rows.drop_duplicates([*KEYS, "strategy"])
    was, then = (first[first["strategy"] == name] for name in (AS_IT_WAS, after))
    compared = then.merge(was[[*KEYS, "snapshot_at", "max_lag"]], on=[*KEYS, "snapshot_at"])
    compared = compared.rename(
        columns={
            "max_lag_x": "max_lag",
            "max_lag_y": "max_lag_as_it_was",
            "moved_from_present": "moved",
        }
    )
    pauses = pauses_all(ALL_STRATEGIES[before], ALL_STRATEGIES[after])
    paused = compared["partitions" if pauses else "moved"]
    compared["paused"] = paused.where(compared["moved"].notna())
    wanted = [*KEYS, "members", "partitions", "moved", "paused", "max_lag_as_it_was", "max_lag"]
    ordered = compared.sort_values(
        ["moved", *KEYS], ascending=[False, True, True], ignore_index=True
    )
    return ordered[wanted]
