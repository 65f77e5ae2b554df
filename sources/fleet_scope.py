"""Which part of the fleet is looked at, as filters that Parquet files understand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from schemas.tables import AS_IT_WAS
from sources.fleet import Fleet
from sources.fleet_schema import DAY


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A part of the fleet; everything unless said otherwise."""

    cluster: str | None = None
    since: datetime | None = None
    """The first snapshot that counts."""
    until: datetime | None = None
    """The last."""
    strategies: tuple[str, ...] = ()
    """Those one would switch to; none named: all."""

    @property
    def is_whole_window(self) -> bool:
        """Whether every snapshot and every strategy counts."""
        return self.since is None and self.until is None and not self.strategies

    @property
    def for_present(self) -> "Scope":
        """The same for what does not depend on the strategies."""
        return replace(self, strategies=())


@dataclass(frozen=True, kw_only=True)
class Extent:
    """What there is to choose from."""

    clusters: tuple[str, ...]
    strategies: tuple[str, ...]
    """By name, the owners found not among them."""
    first: datetime | None
    """The first snapshot; None in empty tables."""
    last: datetime | None
    days: tuple[datetime, ...]
    """Midnight (UTC) of each day that has snapshots."""


def extent(fleet: Fleet) -> Extent:
    """Return the clusters, strategies and times of the tables, names in alphabetical order."""
    rows = fleet.read("group_summary", ["cluster", "strategy", "snapshot_at", DAY])
    names = {
        column: sorted(filter(None, pc.unique(rows[column]).to_pylist()))
        for column in ("cluster", "strategy")
    }
    times = pc.min_max(rows["snapshot_at"]).as_py()
    days = sorted(filter(None, pc.unique(rows[DAY]).to_pylist()))
    return Extent(
        clusters=tuple(names["cluster"]),
        strategies=tuple(name for name in names["strategy"] if name != AS_IT_WAS),
        first=times["min"],
        last=times["max"],
        days=tuple(datetime.combine(day, time(), UTC) for day in days),
    )


def in_scope(scope: Scope) -> ds.Expression | None:
    """Return the filter on cluster and time; None where everything counts."""
    of_cluster = None if scope.cluster is None else ds.field("cluster") == scope.cluster
    return both(of_cluster, in_time(scope))


def in_time(scope: Scope) -> ds.Expression | None:
    """Return the filter on time alone."""
    terms = []
    if scope.since is not None:
        terms += [
            ds.field(DAY) >= pa.scalar(scope.since.date()),
            ds.field("snapshot_at") >= _moment(scope.since),
        ]
    if scope.until is not None:
        terms += [
            ds.field(DAY) <= pa.scalar(scope.until.date()),
            ds.field("snapshot_at") <= _moment(scope.until),
        ]
    return both(*terms)


def rows_of_group(  # noqa: PLR0913, PLR0917 -- what is read, of which group, and when
    fleet: Fleet,
    table: str,
    columns: Sequence[str],
    cluster: str,
    group: str,
    when: ds.Expression | None,
    strategy: str | None = None,
) -> pa.Table:
    """Return one group's rows; only those under one strategy if it is named.

    Only the group's name and the time are looked for in the files: to compare more names in
    every row takes longer than to read it, and leaves out few rows.
    """
    names = {"cluster": cluster} | ({} if strategy is None else {"strategy": strategy})
    wanted = dict.fromkeys([*columns, *names])
    found = fleet.read(table, [*wanted], both(ds.field("group_id") == group, when))
    is_of_group = both(*(ds.field(name) == value for name, value in names.items()))
    return found.filter(is_of_group).select(list(columns))


def at(moment: datetime) -> ds.Expression:
    """Return the filter on one snapshot, its day included."""
    moment = moment.astimezone(UTC)
    return both(
        ds.field(DAY) == pa.scalar(moment.date()), ds.field("snapshot_at") == _moment(moment)
    )


def both(*terms: ds.Expression | None) -> ds.Expression | None:
    """Return where all of the filters hold; None is no filter."""
    found = None
    for term in terms:
        if term is not None:
            found = term if found is None else found & term
    return found


def _moment(value: datetime) -> pa.Scalar:
    return pa.scalar(value, pa.timestamp("us", "UTC"))
