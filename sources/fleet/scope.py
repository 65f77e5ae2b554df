"""A part of the fleet, as filters that are pushed down to Parquet files."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import reduce

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from sources.fleet.tables import Fleet, to_frame


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A part of the fleet; all of it by default."""

    cluster: str | None = None
    since: datetime | None = None
    """The first snapshot to include."""
    until: datetime | None = None
    """The last snapshot to include."""
    strategies: tuple[str, ...] = ()
    """The candidates to switch to; empty for all."""

    def among(self, strategies: Sequence[str]) -> "Scope":
        """Return the same part with these candidates only."""
        chosen = self.strategies or strategies
        return replace(self, strategies=tuple(name for name in chosen if name in strategies))

    @property
    def as_it_was(self) -> "Scope":
        """The same part for figures independent of the strategies."""
        return replace(self, strategies=())


def in_scope(scope: Scope) -> ds.Expression | None:
    """Return the filter on cluster and time; None for no filter."""
    of_cluster = None if scope.cluster is None else ds.field("cluster") == scope.cluster
    return all_of(of_cluster, in_time(scope))


def in_time(scope: Scope) -> ds.Expression | None:
    """Return the filter on time, including the days of the partitions."""
    terms = []
    if scope.since is not None:
        terms += [ds.field("day") >= _day(scope.since)]
        terms += [ds.field("snapshot_at") >= _moment(scope.since)]
    if scope.until is not None:
        terms += [ds.field("day") <= _day(scope.until)]
        terms += [ds.field("snapshot_at") <= _moment(scope.until)]
    return all_of(*terms)


def of_group(cluster: str, group: str) -> ds.Expression:
    """Return the filter on one group."""
    return (ds.field("cluster") == cluster) & (ds.field("group_id") == group)


def rows_where(
    fleet: Fleet, table: str, columns: Sequence[str], *terms: ds.Expression | None
) -> pd.DataFrame:
    """Return the rows of a table that meet all the filters, ignoring None."""
    return to_frame(fleet.look_up(table, columns, all_of(*terms)))


def all_of(*terms: ds.Expression | None) -> ds.Expression | None:
    """Return the conjunction of the filters, ignoring None."""
    given = [term for term in terms if term is not None]
    return reduce(operator.and_, given) if given else None


def _day(value: datetime) -> pa.Scalar:
    return pa.scalar(value.astimezone(UTC).date())


def _moment(value: datetime) -> pa.Scalar:
    return pa.scalar(value, pa.timestamp("us", "UTC"))
