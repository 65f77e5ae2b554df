"""A snapshot as rows of telemetry, exactly the columns of ``schemas.telemetry``."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import BoolArray, LongArray
from pipeline.generating.names import CLUSTERS
from pipeline.generating.offsets import Snapshot
from pipeline.generating.owners import NOBODY
from pipeline.generating.plan import Plan
from pipeline.generating.traits import RESETS
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

Table: TypeAlias = Any
"""A ``pyarrow.Table``; pyarrow ships no type hints."""

SCHEMA: Final = arrow_schema(TELEMETRY)
"""``schemas.telemetry.TELEMETRY`` as Arrow has it."""
_LIST: Final = SCHEMA.field("subscribed_topics").type


class Rows:
    """Turns the snapshots of one block into tables; names are looked up once a block."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        members = plan.members
        self._crew_columns: Mapping[str, Sequence[str | None]] = {
            "member_id": members.ids,
            "client_id": members.clients,
            "host": members.hosts,
            "group_instance_id": members.instances,
            "rack": members.racks,
        }

    def of(self, snapshot: Snapshot, times_us: LongArray) -> Table:
        """Return one row for each partition and each idle member, group after group.

        ``times_us`` (G,) is when each group was looked at, in microseconds since 1970.
        """
        plan = self._plan
        known = np.flatnonzero(plan.born <= snapshot.at)
        idle = self._idle(snapshot)
        group = np.concatenate([plan.group[known], plan.members.group[idle]])
        order = np.argsort(group, kind="stable")
        group = group[order]
        member = np.concatenate([snapshot.owner[known], idle])[order]
        # An idle member's row has no partition; NOBODY stands for that here too.
        partition = np.concatenate([known, np.full(idle.size, NOBODY)])[order]
        columns = {
            "cluster": _named(plan.traits.cluster[group], CLUSTERS),
            "group_id": _named(group, plan.traits.names),
            "snapshot_at": pa.array(times_us[group], SCHEMA.field("snapshot_at").type),
            "topic": _named(
                np.where(partition == NOBODY, NOBODY, plan.topic[partition]), plan.topics
            ),
            "partition": _valued(plan.number, partition, None, pa.int32()),
            "log_start_offset": _valued(snapshot.start, partition, snapshot.is_answered),
            "log_end_offset": _valued(snapshot.end, partition, snapshot.is_answered),
            "committed_offset": _valued(snapshot.committed, partition, snapshot.is_committed),
            **{name: _named(member, names) for name, names in self._crew_columns.items()},
            "auto_offset_reset": _named(plan.traits.reset[group], RESETS),
            "subscribed_topics": self._subscriptions(group, member),
        }
        return pa.table(
            [columns[name].cast(SCHEMA.field(name).type) for name in SCHEMA.names], SCHEMA
        )

    def _idle(self, snapshot: Snapshot) -> LongArray:
        """Return the members that are there and own nothing."""
        members = self._plan.members
        is_idle = (members.born <= snapshot.at) & (members.gone > snapshot.at)
        is_idle[snapshot.owner[snapshot.owner != NOBODY]] = False
        return np.flatnonzero(is_idle)

    def _subscriptions(self, group: LongArray, member: LongArray) -> Any:  # noqa: ANN401 -- Arrow
        """Return null where the owner, if any, takes all topics of its group."""
        plan = self._plan
        mixed = np.flatnonzero(plan.traits.is_mixed)
        is_told = plan.traits.is_mixed[group] & (member != NOBODY)
        if not is_told.any():
            return pa.nulls(group.size, _LIST)
        lists = []
        for g in mixed.tolist():
            topics = plan.topics[int(plan.topic_starts[g]) : int(plan.topic_starts[g + 1])]
            lists += [topics, topics[: (len(topics) + 1) // 2]]
        place = 2 * np.searchsorted(mixed, group) + plan.members.is_partial[member]
        return pa.array(lists, _LIST).take(pa.array(place, mask=~is_told))


def _named(numbers: npt.NDArray[Any], names: Sequence[str | None]) -> Any:  # noqa: ANN401 -- Arrow
    """Return the names of the numbers; null for ``NOBODY``."""
    indices = pa.array(numbers.astype(np.int32), mask=numbers == NOBODY)
    return pa.array(names, pa.string()).take(indices)


def _valued(
    values: LongArray,
    places: LongArray,
    is_known: BoolArray | None,
    kind: Any = None,  # noqa: ANN401
) -> Any:  # noqa: ANN401 -- Arrow
    """Return the values at the places; null where there is no place or none is known."""
    unknown = places == NOBODY
    if is_known is not None:
        unknown |= ~is_known[places]
    return pa.array(values[places], kind or pa.int64(), mask=unknown)
