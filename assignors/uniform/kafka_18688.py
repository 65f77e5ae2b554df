"""Uniform since KAFKA-18688: an extra partition moves no more than balance requires."""

from dataclasses import replace

import numpy as np

from assignors import ragged
from assignors.java import hash_order
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, held_by_each, is_even_now
from assignors.single_member import unless_single_member
from assignors.topic_ids import has_ids, ranks_in_assignments
from assignors.trace.events import Trace
from assignors.uniform.general import uniform_general
from assignors.uniform.uniform import fill_quotas, has_quotas, tell_shares


@unless_single_member
def uniform_kafka_18688(group: Group, *, trace: Trace | None = None) -> Owners:
    """Balance the counts over all topics; a member that cannot fill an extra passes it on.

    Members are visited in the order of a hash map of their ids, and what they give up in that
    of hash sets of partition numbers, so that with one topic the result matches a real broker
    member for member. Several topics require their ids; without them topics are visited by name
    and only the counts are exact. Limits, because the group's history is unknown: topics whose
    ids share a bucket are assumed to have been assigned at once; in topics of more than 16
    partitions, numbers of one member that share a bucket keep insertion order, here assumed to
    ascend. Set sizes follow Java 19 or newer; older versions make a set of exactly 12, 24, 48,
    ... twice as large. Racks are ignored. Source: UniformAssignor and Assignment of the group
    coordinator since Kafka 4.0.1.

    >>> uniform_kafka_18688(Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1]))
    array([0, 1, 1], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    if has_quotas(group) and is_even_now(group) and not trace:
        return group.fit_owners.copy()
    told = trace.renumbered(group.layout.hash_map_order) if trace else None
    return np.append(group.layout.hash_map_order, np.int32(UNOWNED))[
        _in_hash_map_order(group, told)
    ]


def _in_hash_map_order(group: Group, trace: Trace | None) -> Owners:
    """Balance the group; members are numbered in its ``hash_map_order``."""
    if not has_quotas(group):
        group = _renumbered(group)
        return uniform_general(group, group.fit_owners, trace, is_hashed=True)
    numbers = np.append(np.argsort(group.layout.hash_map_order), UNOWNED)  # UNOWNED stays UNOWNED
    held = numbers[group.fit_owners].astype(np.int32)
    quotas = _stable_quotas(group, held)
    if trace:
        tell_shares(trace, Quota.of(group), quotas, is_stable=True)
    return fill_quotas(group, held, quotas, _as_iterated(group, held, quotas), trace)


def _stable_quotas(group: Group, held: Owners) -> LongArray:
    """Return how many partitions each member gets.

    In this order, each member may hold an extra while there are any; one that owns fewer passes
    it on as long as enough members follow.
    """
    quota = Quota.of(group)
    quotas = np.full(group.member_count, quota.least)
    extras, after = quota.extras, group.member_count
    for member, count in enumerate(held_by_each(held, group.member_count).tolist()):
        after -= 1
        if extras and (count > quota.least or after < extras):
            quotas[member] += 1
            extras -= 1
    return quotas


def _as_iterated(group: Group, held: Owners, quotas: LongArray) -> IntArray:
    """Return each member's partitions in one row, as a broker iterates them.

    By topic, and within a topic by the buckets of the hash set of its numbers. Members within
    their quotas give up nothing, so their order is left alone.
    """
    row_starts, listed = ragged.rows_by_key(held, group.member_count)
    gives_up = np.diff(row_starts) > quotas
    if int(group.topic_sizes.max(initial=0)) > hash_order.FEWEST_BUCKETS:
        places = np.flatnonzero(gives_up[held[listed]])
        partitions = listed[places]
        sets = ragged.changes(held[partitions], group.topic_of_partition[partitions])
        starts = np.append(np.flatnonzero(sets), partitions.size)
        order = hash_order.hash_sets_order(starts, group.number_in_topic[partitions])
        listed[places] = partitions[order]
    if has_ids(group.layout):
        places = np.flatnonzero(gives_up[held[listed]])
        partitions = listed[places]
        members, topics = held[partitions], group.topic_of_partition[partitions]
        is_first = ragged.changes(members, topics)
        ranks = ranks_in_assignments(group.layout, members[is_first], topics[is_first])
        by_rank = np.lexsort((ranks[is_first.cumsum() - 1], members))
        listed[places] = partitions[by_rank]
    return listed


def _renumbered(group: Group) -> Group:
    """Return the group with its members numbered in its ``hash_map_order``."""
    order = group.layout.hash_map_order
    numbers = order.tolist()
    claims = ragged.spans(group.claims.starts[order], group.claims.starts[order + 1])
    return replace(
        group,
        layout=replace(
            group.layout,
            members=tuple(group.members[m] for m in numbers),
            class_of_member=group.layout.class_of_member[order],
            arrival=np.arange(group.member_count, dtype=np.int32),
            instance_ids=tuple(group.layout.instance_ids[m] for m in numbers),
            member_racks=group.layout.member_racks[order],
        ),
        claims=replace(
            group.claims,
            starts=ragged.starts_of(np.diff(group.claims.starts)[order]),
            partitions=group.claims.partitions[claims],
            generations=group.claims.generations[order],
        ),
        offsets=replace(
            group.offsets,
            throughput=None
            if group.offsets.throughput is None
            else group.offsets.throughput[order],
        ),
    )
