"""Sticky assignment where members subscribe to different topics; KIP-54 clients always take it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, LongArray, Owners
from assignors.quotas import give_to_the_emptiest, held_by_each
from assignors.sticky.claims import Claims, previous_owners
from assignors.sticky.local_search import ClientView, Improvement
from assignors.sticky.moves import Move
from assignors.sticky.rack_matching import assign_to_emptiest_near
from assignors.sticky.racks import Racks


class GeneralStages(NamedTuple):
    """The state after each stage of the general path."""

    racks: Racks | None
    walk: LongArray
    """The wanted partitions in the order of assignment."""
    kept: Owners
    """(P,) what members keep of their claims."""
    near: Owners
    """(P,) ``kept`` plus what the rack pass assigned."""
    assigned: Owners
    """(P,) the start of the search: every wanted partition has an owner."""
    owners: Owners
    """(P,) the result."""
    moves: list[Move]
    """From ``assigned`` to ``owners``."""
    is_reverted: bool
    """Whether moves were tried and undone."""


def general(group: Group, claims: Claims) -> GeneralStages:
    """Take the general path as Kafka's Java client does, topics listed least often first.

    Sources: KIP-54, KIP-341, KIP-881, KAFKA-12675, KAFKA-15106.
    """
    wanted = group.wanted_topics
    walk = group.partitions_of(wanted[np.argsort(listings_of(group)[wanted], kind="stable")])
    places = np.arange(group.member_count)
    previous = previous_owners(group)
    view = ClientView(claims.holder, previous, claims.holder, walk, places, tolerance=1)
    return within_rules(group, view, Racks.that_matter(group))


def within_rules(
    group: Group,
    view: ClientView,
    racks: Racks | None,
    answered: Callable[[Owners], Owners] = np.copy,
) -> GeneralStages:
    """Keep valid claims, give the rest to the emptiest members, then improve by single moves.

    Limit: exchanges are never tried. With t0 (1 partition) for c1 and c2, and t1 (2 partitions)
    for c0 and c1, the counts stay at 2, 1, 0 although 1, 1, 1 exists.

    Clients may move a partition to a previous owner that no longer subscribes. That is reproduced
    if the result, of which ``answered`` makes the answer, still obeys the rules; otherwise only
    subscribers count. Other clients than Java's fail if a previous owner takes no part in moves;
    here it is ignored.
    """
    stages = _improved(group, view, racks)
    known = np.flatnonzero(view.previous != UNOWNED)
    unsubscribed = known[~group.may_own(view.previous[known], known)]
    if unsubscribed.size:
        owners = answered(stages.owners)
        owned = np.flatnonzero(owners != UNOWNED)
        if not group.may_own(owners[owned], owned).all():
            previous = view.previous.copy()
            previous[unsubscribed] = UNOWNED
            stages = _improved(group, view._replace(previous=previous), racks)
    return stages._replace(owners=answered(stages.owners))


def _improved(group: Group, view: ClientView, racks: Racks | None) -> GeneralStages:
    """Return the stages, with no moves if those tried led to no better balance.

    If no member has to give anything up, only free partitions move at first.
    """
    walk, kept = view.walk, kept_claims(group, view.holder, racks)
    free = walk[kept[walk] == UNOWNED]
    near = kept
    if racks is not None:
        near = assign_to_emptiest_near(group, racks, kept, free, view.places)
    assigned = _assigned(group, near, free[near[free] == UNOWNED], view.places)
    stages = GeneralStages(racks, walk, kept, near, assigned, assigned, [], is_reverted=False)
    listings = listings_of(group)
    joins_in = takes_part(group, assigned, listings)
    search = Improvement(group, view, kept, assigned, joins_in)
    is_shared = (listings > 1)[group.topic_of_partition]
    at_first = imbalance(search.counts[joins_in])
    if np.array_equal(kept[walk], view.holder[walk]):
        search.run(free[is_shared[free]])
    has_moved = search.run(walk[is_shared[walk]])
    if has_moved and (kept != UNOWNED).any() and imbalance(search.counts[joins_in]) >= at_first:
        return stages._replace(is_reverted=True)
    return stages._replace(owners=search.last_owners, moves=search.trace)


def kept_claims(group: Group, holder: Owners, racks: Racks | None) -> Owners:
    """Return the holders (P,) that still subscribe and match the partition's racks."""
    owners = holder.copy()
    held = np.flatnonzero(owners != UNOWNED).astype(np.int32)
    keeps = group.may_own(owners[held], held)
    if racks is not None:
        keeps &= ~racks.mismatch(owners[held], held)
    owners[held[~keeps]] = UNOWNED
    return owners


def listings_of(group: Group) -> LongArray:
    """(T,) how often members list each topic; listing it twice counts twice."""
    members_of_class = np.bincount(group.class_of_member, minlength=group.class_starts.size - 1)
    times = np.repeat(members_of_class, np.diff(group.class_starts))
    return np.bincount(group.class_topics, times, len(group.topics)).astype(np.int64)


def _assigned(group: Group, owners: Owners, free: LongArray, places: LongArray) -> Owners:
    """Give every free partition to the subscriber with the fewest so far."""
    owners, counts = owners.copy(), held_by_each(owners, group.member_count)
    for audience, run in group.runs(free):
        members = group.audiences.members_of(audience)
        members = members[np.argsort(places[members])]
        owners[run] = give_to_the_emptiest(counts, members, run.size)
    return owners


def takes_part(group: Group, owners: Owners, listings: LongArray) -> BoolArray:
    """(M,) whether a member holds less than it subscribes to, or part of a shared topic."""
    row = np.repeat(np.arange(group.class_starts.size - 1), np.diff(group.class_starts))
    reach = np.bincount(row, group.topic_sizes[group.class_topics], group.class_starts.size - 1)
    joins_in = held_by_each(owners, group.member_count) < reach[group.class_of_member]
    is_shared = (listings > 1)[group.topic_of_partition] & (owners != UNOWNED)
    joins_in[owners[is_shared]] = True
    return joins_in


def imbalance(counts: LongArray) -> int:
    """Return the sum over all pairs of the difference of their counts."""
    return int(np.sort(counts) @ (2 * np.arange(counts.size) - counts.size + 1))
