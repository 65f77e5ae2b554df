"""Sticky assignment as specified by KIP-54; clients other than Java's still follow it.

Equal subscriptions take the same path as unequal ones: keep, give the rest to the emptiest,
improve by single moves. Clients differ in whose claims count and in the order of visits.
"""

from collections.abc import Callable, Sequence
from heapq import heapify, heapreplace
from typing import NamedTuple

import numpy as np

from assignors.clients.ordering import by_id, by_topic_bytes
from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each, to_the_emptiest
from assignors.sticky.general import imbalance, kept_claims, listings_of, takes_part
from assignors.sticky.moves import Moves
from assignors.sticky.racks import Racks


class Claimed(NamedTuple):
    """Who held each partition before the rebalance, according to the claims."""

    holder: Owners
    """(P,) of the newest generation that claims it."""
    previous: Owners
    """(P,) of the generation before that."""
    taken_for: Owners
    """(P,) the member that the client considers the owner when it looks for moves."""


def are_claims_clear(group: Group) -> bool:
    """Return whether no partition is claimed twice or by a member that does not subscribe."""
    is_valid = group.may_own(group.member_of_claim, group.claims)
    return not group.is_contested and bool(np.all(is_valid))


def claimed_in_order(
    group: Group, claims: LongArray, generations: LongArray, *, strictly: bool = True
) -> Claimed:
    """Let the newest generation hold each partition; among equals the first to claim it.

    ``claims`` are indices into ``group.claims`` in reading order. A previous holder is of a
    ``strictly`` older generation, or the next claimant of whatever generation.
    """
    partitions, members = group.claims[claims], group.member_of_claim[claims]
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
    return Claimed(holder, previous, holder)


def rarest_first(group: Group) -> LongArray:
    """Return the wanted partitions, those with the fewest subscribers first, then by name."""
    walk, listings = by_topic_bytes(group), listings_of(group)
    return walk[np.argsort(listings[group.topic_of_partition[walk]], kind="stable")]


def from_the_busiest(group: Group, rows: Sequence[Sequence[int]]) -> LongArray:
    """Take partitions in turn, always from the member with the most left, ties to the last id.

    ``rows`` holds what each member has, in the order in which it is taken.
    """
    place = np.argsort(by_id(group)).tolist()
    heap = [(-len(row), -place[member], member) for member, row in enumerate(rows) if row]
    heapify(heap)
    left, taken = [iter(row) for row in rows], []
    while heap and heap[0][0]:
        count, at, member = heap[0]
        taken.append(next(left[member]))
        heapreplace(heap, (count + 1, at, member))
    return np.array(taken, np.int64)


def rebalanced(
    group: Group,
    claimed: Claimed,
    walk: LongArray,
    racks: Racks | None = None,
    answered: Callable[[Owners], Owners] = np.copy,
) -> Owners:
    """Keep, give the rest to the emptiest, improve by moves; ``walk`` orders the wanted partitions.

    Returns ``answered`` of the resulting owners. Clients do not check that a previous owner still
    subscribes. That is reproduced if the result still obeys the rules, otherwise only subscribers
    count. The clients fail if a previous owner takes no part in moves; here it is ignored. Limit:
    moves are single, as in ``sticky.general``.
    """
    kept = kept_claims(group, claimed.holder, racks)
    known = np.flatnonzero(claimed.previous != UNOWNED)
    is_unsubscribed = ~group.may_own(claimed.previous[known], known)
    owners = answered(_improved(group, claimed, kept, walk, racks))
    owned = np.flatnonzero(owners != UNOWNED)
    if is_unsubscribed.any() and not group.may_own(owners[owned], owned).all():
        previous = claimed.previous.copy()
        previous[known[is_unsubscribed]] = UNOWNED
        claimed = claimed._replace(previous=previous)
        owners = answered(_improved(group, claimed, kept, walk, racks))
    return owners


def _improved(
    group: Group, claimed: Claimed, kept: Owners, walk: LongArray, racks: Racks | None
) -> Owners:
    free = walk[kept[walk] == UNOWNED]
    search = _Search(group, kept, claimed)
    search.assign(free, racks)
    before, counts = search.last_owners(), search.counts
    listings = listings_of(group)
    joins_in = takes_part(group, before, listings)
    search.forget_previous_unless(joins_in)
    is_shared = (listings > 1)[group.topic_of_partition]
    if np.array_equal(kept[walk], claimed.holder[walk]):
        search.improve(free[is_shared[free]])
    has_moved = search.improve(walk[is_shared[walk]])
    if has_moved and (kept != UNOWNED).any():
        after, at_first = (imbalance(each[joins_in]) for each in (search.counts, counts))
        if after >= at_first:
            return before
    return search.last_owners()


class _Search:
    """An assignment under improvement, with members in the order of count, then id."""

    def __init__(self, group: Group, kept: Owners, claimed: Claimed) -> None:
        self.owners = kept.copy()
        """(P,) whom the client takes for the owner, once ``assign`` is done."""
        self._group, self._previous = group, claimed.previous.copy()
        is_mistaken = (kept != UNOWNED) & (claimed.taken_for != kept)
        self.owners[is_mistaken] = claimed.taken_for[is_mistaken]
        self._real = {p: int(kept[p]) for p in np.flatnonzero(is_mistaken).tolist()}
        self._doubled: dict[int, int] = {}
        """The second owners of partitions that the client gave away without taking them."""
        self._place = np.argsort(by_id(group))
        self._key = held_by_each(kept, group.member_count) * group.member_count + self._place
        self._moves: dict[int, Moves] = {}

    @property
    def counts(self) -> LongArray:
        """(M,) how many partitions each member holds."""
        counts: LongArray = self._key // self._place.size
        return counts

    def last_owners(self) -> Owners:
        """Return the owners; of two owners of one partition the one that joined last."""
        owners = self.owners.copy()
        joined = np.argsort(self._group.arrival)
        for partition, member in (self._real | self._doubled).items():
            if partition in self._real or joined[member] > joined[owners[partition]]:
                owners[partition] = member
        return owners

    def assign(self, free: LongArray, racks: Racks | None) -> None:
        """Give each partition to the emptiest subscriber, those with a matching rack first."""
        if racks is not None:
            for partition in free.tolist():
                members = self._subscribers(partition)
                members = members[~racks.mismatch(members, np.full(members.size, partition))]
                if members.size:
                    self._give(partition, members[np.argmin(self._key[members])])
            free = free[self.owners[free] == UNOWNED]
        for _, run in self._group.runs(free):
            members = self._subscribers(int(run[0]))
            members = members[np.argsort(self._place[members])]
            counts = self._key[members] // self._place.size
            places = to_the_emptiest(counts, run.size)
            self.owners[run] = members[places]
            self._key[members] += np.bincount(places, minlength=members.size) * self._place.size

    def forget_previous_unless(self, joins_in: BoolArray) -> None:
        """Forget previous owners that take no part."""
        self._previous[~np.append(joins_in, False)[self._previous]] = UNOWNED
        known = np.flatnonzero(self._previous != UNOWNED)
        is_unsubscribed = ~self._group.may_own(self._previous[known], known)
        self._unsubscribed = set(known[is_unsubscribed].tolist())
        self._joins_in = joins_in

    def improve(self, walk: LongArray) -> bool:
        """Move partitions while it helps; return whether any moved.

        Within a run the smallest count does not fall and no count rises by more than one above it,
        unless a previous owner takes part: what cannot move at its start cannot move later. A
        repeated state ends the search, as only replaced moves lead back.
        """
        has_moved, seen = False, set()
        while self._walk(walk):
            has_moved = True
            if any(moves.has_replaced for moves in self._moves.values()):
                state = self.owners.tobytes()
                if state in seen:
                    break
                seen.add(state)
        return has_moved

    def _walk(self, walk: LongArray) -> bool:
        has_moved = False
        for _, run in self._group.runs(walk):
            members, size = self._subscribers(int(run[0])), self._place.size
            most = (int(self._key[members].min()) // size + 2) * size
            can_move = self._key[self.owners[run]] >= most
            can_move |= bool((self._previous[run] != UNOWNED).any())
            for partition in run[can_move].tolist():
                has_moved |= self._moved(partition, members)
        return has_moved

    def _is_balanced(self) -> bool:
        """Return whether the client considers the group balanced and stops moving."""
        counts, group = self.counts, self._group
        if np.ptp(counts[self._joins_in]) <= 1:
            return True
        return all(
            counts[self.owners[group.topic_span(topic)]].max()
            <= counts[group.subscribers(topic)].min()
            for topic in group.wanted_topics
        )

    def _moved(self, partition: int, members: IntArray) -> bool:
        if partition in self._unsubscribed and self._is_balanced():
            return False
        owner, size = int(self.owners[partition]), self._place.size
        count, taker = self._key[owner] // size, int(self._previous[partition])
        if taker == UNOWNED or count <= self._key[taker] // size + 1:
            taker = int(members[np.argmin(self._key[members])])
            if count <= self._key[taker] // size + 1:
                return False
        topic = int(self._group.topic_of_partition[partition])
        first = int(self._group.topic_starts[topic])
        moves = self._moves.setdefault(topic, Moves(self._group.topics[topic]))
        chosen = moves.instead_of(partition - first, owner, taker)
        giver = int(self.owners[first + chosen])
        moves.record(chosen, giver, taker)
        if first + chosen in self._real:
            self._doubled[first + chosen] = self._real.pop(first + chosen)
        else:
            self._key[giver] -= size
        self._give(first + chosen, taker)
        return True

    def _give(self, partition: int, member: int) -> None:
        self.owners[partition] = member
        self._key[member] += self._place.size

    def _subscribers(self, partition: int) -> IntArray:
        return self._group.subscribers(self._group.topic_of_partition[partition])
