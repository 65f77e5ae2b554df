"""Sticky and cooperative sticky: balance first, then as few moves as possible (KIP-54, KIP-429)."""

import numpy as np

from assignors.memo import memo
from assignors.model import UNOWNED, Group, Layout, Owners
from assignors.quotas import is_even_now
from assignors.single_member import unless_single_member
from assignors.sticky.claims import resolved_claims
from assignors.sticky.constrained import constrained
from assignors.sticky.general import general
from assignors.trace.events import Trace


@unless_single_member
def sticky(group: Group, *, trace: Trace | None = None) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    With equal subscriptions counts differ by at most one and no more partitions move than that
    requires. With unequal ones a partition moves wherever a single move improves the balance;
    exchanges among several members are not tried, so a better balance may exist. Sources: KIP-54,
    KIP-341, KIP-881, AbstractStickyAssignor of Kafka 4.0.

    >>> group = Group.fresh({"t": 4}, members=["c0", "c1", "c2"])
    >>> group.named(sticky(group))
    {'c0': ('t-0', 't-3'), 'c1': ('t-1',), 'c2': ('t-2',)}
    """
    return _balanced(group, trace) if trace else balanced(group).copy()


@memo
def balanced(group: Group) -> Owners:
    """Balance the group from resolved claims, on the path that its subscriptions allow."""
    return _balanced(group)


def _balanced(group: Group, trace: Trace | None = None) -> Owners:
    if not group.wanted.size:
        return group.nobody()
    if not is_constrained(group):
        return general(group, resolved_claims(group), trace).owners
    if not group.layout.racks and is_even_now(group) and not trace:
        return group.fit_owners
    return constrained(group, resolved_claims(group), trace)


@memo
def is_constrained(group: Group) -> bool:
    """Return whether the group takes the constrained path, as Kafka's does.

    Subscriptions that only seem equal to Kafka take it too, unless it then assigns partitions to
    members that do not subscribe: that fault is not reproduced, but ``faults`` tells of it.
    """
    if not seem_equal(group.layout) or group.layout.has_equal_subscriptions:
        return seem_equal(group.layout)
    owners = constrained(group, resolved_claims(group))
    return bool((group.layout.fit(owners) == owners).all())


@memo
def seem_equal(layout: Layout) -> bool:
    """Return whether Kafka considers the subscriptions equal.

    It compares them with that of the first member, in its order, that lists any topic: those before
    pass unseen, and each one after must list as many topics as that has, all of them among its
    own. So a topic listed twice counts as a difference, or makes up for a missing one.
    """
    if layout.wants_everything and layout.class_topics.size == layout.subscribes.size:
        return True
    classes = layout.class_of_member[layout.hash_map_order]
    listed = np.diff(layout.class_starts)[classes]
    if not listed.any():
        return True
    first = int(np.argmax(listed > 0))
    own, others = layout.subscribes[classes[first]], classes[first + 1 :]
    is_as_long = listed[first + 1 :] == np.count_nonzero(own)
    return bool(is_as_long.all()) and not (layout.subscribes[others] & ~own).any()


def cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what must be revoked first.

    A partition that another member still owns is withheld until its owner has revoked it; the
    following round assigns it to its new owner. Sources: KIP-429, KAFKA-14639.
    """
    owners = balanced(group).copy()
    if is_constrained(group):  # the holder loses the partition, or members dispute it
        holder, disputed = resolved_claims(group)
        owners[(holder != UNOWNED) & (holder != owners)] = UNOWNED
        owners[disputed] = UNOWNED
    else:  # members claim the partition, but not its new owner
        is_own = owners[group.claims.partitions] == group.claims.members
        targets, kept = owners.copy(), group.claims.partitions[is_own]
        owners[group.claims.partitions] = UNOWNED
        owners[kept] = targets[kept]
    return owners
