"""The flat arrays of a batch as rows of the tables in ``schemas``."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import UNKNOWN, BoolArray, FloatArray, IntArray, LongArray
from pipeline.replay.answers import Answers
from pipeline.replay.coding import LISTS, NAME, listed
from pipeline.replay.layout import Layout
from pipeline.replay.loads import Loads
from pipeline.replay.membership import Membership
from pipeline.replay.names import NOBODY, numbered
from pipeline.replay.offsets import Offsets
from pipeline.replay.sorting import Numbers
from pipeline.replay.summaries import Summary, Totals
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT, GROUP_MEMBER, GROUP_SUMMARY, MEMBER_LOAD, PARTITION_LAG

_DAY_US: Final = 86_400_000_000
_Column: TypeAlias = Any
"""A pyarrow.Array or ChunkedArray; pyarrow ships no type hints."""


class Tables:
    """Writes figures of snapshots, members and partitions as tables.

    Strategies are told apart by their place in ``labels``: K of them, the owners that
    telemetry shows first.
    """

    def __init__(
        self, numbers: Numbers, layout: Layout, membership: Membership, labels: Sequence[str]
    ) -> None:
        self._numbers, self._layout, self._membership = numbers, layout, membership
        self._labels = pa.array(labels, pa.string())
        first = layout.rows[layout.first_rows]
        self._cluster, self._group = numbers.cluster[first], numbers.group[first]
        self._at = numbers.at[first]

    def partition_lag(self, rows: pa.Table, offsets: Offsets) -> pa.Table:
        """Return one row for each row of telemetry about a partition."""
        layout = self._layout
        unit = layout.unit_of_row[layout.partition_rows]
        is_new = ~layout.is_chain[unit]
        unit, place = unit[is_new], layout.partition_of_row[is_new]
        kept = layout.rows[layout.partition_rows[is_new]]
        taken = rows.select(["partition", "log_start_offset", "log_end_offset", "committed_offset"])
        return self._table(
            PARTITION_LAG,
            unit,
            {
                "topic": _names(self._numbers.topics, self._numbers.topic[kept]),
                **dict(zip(taken.column_names, taken.take(pa.array(kept)).columns, strict=True)),
                "auto_offset_reset": _told(rows["auto_offset_reset"], kept, otherwise="latest"),
                "lag": _known(offsets.lag[place]),
                "member_id": _names(self._numbers.members, self._numbers.member[kept]),
                "produce_rate": _known(offsets.produce_rate[place]),
                "consume_rate": _known(offsets.consume_rate[place]),
            },
        )

    def group_member(self) -> pa.Table:
        """Return one row for each member of each snapshot."""
        is_new = ~self._layout.is_chain[self._membership.unit]
        about = self._membership.about.filter(pa.array(is_new))
        return self._table(
            GROUP_MEMBER,
            self._membership.unit[is_new],
            {
                "member_id": _names(self._numbers.members, self._membership.name[is_new]),
                **{name: about[name] for name in about.column_names if name != LISTS},
                LISTS: listed(about[LISTS]),
            },
        )

    def member_load(self, loads: Sequence[Loads], answers: Answers) -> pa.Table:
        """Return one row for each member, by snapshot, then strategy."""
        unit, count = self._membership.unit, len(loads)
        sizes = np.diff(self._membership.starts)[unit]
        first = self._membership.starts[unit]
        place = first * count + np.arange(unit.size) - first
        places = [place + k * sizes for k in range(count)]
        strategy = _dealt([np.full(unit.size, k) for k in range(count)], places)
        units, name = (_dealt([each] * count, places) for each in (unit, self._membership.name))
        is_shown = self._is_shown(units, strategy, answers)
        figures = {
            name: _dealt([getattr(load, name) for load in loads], places)[is_shown]
            for name in ("partitions", "lag", "unknown_lags", "topics", "rate", "unknown_rates")
        }
        has_any = figures["partitions"] > 0
        is_lag_dark = has_any & (figures["unknown_lags"] == figures["partitions"])
        is_rate_dark = has_any & (figures["unknown_rates"] == figures["partitions"])
        return self._table(
            MEMBER_LOAD,
            units[is_shown],
            {
                "strategy": _names(self._labels, strategy[is_shown]),
                "member_id": _names(self._numbers.members, name[is_shown]),
                "partitions": pa.array(figures["partitions"]),
                "lag": pa.array(figures["lag"], mask=is_lag_dark),
                "unknown_lags": pa.array(figures["unknown_lags"]),
                "topics": pa.array(figures["topics"]),
                "rate": pa.array(figures["rate"], mask=is_rate_dark),
            },
        )

    def group_summary(
        self, totals: Totals, summaries: Sequence[Summary], answers: Answers
    ) -> pa.Table:
        """Return one row for each snapshot and strategy."""
        count = len(summaries)
        unit = np.repeat(np.arange(self._layout.unit_count), count)
        strategy = np.tile(np.arange(count), self._layout.unit_count)
        is_shown = self._is_shown(unit, strategy, answers)
        unit, strategy = unit[is_shown], strategy[is_shown]
        of_unit = {**vars(totals), "best_max_lag": answers.best_max_lag}
        of_each = {
            name: np.column_stack([getattr(each, name) for each in summaries]).ravel()[is_shown]
            for name in Summary.__dataclass_fields__
        }
        return self._table(
            GROUP_SUMMARY,
            unit,
            {
                "strategy": _names(self._labels, strategy),
                **{name: _known(values[unit]) for name, values in of_unit.items()},
                **{name: _known(values) for name, values in of_each.items()},
            },
        )

    def failures(self, answers: Answers) -> list[dict[str, str]]:
        """Return each snapshot and strategy without an answer, and why."""
        names = [self._numbers.clusters, self._numbers.groups]
        found = []
        for failure in answers.failures:
            at = (self._cluster[failure.unit], self._group[failure.unit])
            cluster, group = (each[int(n)].as_py() for each, n in zip(names, at, strict=True))
            moment = datetime.fromtimestamp(int(self._at[failure.unit]) / 1e6, UTC).isoformat()
            about = {"strategy": failure.strategy, "reason": failure.reason}
            found.append({"cluster": cluster, "group_id": group, "snapshot_at": moment, **about})
        return found

    def new_units(self) -> tuple[LongArray, int]:
        """Return the moments of the new snapshots, and how many groups there are."""
        return self._at[~self._layout.is_chain], int(np.count_nonzero(~self._layout.follows))

    def checkpoint(self, rows: pa.Table, offsets: Offsets, answers: Answers) -> pa.Table:
        """Return the last snapshot of every group, and who owns what there."""
        layout = self._layout
        is_last = np.append(~layout.follows, np.ones(1, np.bool_))[1:]
        place = np.flatnonzero(is_last[layout.unit_of_partition])
        empty = np.flatnonzero(is_last & (np.diff(layout.unit_starts) == 0))
        segment = layout.segment_of_partition[place]
        number = place - layout.segment_starts[segment]
        member = np.append(self._membership.name, np.int32(NOBODY))
        owners = [self._membership.numbered(each, layout.unit_starts) for each in answers.owners]
        owned = np.column_stack([place, *(member[each[place]] for each in owners)])[:, 1:]
        listed = pa.ListArray.from_arrays(
            np.arange(place.size + 1, dtype=np.int32) * owned.shape[1],
            _names(self._numbers.members, owned.ravel()).cast(pa.string()),
        )
        bucket = rows["bucket"].take(pa.array(layout.rows[layout.first_rows]))
        found = self._table(
            CHECKPOINT,
            layout.unit_of_partition[place],
            {
                "bucket": bucket.take(pa.array(layout.unit_of_partition[place])),
                "topic": _names(self._numbers.topics, layout.segment_topic[segment]),
                "partition": pa.array(number),
                "log_end_offset": _known(offsets.end[place]),
                "committed_offset": _known(offsets.committed[place]),
                "member_id": _names(self._numbers.members, member[self._membership.owner[place]]),
                "owners": listed,
            },
        )
        nobody = pa.array([[None] * owned.shape[1]] * empty.size, pa.list_(pa.string()))
        others = {"owners": nobody, "bucket": bucket.take(pa.array(empty))}
        return pa.concat_tables([found, self._table(CHECKPOINT, empty, others)])

    def _is_shown(self, unit: LongArray, strategy: LongArray, answers: Answers) -> BoolArray:
        """Tell which rows are of a snapshot that is new, and of a strategy that has an answer."""
        found = np.ones((1, self._layout.unit_count), np.bool_)
        is_answered = np.concatenate([found, answers.is_answered])
        shown: BoolArray = is_answered[strategy, unit] & ~self._layout.is_chain[unit]
        return shown

    def _table(
        self, ddl: str, unit: LongArray | IntArray, columns: Mapping[str, _Column]
    ) -> pa.Table:
        """Return the rows of snapshots with these columns; those not given are null."""
        at = self._at[unit]
        given = {
            "cluster": _names(self._numbers.clusters, self._cluster[unit]),
            "group_id": _names(self._numbers.groups, self._group[unit]),
            "snapshot_at": pa.array(at).cast(pa.timestamp("us", "UTC")),
            "day": pa.array((at // _DAY_US).astype(np.int32)).cast(pa.date32()),
            **columns,
        }
        schema = _with_coded_names(arrow_schema(ddl))
        return pa.table(
            [
                given[field.name].cast(field.type)
                if field.name in given
                else pa.nulls(unit.size, field.type)
                for field in schema
            ],
            schema=schema,
        )


def _with_coded_names(schema: pa.Schema) -> pa.Schema:
    return pa.schema([f.with_type(NAME) if f.type == pa.string() else f for f in schema])


def _names(names: pa.StringArray, numbers: IntArray | LongArray) -> pa.DictionaryArray:
    """Return names by number, null for ``NOBODY``."""
    codes = pa.array(numbers, pa.int32(), mask=numbers == NOBODY)
    return pa.DictionaryArray.from_arrays(codes, names)


def _told(column: pa.ChunkedArray, rows: LongArray, otherwise: str) -> pa.DictionaryArray:
    """Return what rows of a coded column say, and something else for null."""
    names, (numbers,) = numbered([column])
    told = numbers[rows]
    at = names.index(otherwise).as_py()
    if at == NOBODY and (told == NOBODY).any():
        at = len(names)
        names = pa.concat_arrays([names, pa.array([otherwise], pa.string())])
    return _names(names, np.where(told == NOBODY, at, told))


def _known(values: LongArray | FloatArray) -> pa.Array:
    """Return the values, null where unknown."""
    is_unknown = np.isnan(values) if values.dtype.kind == "f" else values == UNKNOWN
    return pa.array(values, mask=is_unknown)


def _dealt(
    columns: Sequence[LongArray | IntArray | FloatArray], places: Sequence[LongArray]
) -> npt.NDArray[Any]:
    """Return all columns as one, every entry at its place."""
    found = np.empty(sum(column.size for column in columns), np.result_type(*columns))
    for column, place in zip(columns, places, strict=True):
        found[place] = column
    return found
