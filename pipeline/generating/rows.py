"""A snapshot as rows of telemetry, exactly the columns of ``schemas.telemetry``."""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import UNOWNED, BoolArray, LongArray
from pipeline.generating.members import NAMES
from pipeline.generating.offsets import FleetMoment, FleetPlan
from pipeline.generating.traits import CLUSTERS
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

Table: TypeAlias = Any
"""A ``pyarrow.Table``; pyarrow ships no type hints."""

SCHEMA: Final = arrow_schema(TELEMETRY)


def rows_of(plan: FleetPlan, snapshot: FleetMoment, time_us: int) -> Table:
    """Return one row for each partition and each idle member, group after group.

    ``time_us`` is when the fleet was read, in microseconds since 1970.
    """
    traits, members = plan.traits, plan.members
    is_idle = (members["born"] <= snapshot.at) & (members["gone"] > snapshot.at)
    is_idle[snapshot.owner[snapshot.owner != UNOWNED]] = False
    idle = np.flatnonzero(is_idle)
    group = np.concatenate([plan.group, members["group"][idle]])
    order = np.argsort(group, kind="stable")
    group = group[order]
    member = np.concatenate([snapshot.owner, idle])[order]
    # An idle member's row has no partition, which is UNOWNED here as well.
    partition = np.concatenate([np.arange(plan.group.size), np.full(idle.size, UNOWNED)])[order]
    topic = np.where(partition == UNOWNED, UNOWNED, plan.topic[partition])
    columns = {
        "cluster": _named(traits["cluster"][group], CLUSTERS),
        "group_id": _named(group, traits["name"]),
        "snapshot_at": pa.array(np.full(group.size, time_us), SCHEMA.field("snapshot_at").type),
        "topic": _named(topic, plan.topics),
        "partition": _valued(plan.number, partition),
        "log_start_offset": _valued(snapshot.start, partition),
        "log_end_offset": _valued(snapshot.end, partition),
        "committed_offset": _valued(snapshot.committed, partition, snapshot.is_committed),
        **{name: _named(member, members[name]) for name in NAMES},
    }
    unknown = pa.nulls(group.size)
    return pa.table([columns.get(f.name, unknown).cast(f.type) for f in SCHEMA], SCHEMA)


def _named(numbers: LongArray, names: npt.ArrayLike) -> Any:  # noqa: ANN401 -- Arrow
    """Return the names of the numbers; null for ``UNOWNED``."""
    indices = pa.array(numbers.astype(np.int32), mask=numbers == UNOWNED)
    return pa.array(names, pa.string()).take(indices)


def _valued(values: LongArray, places: LongArray, is_known: BoolArray | None = None) -> Any:  # noqa: ANN401 -- Arrow
    """Return the values at these positions; null without a position or a known value."""
    unknown = places == UNOWNED
    if is_known is not None:
        unknown |= ~is_known[places]
    return pa.array(values[places], mask=unknown)
