"""Sticky assignment where members subscribe to different topics; KIP-54 clients always take it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from assignors.memo import memo
from assignors.model import UNOWNED, BoolArray, Group, Layout, LongArray, Owners
from assignors.quotas import give_to_the_emptiest, held_by_each
from assignors.sticky.claims import Resolved, previous_owners
from assignors.sticky.local_search import ClientView, Improvement
from assignors.sticky.rack_matching import assign_to_emptiest_near
from assignors.sticky.racks import Racks
from assignors.trace.events import Trace
from assignors.trace.rules import (
    Claimed,
    Emptiest,
    OffRack,
    Reverted,
    StillSubscribes,
    Unequal,
    Unmatched,
    Unsubscribed,
)


class Found(NamedTuple):
    """What the general path finds."""

    owners: Owners
    """(P,) the answer."""
    fails: bool
    """Whether the client fails at a previous owner that takes no part in moves."""
    unruly: Owners | None = None
    """(P,) the client's own answer, if that breaks the rules and ``owners`` replaces it."""


def general(group: Group, claims: Resolved, trace: Trace | None = None) -> Found:
    """Take the general path as Kafka's Java client does, topics listed least often first.

    Sources: KIP-54, KIP-341, KIP-881, KAFKA-12675, KAFKA-15106.
    """
    wanted = group.layout.wanted_topics
    walk = group.layout.partitions_of(
        wanted[np.argsort(listings_of(group.layout)[wanted], kind="stable")]
    )
    places = np.arange(group.member_count)
    previous = previous_owners(group)
    view = ClientView(claims.holder, previous, claims.holder, walk, places, tolerance=1)
    if trace:
        trace.note(Unequal(is_broker=False))
        trace.note(Claimed(claims.holder, is_newest_only=False))
    return within_rules(group, view, Racks.that_matter(group), trace=trace)


def within_rules(
    group: Group,
    view: ClientView,
    racks: Racks | None,
    answered: Callable[[Owners], Owners] = np.copy,
    trace: Trace | None = None,
) -> Found:
    """Keep valid claims, give the rest to the emptiest members, then improve by single moves.

    Limit: exchanges are never tried. With t0 (1 partition) for c1 and c2, and t1 (2 partitions)
    for c0 and c1, the counts stay at 2, 1, 0 although 1, 1, 1 exists.

    Clients may move a partition to a previous owner that no longer subscribes. That is reproduced
    if the result, of which ``answered`` makes the answer, still obeys the rules; otherwise only
    subscribers count. Clients fail if a previous owner takes no part in moves; here it is ignored.
    """
    own = Trace() if trace else None
    owners, fails = _improved(group, view, racks, own)
    owners, previous, unruly = answered(owners), group.layout.fit(view.previous), None
    has_unfit = bool((previous != view.previous).any())
    if has_unfit and (group.layout.fit(owners) != owners).any():
        unruly, own = owners, Trace() if trace else None
        ruled, _ = _improved(group, view._replace(previous=previous), racks, own)
        owners = answered(ruled)
    if trace and own:
        trace.extend(own)
    return Found(owners, fails, unruly)


def _improved(
    group: Group, view: ClientView, racks: Racks | None, trace: Trace | None
) -> tuple[Owners, bool]:
    """Return the owners, and whether the client fails; those before all moves if none helped.

    If no member has to give anything up, only free partitions move at first.
    """
    walk, kept = view.walk, group.layout.fit(view.holder)
    kept = kept if racks is None else racks.matching(kept)
    if trace:
        _tell_kept(trace, group, view.holder, kept)
    free = walk[kept[walk] == UNOWNED]
    near = kept
    if racks is not None:
        near = assign_to_emptiest_near(group, racks, kept, free, view.places)
    assigned = _assigned(group, near, free[near[free] == UNOWNED], view.places)
    if trace:
        _tell_assigned(trace, free, near, assigned, has_racks=racks is not None)
    listings = listings_of(group.layout)
    joins_in = takes_part(group.layout, assigned, listings)
    moves = Trace() if trace else None
    search = Improvement(group, view, kept, assigned, joins_in, trace=moves)
    is_shared = (listings > 1)[group.topic_of_partition]
    counts = search.counts
    if np.array_equal(kept[walk], view.holder[walk]):
        search.run(free[is_shared[free]])
    has_moved = search.run(walk[is_shared[walk]])
    if has_moved and (kept != UNOWNED).any():
        after, before = (imbalance(each[joins_in]) for each in (search.counts, counts))
        if after >= before:
            if trace:
                trace.note(Reverted())
            return assigned, search.fails
    if trace and moves:
        trace.extend(moves)
    return search.last_owners, search.fails


def _tell_kept(trace: Trace, group: Group, holder: Owners, kept: Owners) -> None:
    lost = np.flatnonzero((holder != UNOWNED) & (kept == UNOWNED))
    is_off_rack = group.layout.may_own(holder[lost], lost)
    for is_lost, rule in ((~is_off_rack, Unsubscribed()), (is_off_rack, OffRack())):
        trace.given_up(lost[is_lost], holder[lost[is_lost]], rule)
    stays = np.flatnonzero(kept != UNOWNED)
    trace.kept(stays, kept[stays], StillSubscribes())


def _tell_assigned(
    trace: Trace, free: LongArray, near: Owners, owners: Owners, *, has_racks: bool
) -> None:
    is_near = near[free] != UNOWNED
    trace.assigned(free[is_near], near[free[is_near]], Emptiest(is_near=True))
    if has_racks:
        trace.note(Unmatched(), free[~is_near])
    trace.assigned(free[~is_near], owners[free[~is_near]], Emptiest(is_near=False))


@memo
def listings_of(layout: Layout) -> LongArray:
    """(T,) how often members list each topic; listing it twice counts twice."""
    members_of_class = np.bincount(layout.class_of_member, minlength=layout.class_starts.size - 1)
    times = np.repeat(members_of_class, np.diff(layout.class_starts))
    return np.bincount(layout.class_topics, times, len(layout.topics)).astype(np.int64)


def _assigned(group: Group, owners: Owners, free: LongArray, places: LongArray) -> Owners:
    """Give every free partition to the subscriber with the fewest so far."""
    owners, counts = owners.copy(), held_by_each(owners, group.member_count)
    for audience, run in group.layout.runs(free):
        members = group.audiences.members_of(audience)
        members = members[np.argsort(places[members])]
        owners[run] = give_to_the_emptiest(counts, members, run.size)
    return owners


def takes_part(layout: Layout, owners: Owners, listings: LongArray) -> BoolArray:
    """(M,) whether a member holds less than it subscribes to, or part of a shared topic."""
    row = np.repeat(np.arange(layout.class_starts.size - 1), np.diff(layout.class_starts))
    reach = np.bincount(row, layout.topic_sizes[layout.class_topics], layout.class_starts.size - 1)
    joins_in = held_by_each(owners, layout.member_count) < reach[layout.class_of_member]
    is_shared = (listings > 1)[layout.topic_of_partition] & (owners != UNOWNED)
    joins_in[owners[is_shared]] = True
    return joins_in


def imbalance(counts: LongArray) -> int:
    """Return the sum over all pairs of the difference of their counts."""
    return int(np.sort(counts) @ (2 * np.arange(counts.size) - counts.size + 1))
