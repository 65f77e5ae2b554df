"""The table ``recommendation`` recomputed with pandas from docs/pipeline.md."""

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from assignors.catalogue import strategy_called
from assignors.strategy import Protocol
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
        lag = row["lower_bound"] if lag is None else lag
        by_lag = (gain is None, -(gain or 0), lag is None, -(lag or 0))
        return *by_lag, java_key(row["cluster"]), java_key(row["group_id"])

    return [{"rank": n, **row} for n, row in enumerate(sorted(rows, key=order), 1)]


class _Judged:
    """The rows of one group, by snapshot and strategy, and the snapshots that are judged."""

    def __init__(self, rows: pd.DataFrame, names: Sequence[str]) -> None:
        self.table = {
            name: rows.pivot(index="snapshot_at", columns="strategy", values=name)  # noqa: PD010 -- no mean
            for name in rows.columns[4:]
        }
        load, unowned = self.table["max_load"], self.table["unowned"]
        self.moments = load.index
        is_known = (load.notna() | unowned.isna()).all(axis=1)
        is_owned = is_known & (unowned[AS_IT_WAS] <= unowned.min(axis=1))
        self.is_owned = bool(is_owned.any())
        self.judged = load.index[is_owned if self.is_owned else is_known]
        self.strategy = self._chosen(names[1:])
        self.before, now = self.mean("max_load", AS_IT_WAS), self.mean("max_load", self.strategy)
        self.gain = self._less(self.before, now)

    def mean(
        self, name: str, strategy: str, at: pd.Index | None = None, *, whole: bool = True
    ) -> float | None:
        """Return the mean over snapshots, or None if none is known or, if ``whole``, not all."""
        at = self.judged if at is None else at
        has = strategy in self.table[name]
        values = self.table[name].loc[at, strategy] if has else pd.Series([None])
        known = values.dropna()
        is_whole = len(known) == len(values) or not whole
        return float(sum(known) / len(known)) if len(known) and is_whole else None

    def share_of(self, strategy: str) -> float | None:
        """Return the gain of any strategy over the judged snapshots, as a share."""
        gain = self._less(self.before, self.mean("max_load", strategy))
        return gain / self.before if gain is not None and self.before else None

    def _less(self, before: float | None, now: float | None) -> float | None:
        if before is None or now is None or not self.is_owned:
            return None
        return before - now

    def _chosen(self, strategies: Sequence[str]) -> str:
        """Return the strategy by steps 2 and 3 of the documents."""
        load = self.table["max_load"].loc[self.judged]
        loads = {s: sum(load[s]) for s in strategies if s in load and load[s].notna().all()}
        if load.empty or not loads:
            return AS_IT_WAS
        today = sum(load[AS_IT_WAS])
        worth = {s for s in loads if 20 * (today - loads[s]) >= max(20 * len(load), today)}
        among = worth if self.is_owned else {*loads}
        if not among:
            return AS_IT_WAS
        least = min(loads[s] for s in among)
        near = [s for s in loads if s in among and 20 * (loads[s] - least) <= today]

        def order(strategy: str) -> tuple[float, ...]:
            is_eager = strategy_called(strategy).protocol is Protocol.EAGER
            return *self._moves(strategy), is_eager, loads[strategy]

        return min(near, key=order)

    def _moves(self, strategy: str) -> tuple[float, float]:
        """Return the usual moves, and those at the first snapshot."""
        first = self.table["moved_from_present"].iloc[0].get(strategy)
        usual = self.mean("moved_from_previous", strategy, self.moments, whole=False)
        shown = first if usual is None else usual
        return 0 if pd.isna(shown) else shown, -1 if pd.isna(first) else first


def _tested(rows: pd.DataFrame, names: Sequence[str]) -> Row:
    """Return what the earlier half of the snapshots chooses, and what the later half says of it."""
    moments = sorted(set(rows["snapshot_at"]))
    if len(moments) == 1:
        return dict.fromkeys(("tested_strategy", "promised_share", "kept_share"))
    is_early = rows["snapshot_at"].isin(moments[: -(-len(moments) // 2)])
    early, late = (_Judged(half, names) for half in (rows[is_early], rows[~is_early]))
    strategy = early.strategy
    promised = early.share_of(strategy) if strategy != AS_IT_WAS else None
    kept = late.share_of(strategy) if promised is not None else None
    return {"tested_strategy": strategy, "promised_share": promised, "kept_share": kept}


def _lacks_owners(table: dict[str, pd.DataFrame]) -> bool:
    """Return whether there was load at a snapshot, but nobody told whose."""
    loads = zip(table["max_load"][AS_IT_WAS], table["total_load"][AS_IT_WAS], strict=True)
    return any(pd.isna(most) and pd.notna(total) and total > 0 for most, total in loads)


def _advice(rows: pd.DataFrame, names: Sequence[str]) -> Row:
    """Return the row of one group."""
    own = _Judged(rows, names)
    table, mean, chosen, before = own.table, own.mean, own.strategy, own.before
    lowest, total = (mean(name, AS_IT_WAS) for name in ("lower_bound", "total_load"))
    if lowest is None and _lacks_owners(table):
        lowest = mean("lower_bound", AS_IT_WAS, own.moments, whole=False)
    window, last = own.judged if len(own.judged) else own.moments, own.moments[-1]
    reasons = {
        "no-members": table["members"][AS_IT_WAS].astype(float).max() == 0,
        "owners-unknown": before is None and _lacks_owners(table),
        "unknown-lag": before is None,
        "unowned": not own.is_owned,
        "gains": chosen != AS_IT_WAS,
        "no-lag": before == 0,
        "at-best": before == lowest,
        "none-better": True,
    }
    return {
        **rows[_GROUP].iloc[0],
        "window_start": window[0],
        "window_end": window[-1],
        "snapshots": len(own.judged),
        "partitions": table["partitions"].loc[last, AS_IT_WAS],
        "members": table["members"].loc[last, AS_IT_WAS],
        "strategy": chosen,
        "max_load_as_it_was": before,
        "max_load": mean("max_load", chosen),
        "max_lag_as_it_was": mean("max_lag", AS_IT_WAS),
        "max_lag": mean("max_lag", chosen),
        "lower_bound": lowest,
        "gain_load": own.gain,
        "gain_share": own.share_of(chosen),
        "moves_as_it_was": mean("moved_from_previous", AS_IT_WAS, own.moments, whole=False),
        "moves": mean("moved_from_previous", chosen, own.moments, whole=False),
        "max_over_mean_as_it_was": mean("max_over_mean_load", AS_IT_WAS, whole=False),
        "max_over_mean": mean("max_over_mean_load", chosen, whole=False),
        "idle_members": mean("idle_members", AS_IT_WAS, own.moments, whole=False),
        "largest_partition_share": lowest / total if lowest is not None and total else None,
        "reason": next(reason for reason, holds in reasons.items() if holds),
        **_tested(rows, names),
    }
