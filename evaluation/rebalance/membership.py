"""The same group with other members, by rearranging its arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.java import strings
from assignors.model import NO_GENERATION, NO_RACK, Group, IntArray, LongArray
from assignors.numbering import Member
from evaluation.rebalance.regroup import GONE, Change, resubscribed, subscriptions, unchanged

_NOBODY: Final = -1
"""The previous number of a joining member."""

_Scalar = TypeVar("_Scalar", np.int32, np.int64, np.float64)


class _Seats(NamedTuple):
    """The members after a change, in the order of arrival."""

    before: IntArray
    """Their previous numbers."""
    ids: Sequence[str]


def without_members(group: Group, members: IntArray) -> Change:
    """Remove members and their claims."""
    arrival = group.layout.arrival
    return _seated(group, _seats(group, arrival[~np.isin(arrival, members)]))


def with_newcomers(group: Group, newcomers: Sequence[Member]) -> Change:
    """Add members, last in arrival and without claims; the group must have their topics."""
    before, ids = _seats(group, group.layout.arrival)
    blank = np.full(len(newcomers), _NOBODY, np.int32)
    joining = [member.id for member in newcomers]
    change = _seated(group, _Seats(np.append(before, blank), [*ids, *joining]))
    number = {name: m for m, name in enumerate(change.group.members)}
    joined = {number[member.id]: member for member in newcomers}
    return replace(change, group=_with_records(change.group, joined))


def renamed(group: Group, member: int, name: str, instance_id: str | None) -> Change:
    """Give one member another id and instance id; it keeps claims and arrival."""
    before, ids = _seats(group, group.layout.arrival)
    now = [name if m == member else old for m, old in zip(before.tolist(), ids, strict=True)]
    change = _seated(group, _Seats(before, now))
    instance_ids = list(change.group.layout.instance_ids)
    instance_ids[change.member_now[member]] = instance_id
    return replace(
        change,
        group=replace(
            change.group, layout=replace(change.group.layout, instance_ids=tuple(instance_ids))
        ),
    )


def _seats(group: Group, members: IntArray) -> _Seats:
    """Return these members, given in the order of arrival, with their ids."""
    names = group.members
    return _Seats(members, [names[m] for m in members.tolist()])


def _seated(group: Group, seats: _Seats) -> Change:
    """Return the group of these members; new ones are blank."""
    order = np.array(strings.string_order(seats.ids), np.intp)
    before = seats.before[order]
    is_old = before != _NOBODY
    claim_starts, claims = _rows_taken(group.claims.starts, group.claims.partitions, before)
    wanted, instance_ids = [*subscriptions(group), ()], (*group.layout.instance_ids, None)
    still_leads = np.array_equal(seats.before[:1], group.layout.arrival[:1])
    after = replace(
        group,
        layout=replace(
            group.layout,
            members=tuple([seats.ids[k] for k in order.tolist()]),
            class_of_member=np.zeros(before.size, np.int32),
            arrival=np.argsort(order).astype(np.int32),
            leader_topics=group.layout.leader_topics if still_leads else (),
            instance_ids=tuple([instance_ids[m] for m in before.tolist()]),
            member_racks=_gathered(group.layout.member_racks, before, NO_RACK),
        ),
        claims=replace(
            group.claims,
            starts=claim_starts,
            partitions=claims,
            generations=_gathered(group.claims.generations, before, NO_GENERATION),
        ),
        offsets=replace(
            group.offsets,
            throughput=None
            if group.offsets.throughput is None
            else _gathered(group.offsets.throughput, before, np.nan),
        ),
    )
    now = np.full(group.member_count, GONE, np.int32)
    now[before[is_old]] = np.flatnonzero(is_old)
    after = resubscribed(after, [wanted[m] for m in before.tolist()])
    return replace(unchanged(after), member_now=now)


def _with_records(group: Group, joined: Mapping[int, Member]) -> Group:
    """Fill in the records of blank members, by number."""
    topic = {name: t for t, name in enumerate(group.topics)}
    wanted = subscriptions(group)
    instance_ids = list(group.layout.instance_ids)
    group = _with_racks(group, {member.rack for member in joined.values() if member.rack})
    rack = {name: r for r, name in enumerate(group.layout.racks)}
    member_racks = group.layout.member_racks.copy()
    for m, member in joined.items():
        wanted[m] = tuple(sorted(topic[name] for name in member.topics))
        instance_ids[m] = member.instance_id or None
        member_racks[m] = rack.get(member.rack or "", NO_RACK)
    filled = replace(
        group,
        layout=replace(group.layout, instance_ids=tuple(instance_ids), member_racks=member_racks),
    )
    if group.offsets.throughput is not None:
        throughput = group.offsets.throughput.copy()
        for m, member in joined.items():
            throughput[m] = np.nan if member.throughput is None else member.throughput
        filled = replace(filled, offsets=replace(filled.offsets, throughput=throughput))
    return resubscribed(filled, wanted)


def _with_racks(group: Group, names: set[str]) -> Group:
    """Add racks without replicas to the group."""
    racks = sorted({*group.layout.racks, *names})
    now = np.array([*(racks.index(name) for name in group.layout.racks), NO_RACK], np.int32)
    replica_racks = np.zeros((group.partition_count, len(racks)), np.bool_)
    replica_racks[:, now[:-1]] = group.layout.replica_racks
    return replace(
        group,
        layout=replace(
            group.layout,
            racks=tuple(racks),
            member_racks=now[group.layout.member_racks],  # the last is for those without a rack
            replica_racks=replica_racks,
        ),
    )


def _rows_taken(starts: LongArray, values: IntArray, rows: IntArray) -> tuple[LongArray, IntArray]:
    """Return these rows one after another; a row of ``_NOBODY`` is empty."""
    sizes = np.append(np.diff(starts), 0)[rows]
    taken = ragged.starts_of(sizes)
    shift = np.append(starts[:-1], 0)[rows] - taken[:-1]
    return taken, values[np.arange(taken[-1]) + np.repeat(shift, sizes)]


def _gathered(values: npt.NDArray[_Scalar], rows: IntArray, fill: float) -> npt.NDArray[_Scalar]:
    """Return the value of each row, the fill value for ``_NOBODY``."""
    return np.append(values, np.array(fill, values.dtype))[rows]
