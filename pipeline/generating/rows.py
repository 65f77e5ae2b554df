"""A snapshot as rows of telemetry, exactly the columns of ``schemas.telemetry``."""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import UNOWNED, BoolArray, LongArray
from pipeline.generating.members import NAMES, Members
from pipeline.generating.names import CLUSTERS
from pipeline.generating.offsets import FleetMoment
from pipeline.generating.plan import FleetPlan
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

Table: TypeAlias = Any
"""A ``pyarrow.Table``; pyarrow ships no type hints."""

SCHEMA: Final = arrow_schema(TELEMETRY)
"""``schemas.telemetry.TELEMETRY`` as Arrow has it."""
_LIST: Final = SCHEMA.field("subscribed_topics").type


def rows_of(plan: FleetPlan, snapshot: FleetMoment, times_us: LongArray) -> Table:
    """Return one row for each partition and each idle member, group after group.

    ``times_us`` (G,) is when each group was read, in microseconds since 1970.
    """
    traits, members = plan.traits, plan.members
    known = np.flatnonzero(plan.born <= snapshot.at)
    idle = _idle(members, snapshot)
    group = np.concatenate([plan.group[known], members["group"][idle]])
    order = np.argsort(group, kind="stable")
    group = group[order]
    member = np.concatenate([snapshot.owner[known], idle])[order]
    # An idle member's row has no partition, which is UNOWNED here as well.
    partition = np.concatenate([known, np.full(idle.size, UNOWNED)])[order]
    topic = np.where(partition == UNOWNED, UNOWNED, plan.topic[partition])
    columns = {
        "cluster": _named(traits["cluster"][group], CLUSTERS),
        "group_id": _named(group, traits["name"]),
        "snapshot_at": pa.array(times_us[group], SCHEMA.field("snapshot_at").type),
        "topic": _named(topic, plan.topics),
        "partition": _valued(plan.number, partition),
        "log_start_offset": _valued(snapshot.start, partition, snapshot.is_answered),
        "log_end_offset": _valued(snapshot.end, partition, snapshot.is_answered),
        "committed_offset": _valued(snapshot.committed, partition, snapshot.is_committed),
        **{name: _named(member, members[name]) for name in NAMES},
        "auto_offset_reset": _named(group, traits["reset"]),
        "subscribed_topics": _subscriptions(plan, group, member),
    }
    return pa.table([columns[name].cast(SCHEMA.field(name).type) for name in SCHEMA.names], SCHEMA)


def _idle(members: Members, snapshot: FleetMoment) -> LongArray:
    """Return the present members that own nothing."""
    is_idle = (members["born"] <= snapshot.at) & (members["gone"] > snapshot.at)
    is_idle[snapshot.owner[snapshot.owner != UNOWNED]] = False
    return np.flatnonzero(is_idle)


def _subscriptions(plan: FleetPlan, group: LongArray, member: LongArray) -> Any:  # noqa: ANN401 -- Arrow
    """Return subscriptions; null where the owner, if any, subscribes to all topics of its group."""
    is_listed = plan.traits["is_mixed"][group] & (member != UNOWNED)
    if not is_listed.any():
        return pa.nulls(group.size, _LIST)
    mixed, lists = np.flatnonzero(plan.traits["is_mixed"]), []
    for g in mixed.tolist():
        topics = plan.topics[plan.topic_starts[g] : plan.topic_starts[g + 1]]
        lists += [topics, topics[: (len(topics) + 1) // 2]]
    place = 2 * np.searchsorted(mixed, group) + plan.members["is_partial"][member]
    return pa.array(lists, _LIST).take(pa.array(place, mask=~is_listed))


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
