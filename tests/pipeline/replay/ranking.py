"""The table ``recommendation`` recomputed with pandas from docs/pipeline.md."""

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from schemas.tables import AS_IT_WAS
from tests.pipeline.replay.fleets import Row
from tests.pipeline.replay.reference import java_key

_GROUP: Final = ["cluster", "group_id"]


def recommendation(summary: Sequence[Row], strategies: Sequence[str]) -> list[Row]:
    """Return the table ``recommendation`` from the rows of ``group_summary``."""
    frame = pd.DataFrame(list(summary), dtype=object)
    rows = [
        _advice(of_group, [AS_IT_WAS, *strategies])
        for _, of_group in (frame.groupby(_GROUP) if len(frame) else ())
    ]

    def order(row: Row) -> tuple[Any, ...]:
        gain, lag = row["gain_load"], row["max_load_as_it_was"]
        by_lag = (gain is None, -(gain or 0), lag is None, -(lag or 0))
        return *by_lag, java_key(row["cluster"]), java_key(row["group_id"])

    return [{"rank": n, **row} for n, row in enumerate(sorted(rows, key=order), 1)]


def _advice(rows: pd.DataFrame, names: Sequence[str]) -> Row:
    """Return the row of one group."""
    table = {
        name: rows.pivot(index="snapshot_at", columns="strategy", values=name)  # noqa: PD010 -- no mean
        for name in rows.columns[4:]
    }
    lag, unowned = table["max_load"], table["unowned"]
    is_there = unowned.notna()
    is_known = (lag.notna() | ~is_there).all(axis=1)
    is_owned = is_known & (unowned[AS_IT_WAS] <= unowned.min(axis=1))
    judged = lag.index[is_owned if is_owned.any() else is_known]

    def mean(
        name: str, strategy: str, at: pd.Index = judged, *, whole: bool = True
    ) -> float | None:
        values = table[name].loc[at, strategy] if strategy in lag else pd.Series([None])
        known = values.dropna()
        is_whole = len(known) == len(values) or not whole
        return float(sum(known) / len(known)) if len(known) and is_whole else None

    def moves(strategy: str) -> tuple[float, float]:
        first = table["moved_from_present"].iloc[0].get(strategy)
        usual = mean("moved_from_previous", strategy, lag.index, whole=False)
        shown = usual if usual is not None else first
        return shown or 0, -1 if pd.isna(first) else first

    candidates = [
        s for s in names[1:] if s in lag and len(judged) and lag.loc[judged, s].notna().all()
    ]
    best = min(candidates, key=lambda s: (sum(lag.loc[judged, s]), *moves(s)), default=None)
    before = mean("max_load", AS_IT_WAS)
    after = None if best is None else mean("max_load", best)
    is_real = before is not None and after is not None and before - after >= max(1, before / 100)
    chosen = best if best and (is_real or not is_owned.any()) else AS_IT_WAS
    lowest, total = (mean(name, AS_IT_WAS) for name in ("lower_bound", "total_load"))
    now = mean("max_load", chosen)
    gain = before - now if before is not None and now is not None and is_owned.any() else None
    window, last = judged if len(judged) else lag.index, lag.index[-1]
    reasons = {
        "no-members": table["members"][AS_IT_WAS].max() == 0,
        "unknown-lag": before is None,
        "unowned": not is_owned.any(),
        "gains": chosen != AS_IT_WAS,
        "no-lag": before == 0,
        "at-best": before == lowest,
        "none-better": True,
    }
    return {
        **rows[_GROUP].iloc[0],
        "window_start": window[0],
        "window_end": window[-1],
        "snapshots": len(judged),
        "partitions": table["partitions"].loc[last, AS_IT_WAS],
        "members": table["members"].loc[last, AS_IT_WAS],
        "strategy": chosen,
        "max_load_as_it_was": before,
        "max_load": now,
        "max_lag_as_it_was": mean("max_lag", AS_IT_WAS),
        "max_lag": mean("max_lag", chosen),
        "lower_bound": lowest,
        "gain_load": gain,
        "gain_share": gain / before if gain is not None and before else None,
        "moves_as_it_was": mean("moved_from_previous", AS_IT_WAS, lag.index, whole=False),
        "moves": mean("moved_from_previous", chosen, lag.index, whole=False),
        "max_over_mean_as_it_was": mean("max_over_mean_load", AS_IT_WAS, whole=False),
        "max_over_mean": mean("max_over_mean_load", chosen, whole=False),
        "idle_members": mean("idle_members", AS_IT_WAS, lag.index, whole=False),
        "largest_partition_share": lowest / total if lowest is not None and total else None,
        "reason": next(reason for reason, holds in reasons.items() if holds),
    }
