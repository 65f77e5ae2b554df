"""The members' claims: which member validly held which partition before the rebalance."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.java import hash_order, strings
from assignors.memo import memo
from assignors.model import UNOWNED, Group, IntArray, Layout, LongArray, Owners


class Resolved(NamedTuple):
    """The resolved claims: at most one holder per partition."""

    holder: Owners
    """(P,) the member that validly held it; ``UNOWNED`` also if no member subscribes now."""
    disputed: IntArray
    """Partitions that two members of one generation claim, ascending."""


@memo
def resolved_claims(group: Group) -> Resolved:
    """Resolve competing claims: the higher generation wins, between equals nobody does.

    Claims are read in the order in which Kafka iterates the members; a third claimant competes
    with the second of two equals. Sources: KAFKA-12984, KAFKA-13715, KAFKA-14639.
    """
    holder, disputed = group.claims.last_claimants.copy(), np.zeros(0, np.int32)
    if group.claims.is_contested:
        disputed = _resolve_contested(group, holder)
    return _of_wanted(group, Resolved(holder, disputed))


@memo
def of_newest_generation(group: Group) -> Resolved:
    """Keep only the claims of the newest generation; of two on one partition, neither.

    The rule before KAFKA-12984. Kafka's code of that time let both claimants keep the partition,
    which breaks the contract; the rule of its successor is used instead.
    """
    if is_of_one_generation(group):
        return resolved_claims(group)
    is_newest = group.claims.generations == group.claims.generations.max(initial=-1)
    counts = is_newest[group.claims.members]
    claims, members = group.claims.partitions[counts], group.claims.members[counts]
    holder = group.nobody()
    holder[claims] = members
    is_disputed = np.bincount(claims, minlength=group.partition_count) > 1
    holder[is_disputed] = UNOWNED
    return _of_wanted(group, Resolved(holder, np.flatnonzero(is_disputed).astype(np.int32)))


@memo
def is_of_one_generation(group: Group) -> bool:
    """Return whether nothing is claimed twice and all members joined in the same generation."""
    return not group.claims.is_contested and bool(
        (group.claims.generations == group.claims.generations[:1]).all()
    )


def previous_owners(group: Group) -> Owners:
    """Return the owner of each partition before the newest generation, as far as known.

    Of several older claims the newest counts, then the first in the order in which Kafka
    iterates the members. ``UNOWNED`` if no member of an older generation claims the partition.
    """
    owners = group.nobody()
    is_older = group.claims.generations < group.claims.generations.max(initial=-1)
    older = np.flatnonzero(is_older[group.claims.members])
    if older.size:
        members = group.claims.members[older]
        position = np.argsort(group.layout.hash_map_order)
        last_counts = np.lexsort((-position[members], group.claims.generations[members]))
        owners[group.claims.partitions[older][last_counts]] = members[last_counts]
    return owners


def as_read(group: Group, members: IntArray) -> IntArray:
    """Return these members' claims, member after member, as the assignor reads them.

    A member sends its claims by topic, topics in the iteration order of a ``HashMap`` of their
    names, which the assignor keeps. Limit: topics unknown to the group count towards the map's
    size, but are not known here.
    """
    rows, starts = [np.zeros(0, np.int32)], group.claims.starts.tolist()
    turn_of_topic = np.zeros(len(group.topics), np.int64)
    for member in members.tolist():
        row = group.claims.partitions[starts[member] : starts[member + 1]]
        topics = group.topic_of_partition[row]
        listed = np.array(list(dict.fromkeys(topics.tolist())), np.int64)
        if listed.size > 1:
            turn_of_topic[_as_iterated(group, listed)] = np.arange(listed.size)
            row = row[turn_of_topic[topics].argsort(kind="stable")]
        rows.append(row)
    return np.concatenate(rows)


def _as_iterated(group: Group, topics: LongArray) -> LongArray:
    """Return the topics as a ``HashMap`` iterates them after inserting them in this order.

    ``computeIfAbsent`` inserts them: unlike ``put`` it adds to the front of a bucket.
    """
    topics = topics[::-1]
    names = [group.topics[topic] for topic in topics.tolist()]
    return topics[hash_order.hash_map_order(names, _topic_hashes(group.layout)[topics])]


@memo
def _topic_hashes(layout: Layout) -> npt.NDArray[np.uint32]:
    return strings.string_hashes(layout.topics)


def _of_wanted(group: Group, claims: Resolved) -> Resolved:
    if group.wanted.size == group.partition_count:
        return claims
    claims.holder[~group.is_wanted] = UNOWNED
    return Resolved(claims.holder, claims.disputed[group.is_wanted[claims.disputed]])


def _resolve_contested(group: Group, holder: Owners) -> IntArray:
    """Resolve competing claims in place; return the disputed partitions, ascending.

    All partitions are resolved in parallel: first all first claims, then all second ones.
    """
    times = np.bincount(group.claims.partitions, minlength=group.partition_count)
    claims = np.flatnonzero(times[group.claims.partitions] > 1)
    members = group.claims.members[claims]
    order = np.lexsort(
        (np.argsort(group.layout.hash_map_order)[members], group.claims.partitions[claims])
    )
    partitions, members = group.claims.partitions[claims][order], members[order]
    contested, first = np.unique(partitions, return_index=True)
    last = np.append(first[1:], partitions.size)
    claimant, keeps = members[first], np.ones(contested.size, np.bool_)
    disputed = np.zeros(contested.size, np.bool_)
    for turn in range(1, int(times.max())):
        rows = np.flatnonzero(first + turn < last)
        rival = members[first[rows] + turn]
        lead = group.claims.generations[rival] - group.claims.generations[claimant[rows]]
        disputed[rows[lead == 0]] = True
        keeps[rows[lead >= 0]] = lead[lead >= 0] > 0
        claimant[rows[lead >= 0]] = rival[lead >= 0]
    holder[contested] = np.where(keeps, claimant, UNOWNED)
    return contested[disputed]
