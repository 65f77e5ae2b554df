"""Turn the flat arrays of a batch into rows of the tables in ``schemas``."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import UNKNOWN, UNOWNED, FloatArray, IntArray, LongArray, Owners
from assignors.sums import counts, float_sums
from evaluation.snapshots import Loads, Snapshots
from pipeline.encoding import LISTS, NAME, NOBODY, decoded_lists, named, one_array
from pipeline.replay.assignments import Assignments
from pipeline.replay.layout import BatchLayout
from pipeline.replay.membership import Membership, previous_owners
from pipeline.replay.offsets import BatchOffsets
from pipeline.replay.ordering import Numbers
from schemas.arrow import arrow_schema
from schemas.tables import (
    AS_IT_WAS,
    CHECKPOINT,
    GROUP_MEMBER,
    GROUP_SUMMARY,
    MEMBER_LOAD,
    PARTITION_LAG,
)
from schemas.telemetry import NOT_TOLD

_OF_OWNERS: Final = (
    *("max_lag", "mean_lag", "max_over_mean_lag", "max_partitions", "count_spread"),
    *("idle_members", "moved_from_present", "moved_from_previous"),
    *("max_load", "mean_load", "max_over_mean_load", "above_bound"),
)
"""The figures of ``group_summary`` that follow from who owns what."""
_DAY_US: Final = 86_400_000_000
_Array: TypeAlias = npt.NDArray[Any]
_Column: TypeAlias = Any
"""A pyarrow.Array or ChunkedArray; pyarrow ships no type hints."""


class Tables:
    """Tables of the figures of snapshots, members and partitions."""

    def __init__(
        self,
        numbers: Numbers,
        layout: BatchLayout,
        membership: Membership,
        offsets: BatchOffsets,
        told: pa.Table,
    ) -> None:
        self._numbers, self._layout = numbers, layout
        self._membership, self._offsets = membership, offsets
        self._snapshots = Snapshots(
            layout.snapshot_starts, membership.starts, offsets.lag, offsets.weight
        )
        first = layout.rows[layout.first_rows]
        self._cluster, self._group = numbers.cluster[first], numbers.group[first]
        self._at_us = numbers.at_us[first]
        self._kind = one_array(told["kind"]).take(pa.array(first))
        ownership = one_array(told["ownership"]).take(pa.array(first)).cast(pa.string())
        self._is_told = pc.not_equal(ownership.fill_null(""), NOT_TOLD).to_numpy(
            zero_copy_only=False
        )
        """(S,) whether the source told who owned what."""

    @property
    def new_snapshots(self) -> LongArray:
        """The times of the new snapshots of all groups."""
        return self._at_us[~self._layout.is_checkpoint]

    def last_of_clusters(self) -> dict[str, int]:
        """Return the time of the last new snapshot of each cluster that has one."""
        names, own = self._numbers.clusters, self._cluster[~self._layout.is_checkpoint]
        last_us = np.zeros(len(names), np.int64)
        np.maximum.at(last_us, own, self.new_snapshots)
        return {names[number].as_py(): int(last_us[number]) for number in np.unique(own).tolist()}

    def partition_lag(self, rows: pa.Table) -> pa.Table:
        """Return one row for each row of telemetry about a partition."""
        layout, offsets = self._layout, self._offsets
        snapshot = layout.snapshot_of_row[layout.partition_rows]
        is_new = ~layout.is_checkpoint[snapshot]
        place = layout.partition_of_row[is_new]
        kept = layout.rows[layout.partition_rows[is_new]]
        taken = rows.take(pa.array(kept))
        given = ("partition", "log_start_offset", "log_end_offset", "committed_offset")
        reset = taken["auto_offset_reset"].cast(pa.string()).fill_null("latest")
        return self._table(
            PARTITION_LAG,
            snapshot[is_new],
            {
                "topic": named(self._numbers.topics, self._numbers.topic[kept]),
                **{name: taken[name] for name in given},
                "auto_offset_reset": reset,
                "lag": _nullable(offsets.lag[place]),
                "member_id": named(self._numbers.members, self._numbers.member[kept]),
                "produce_rate": _nullable(offsets.produce_rate[place]),
                "consume_rate": _nullable(offsets.consume_rate[place]),
            },
        )

    def group_member(self) -> pa.Table:
        """Return one row for each member of each snapshot."""
        is_new = ~self._layout.is_checkpoint[self._membership.snapshot]
        about = self._membership.about.filter(pa.array(is_new))
        return self._table(
            GROUP_MEMBER,
            self._membership.snapshot[is_new],
            {
                "member_id": named(self._numbers.members, self._membership.name[is_new]),
                **{name: about[name] for name in about.column_names if name != LISTS},
                LISTS: decoded_lists(about[LISTS]),
            },
        )

    def by_strategy(
        self, assignments: Assignments, strategies: Sequence[str]
    ) -> dict[str, pa.Table]:
        """Return ``member_load`` and ``group_summary``, by group, then strategy."""
        is_new = ~self._layout.is_checkpoint
        parts: dict[str, list[pa.Table]] = {"member_load": [], "group_summary": []}
        labels = pa.array([AS_IT_WAS, *strategies], pa.string())
        for number, owners in enumerate([assignments.present, *assignments.owners]):
            selected = is_new & assignments.is_answered[number - 1] if number else is_new
            place = pa.array(np.full(selected.size, number, np.int32))
            strategy = pa.DictionaryArray.from_arrays(place, labels)
            loads = self._snapshots.loads(owners)
            is_known = selected if number else selected & self._is_told
            members = np.flatnonzero(is_known[self._membership.snapshot])
            parts["member_load"].append(self._member_load(owners, loads, strategy, members))
            snapshots = np.flatnonzero(selected)
            summary = self._group_summary(owners, loads, assignments, strategy, snapshots)
            parts["group_summary"].append(summary if number else self._as_told(summary, snapshots))
        return {name: _by_group(pa.concat_tables(tables)) for name, tables in parts.items()}

    def _member_load(
        self, owners: Owners, loads: Loads, strategy: pa.Array, selected: LongArray
    ) -> pa.Table:
        """Return the rows of these members."""
        held, members = self._snapshots.held(owners)
        size, rates = self._membership.name.size, self._offsets.produce_rate[held]
        unknown_lags, unknown_loads = (
            counts(members[~is_known[held]], size)
            for is_known in (self._snapshots.is_lag_known, self._snapshots.is_weight_known)
        )
        unknown_rates = counts(members[np.isnan(rates)], size)
        segments = self._layout.segment_topic.size + 1
        pairs = np.sort(members * segments + self._layout.segment_of_partition[held])
        topics = counts(pairs[np.diff(pairs, prepend=-1) != 0] // segments, size)
        has_any = loads.partitions > 0
        figures = {
            "partitions": pa.array(loads.partitions),
            "lag": pa.array(loads.lag, mask=has_any & (unknown_lags == loads.partitions)),
            "unknown_lags": pa.array(unknown_lags),
            "load": pa.array(loads.load, mask=has_any & (unknown_loads == loads.partitions)),
            "unknown_loads": pa.array(unknown_loads),
            "topics": pa.array(topics),
            "rate": pa.array(
                float_sums(members, np.nan_to_num(rates), size),
                mask=has_any & (unknown_rates == loads.partitions),
            ),
        }
        rows, snapshot = pa.array(selected), self._membership.snapshot[selected]
        return self._table(
            MEMBER_LOAD,
            snapshot,
            {
                "strategy": strategy.take(pa.array(snapshot)),
                "member_id": named(self._numbers.members, self._membership.name[selected]),
                **{name: column.take(rows) for name, column in figures.items()},
            },
        )

    def _group_summary(
        self,
        owners: Owners,
        loads: Loads,
        known: Assignments,
        strategy: pa.Array,
        selected: LongArray,
    ) -> pa.Table:
        """Return the rows of these snapshots."""
        snapshots, first = self._snapshots, np.append(0, self._membership.starts)
        summary, bound = snapshots.summary(owners, loads), known.lower_bound
        is_bounded = (bound != UNKNOWN) & (summary.max_load >= bound)
        firsts = (first[self._layout.snapshot_of_partition], snapshots.first_member)
        previous = previous_owners(owners, self._layout.before, self._membership.after, firsts)
        figures = {
            **self._totals,
            **vars(summary),
            "moved_from_present": snapshots.moved(known.present, owners),
            "moved_from_previous": snapshots.moved(previous, owners),
            "lower_bound": bound,
            "above_bound": np.where(is_bounded, summary.max_load - bound, UNKNOWN),
        }
        columns = {name: _nullable(values[selected]) for name, values in figures.items()}
        is_counted = self._is_told | (snapshots.members > 0)  # nobody told of is not nobody
        columns["members"] = pa.array(snapshots.members, mask=~is_counted).take(pa.array(selected))
        rows = pa.array(selected)
        columns |= {"strategy": strategy.take(rows), "kind": self._kind.take(rows)}
        return self._table(GROUP_SUMMARY, selected, columns)

    def _as_told(self, summary: pa.Table, selected: LongArray) -> pa.Table:
        """Return the rows of what was, without what follows from owners where nobody told them."""
        is_told = pa.array(self._is_told[selected])
        for name in _OF_OWNERS:
            place = summary.column_names.index(name)
            known = pc.if_else(is_told, summary[name], pa.scalar(None, summary[name].type))
            summary = summary.set_column(place, summary.schema.field(name), known)
        return summary

    @cached_property
    def _totals(self) -> dict[str, _Array]:
        """Return the figures of snapshots that do not depend on the strategy."""
        snapshots, rate = self._snapshots, self._offsets.produce_rate
        is_rate_known = snapshots.count(~np.isnan(rate)) > 0
        snapshot = self._layout.snapshot_of_partition
        rates = float_sums(snapshot, np.nan_to_num(rate), is_rate_known.size)
        return {
            "topics": np.diff(self._layout.segments_of_snapshot),
            "partitions": snapshots.partitions,
            "members": snapshots.members,
            "total_lag": snapshots.total_lag,
            "unknown_lags": snapshots.partitions - snapshots.known_lags,
            "total_load": snapshots.total_load,
            "unknown_loads": snapshots.partitions - snapshots.count(snapshots.is_weight_known),
            "rate": np.where(is_rate_known, rates, np.nan),
        }

    def failures(self, assignments: Assignments) -> Iterator[dict[str, str]]:
        """Yield each failure of a strategy at a snapshot, with the reason."""
        for snapshot, strategy, reason in assignments.failures:
            at = datetime.fromtimestamp(int(self._at_us[snapshot]) / 1e6, UTC)
            yield {
                "cluster": self._numbers.clusters[int(self._cluster[snapshot])].as_py(),
                "group_id": self._numbers.groups[int(self._group[snapshot])].as_py(),
                "snapshot_at": at.isoformat(),
                "strategy": strategy,
                "reason": reason,
            }

    def checkpoint(self, rows: pa.Table, assignments: Assignments) -> pa.Table:
        """Return the last snapshot of every group with a new one, with its owners."""
        layout, members = self._layout, self._numbers.members
        is_last = np.append(~layout.follows, np.ones(1, np.bool_))[1:] & ~layout.is_checkpoint
        place = np.flatnonzero(is_last[layout.snapshot_of_partition])
        empty = np.flatnonzero(is_last & (np.diff(layout.snapshot_starts) == 0))
        segment, snapshot = layout.segment_of_partition[place], layout.snapshot_of_partition[place]
        name = np.append(self._membership.name, np.int32(NOBODY))
        owners = assignments.owners[:, place].T
        owner = np.where(owners == UNOWNED, -1, owners + self._membership.starts[snapshot][:, None])
        sizes = np.full(place.size + empty.size, owners.shape[1])
        nobody = np.full(empty.size * owners.shape[1], NOBODY)
        everybody = named(members, np.append(name[owner].ravel(), nobody)).cast(pa.string())
        ends = pa.array(np.append(0, np.cumsum(sizes)), pa.int32())
        lists = pa.ListArray.from_arrays(ends, everybody)
        snapshots = np.concatenate([snapshot, empty])
        bucket = rows["bucket"].take(pa.array(layout.rows[layout.first_rows[snapshots]]))
        known = {
            "topic": named(self._numbers.topics, layout.segment_topic[segment]),
            "partition": pa.array(place - layout.segment_starts[segment]),
            "log_end_offset": _nullable(self._offsets.end[place]),
            "end_since": pa.array(self._offsets.end_since[place]).cast(pa.timestamp("us", "UTC")),
            "committed_offset": _nullable(self._offsets.committed[place]),
            "member_id": named(members, name[self._membership.owner[place]]),
        }
        # Groups without partitions have a row each, at the end.
        every = pa.array(np.arange(snapshots.size), mask=np.arange(snapshots.size) >= place.size)
        padded = {name: column.take(every) for name, column in known.items()}
        return self._table(CHECKPOINT, snapshots, {**padded, "owners": lists, "bucket": bucket})

    def _table(
        self, ddl: str, snapshot: LongArray | IntArray, columns: Mapping[str, _Column]
    ) -> pa.Table:
        """Return the rows of snapshots with these columns, names as numbers."""
        at_us = self._at_us[snapshot]
        given = {
            "cluster": named(self._numbers.clusters, self._cluster[snapshot]),
            "group_id": named(self._numbers.groups, self._group[snapshot]),
            "snapshot_at": pa.array(at_us).cast(pa.timestamp("us", "UTC")),
            "day": pa.array((at_us // _DAY_US).astype(np.int32)).cast(pa.date32()),
            **columns,
        }
        schema = pa.schema(
            [f.with_type(NAME) if f.type == pa.string() else f for f in arrow_schema(ddl)]
        )
        return pa.table([given[f.name].cast(f.type) for f in schema], schema=schema)


def _by_group(rows: pa.Table) -> pa.Table:
    """Sort the rows by group, so that a group's readers skip most row groups."""
    keys = [one_array(rows[name]).indices.to_numpy() for name in ("group_id", "cluster")]
    return rows.combine_chunks().take(pa.array(np.lexsort(keys)))


def _nullable(values: LongArray | FloatArray) -> pa.Array:
    """Return the values, null where unknown."""
    is_unknown = np.isnan(values) if values.dtype.kind == "f" else values == UNKNOWN
    return pa.array(values, mask=is_unknown)
