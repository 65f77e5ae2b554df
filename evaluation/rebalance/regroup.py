"""The same group with other partitions or subscriptions.

Arrays are rearranged rather than rebuilt from names: a step with 10,000 partitions and 500
members takes a millisecond or two. For members see ``membership``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.claims import Claims
from assignors.java import strings
from assignors.model import UNKNOWN, UNOWNED, Group, IntArray, Owners

GONE: Final = -1
"""The number after a change of a member that left."""

_Scalar = TypeVar("_Scalar", np.int32, np.int64, np.float64, np.bool_)


@dataclass(frozen=True, eq=False, kw_only=True)
class Change:
    """A group after a change, with the new numbers of its members and partitions."""

    group: Group
    member_now: IntArray
    """(members before,) each one's number after the change, or ``GONE``."""
    partition_now: IntArray
    """(partitions before,) each one's number after the change."""
    rebalances: bool = True
    """False if the coordinator responds without a rebalance."""


def unchanged(group: Group) -> Change:
    """Return the group as it is."""
    return Change(
        group=group,
        member_now=np.arange(group.member_count, dtype=np.int32),
        partition_now=np.arange(group.partition_count, dtype=np.int32),
    )


def past_of(before: Group, change: Change) -> tuple[Owners, tuple[str, ...]]:
    """Return the owners before the change in the numbering after it, and who left, ascending.

    Owners (P,) are a member number, ``UNOWNED``, or M + d for the d-th that left.
    """
    is_gone = change.member_now == GONE
    holder = change.member_now.copy()
    holder[is_gone] = change.group.member_count + np.arange(np.count_nonzero(is_gone))
    owners = change.group.nobody()
    # UNOWNED (-1) picks the last entry.
    owners[change.partition_now] = np.append(holder, np.int32(UNOWNED))[before.present_owners]
    return owners, tuple(before.members[m] for m in np.flatnonzero(is_gone))


def with_vanished(before: Group, change: Change, claims: Sequence[tuple[str, str, int]]) -> Change:
    """Carry on these claims on partitions that did not exist: some may exist now.

    Claims of members that left go with them.
    """
    group = change.group
    number = {name: member for member, name in enumerate(before.members)}
    topics = {name: topic for topic, name in enumerate(group.topics)}
    rows = np.split(group.claims.partitions, group.claims.starts[1:])[:-1]
    vanished = []
    for claimant, topic, partition in claims:
        member = int(change.member_now[number[claimant]])
        if member == GONE:
            continue
        if topic in topics and partition < group.topic_sizes[topics[topic]]:
            first = group.layout.topic_starts[topics[topic]]
            rows[member] = np.append(rows[member], np.int32(first + partition))
        else:
            vanished.append((group.members[member], topic, partition))
    carried = Claims.of_rows(
        rows,
        group.claims.generations,
        group.partition_count,
        vanished,
        group.claims.is_owner_unknown,
    )
    return replace(change, group=replace(group, claims=carried))


def with_topic_sizes(group: Group, sizes: Mapping[str, int]) -> Change:
    """Add topics, or partitions to topics, with unknown lag and racks."""
    names = [*group.topics, *(name for name in sizes if name not in group.topics)]
    names = [names[t] for t in strings.string_order(names)]
    number = {name: t for t, name in enumerate(names)}
    topic_now = np.array([number[name] for name in group.topics], np.int32)
    counts = np.zeros(len(names), np.int64)
    counts[topic_now] = group.topic_sizes
    counts[[number[name] for name in sizes]] = list(sizes.values())
    starts = ragged.starts_of(counts)
    now = starts[topic_now[group.topic_of_partition]] + group.number_in_topic
    partition_now, total = now.astype(np.int32), int(starts[-1])
    grown = replace(
        group,
        layout=replace(
            group.layout,
            topics=tuple(names),
            topic_ids=_ids_of(group, names) if group.layout.topic_ids else (),
            topic_starts=starts,
            class_topics=topic_now[group.layout.class_topics],
            replica_racks=_spread(group.layout.replica_racks, now, total, fill=False),
        ),
        claims=replace(
            group.claims,
            partition_count=total,
            partitions=partition_now[group.claims.partitions],
            is_owner_unknown=_spread_if_any(group.claims.is_owner_unknown, now, total, fill=False),
        ),
        offsets=replace(
            group.offsets,
            lags=_spread(group.lags, now, total, UNKNOWN),
            weights=_spread_if_any(group.offsets.weights, now, total, UNKNOWN),
            begin=_spread_if_any(group.offsets.begin, now, total, UNKNOWN),
            end=_spread_if_any(group.offsets.end, now, total, UNKNOWN),
            committed=_spread_if_any(group.offsets.committed, now, total, UNKNOWN),
            rates=_spread_if_any(group.offsets.rates, now, total, np.nan),
        ),
    )
    return replace(unchanged(grown), partition_now=partition_now)


def with_subscription(group: Group, members: IntArray, topics: IntArray) -> Change:
    """Subscribe the members to only these topics.

    They no longer claim other topics: a consumer revokes those before it rejoins, under every
    protocol (``ConsumerCoordinator.onJoinPrepare``).
    """
    wanted = subscriptions(group)
    for member in members.tolist():
        wanted[member] = tuple(np.sort(topics).tolist())
    changed = resubscribed(group, wanted)
    claimant = group.claims.members
    is_kept = np.isin(group.topic_of_partition[group.claims.partitions], topics)
    is_kept |= ~np.isin(claimant, members)
    sizes = np.bincount(claimant[is_kept], minlength=group.member_count)
    starts = ragged.starts_of(sizes.astype(np.int64))
    leads = bool(group.member_count) and int(group.layout.arrival[0]) in members
    return unchanged(
        replace(
            changed,
            layout=replace(
                changed.layout, leader_topics=() if leads else group.layout.leader_topics
            ),
            claims=replace(
                changed.claims, starts=starts, partitions=group.claims.partitions[is_kept]
            ),
        )
    )


def subscriptions(group: Group) -> list[tuple[int, ...]]:
    """Return the topic numbers that each member lists, ascending."""
    flat, starts = group.layout.class_topics.tolist(), group.layout.class_starts.tolist()
    rows = [tuple(flat[first:end]) for first, end in pairwise(starts)]
    return [rows[own] for own in group.layout.class_of_member.tolist()]


def usual_topics(group: Group) -> IntArray:
    """Return the most frequent subscription, ties by member; every topic without members."""
    if not group.member_count:
        return np.arange(len(group.topics), dtype=np.int32)
    rows = [row.tobytes() for row in group.subscribes]
    most, _ = Counter(rows[own] for own in group.layout.class_of_member.tolist()).most_common(1)[0]
    return np.flatnonzero(group.subscribes[rows.index(most)]).astype(np.int32)


def resubscribed(group: Group, wanted: Sequence[tuple[int, ...]]) -> Group:
    """Give each member a list of topic numbers; equal lists share a class."""
    classes: dict[tuple[int, ...], int] = {}
    of_member = [classes.setdefault(row, len(classes)) for row in wanted]
    starts, topics = ragged.flatten([np.array(row, np.int32) for row in classes])
    return replace(
        group,
        layout=replace(
            group.layout,
            class_of_member=np.array(of_member, np.int32),
            class_starts=starts,
            class_topics=topics,
        ),
    )


def _ids_of(group: Group, names: Sequence[str]) -> tuple[str | None, ...]:
    known = dict(zip(group.topics, group.layout.topic_ids, strict=True))
    return tuple(known.get(name) for name in names)


def _spread(
    values: npt.NDArray[_Scalar], now: npt.NDArray[np.int64], total: int, fill: float
) -> npt.NDArray[_Scalar]:
    """Return the values at their new positions, the fill value elsewhere."""
    spread = np.full((total, *values.shape[1:]), fill, values.dtype)
    spread[now] = values
    return spread


def _spread_if_any(
    values: npt.NDArray[_Scalar] | None, now: npt.NDArray[np.int64], total: int, fill: float
) -> npt.NDArray[_Scalar] | None:
    return None if values is None else _spread(values, now, total, fill)
