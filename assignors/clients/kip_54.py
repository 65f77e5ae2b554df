"""Sticky assignment as specified by KIP-54; clients other than Java's still follow it.

Equal subscriptions take the same path as unequal ones: keep, give the rest to the emptiest,
improve by single moves. Clients differ in whose claims count and in the order of visits.
"""

from collections.abc import Callable
from heapq import heapify, heapreplace
from typing import NamedTuple

import numpy as np

from assignors.clients.ordering import by_id, by_topic_bytes
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.sticky.general import Found, listings_of, within_rules
from assignors.sticky.local_search import ClientView
from assignors.sticky.racks import Racks
from assignors.trace.events import Trace


class TwoClaims(NamedTuple):
    """Who held each partition before the rebalance, according to the claims."""

    holder: Owners
    """(P,) of the newest generation that claims it."""
    previous: Owners
    """(P,) of the generation before that."""
    taken_for: Owners
    """(P,) the member that the client considers the owner when it looks for moves."""


def are_claims_clear(group: Group) -> bool:
    """Return whether no partition is claimed twice or by a member that does not subscribe."""
    is_valid = group.layout.may_own(group.claims.members, group.claims.partitions)
    return not group.claims.is_contested and bool(np.all(is_valid))


def claimed_in_order(
    group: Group, claims: LongArray, generations: LongArray, *, strictly: bool = True
) -> TwoClaims:
    """Let the newest generation hold each partition; among equals the first to claim it.

    ``claims`` are indices into the group's claims in reading order. A previous holder is of a
    ``strictly`` older generation, or the next claimant of whatever generation.
    """
    partitions, members = group.claims.partitions[claims], group.claims.members[claims]
    order = np.lexsort((np.arange(claims.size), -generations[members], partitions))
    partitions, members = partitions[order], members[order]
    is_first = np.ones(order.size, np.bool_)
    is_older = np.zeros(order.size, np.bool_)
    is_same = partitions[1:] == partitions[:-1]
    is_first[1:] = ~is_same
    is_older[1:] = is_same
    if strictly:
        is_older[1:] &= generations[members][1:] < generations[members][:-1]
    holder, previous = group.nobody(), group.nobody()
    holder[partitions[is_first]] = members[is_first]
    older = np.flatnonzero(is_older)[::-1]  # the last write wins: the newest
    previous[partitions[older]] = members[older]
    return TwoClaims(holder, previous, holder)


def rarest_first(group: Group) -> LongArray:
    """Return the wanted partitions, those with the fewest subscribers first, then by name."""
    walk, listings = by_topic_bytes(group), listings_of(group.layout)
    return walk[np.argsort(listings[group.topic_of_partition[walk]], kind="stable")]


def last_to_claim(group: Group, claims: LongArray) -> Owners:
    """(P,) the last member to claim each partition, in this reading order."""
    owners = group.nobody()
    owners[group.claims.partitions[claims]] = group.claims.members[claims]
    return owners


def less_claimed(last: Owners, owners: Owners) -> Owners:
    """Withhold what was last claimed by another member than its owner."""
    return np.where((last == UNOWNED) | (last == owners), owners, np.int32(UNOWNED))


def from_the_busiest(group: Group, claimed: TwoClaims, held: LongArray | IntArray) -> LongArray:
    """Take held partitions in turn, always from the member with the most left, ties to the last id.

    From each member first those with a previous owner, in the given order.
    """
    rows: list[list[int]] = [[] for _ in range(group.member_count)]
    for is_chosen in (claimed.previous != UNOWNED, claimed.previous == UNOWNED):
        for partition in held[is_chosen[held]].tolist():
            rows[claimed.holder[partition]].append(partition)
    place = np.argsort(by_id(group)).tolist()
    heap = [(-len(row), -place[member], member) for member, row in enumerate(rows) if row]
    heapify(heap)
    left, taken = [iter(row) for row in rows], []
    while heap and heap[0][0]:
        count, at, member = heap[0]
        taken.append(next(left[member]))
        heapreplace(heap, (count + 1, at, member))
    return np.array(taken, np.int64)


def rebalanced(  # noqa: PLR0913 -- what clients differ in
    group: Group,
    claimed: TwoClaims,
    walk: LongArray,
    racks: Racks | None = None,
    answered: Callable[[Owners], Owners] = np.copy,
    *,
    undoes: bool = False,
    trace: Trace | None = None,
) -> Found:
    """Take the general path; ``walk`` orders the partitions. The owners are ``answered``."""
    view = ClientView(*claimed, walk, np.argsort(by_id(group)), tolerance=0, undoes=undoes)
    return within_rules(group, view, racks, answered, trace)
