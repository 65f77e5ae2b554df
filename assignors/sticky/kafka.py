"""Sticky and cooperative sticky: balance first, then as few moves as possible (KIP-54, KIP-429)."""

import numpy as np

from assignors.memo import claimless_memo, memo
from assignors.model import UNOWNED, Group, Owners
from assignors.quotas import is_even_now
from assignors.single_member import unless_single_member
from assignors.sticky.claims import resolved_claims
from assignors.sticky.constrained import constrained
from assignors.sticky.general import general


@unless_single_member
def sticky(group: Group) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    With equal subscriptions counts differ by at most one and no more partitions move than that
    requires. With unequal ones a partition moves wherever a single move improves the balance;
    exchanges among several members are not tried, so a better balance may exist. Sources: KIP-54,
    KIP-341, KIP-881, AbstractStickyAssignor of Kafka 4.0.

    >>> group = Group.fresh({"t": 4}, members=["c0", "c1", "c2"])
    >>> group.named(sticky(group))
    {'c0': ('t-0', 't-3'), 'c1': ('t-1',), 'c2': ('t-2',)}
    """
    return balanced(group).copy()


@memo
def balanced(group: Group) -> Owners:
    """Balance the group from resolved claims, on the path that its subscriptions allow."""
    if not group.wanted.size:
        return group.nobody()
    if not is_constrained(group):
        return general(group, resolved_claims(group)).owners
    if not group.racks and is_even_now(group):
        return group.fit_owners
    return constrained(group, resolved_claims(group)).owners


@claimless_memo
def is_constrained(group: Group) -> bool:
    """Return whether Kafka considers the subscriptions equal and takes the constrained path.

    All members must list as many topics as the first one in Kafka's iteration order, so a topic
    listed twice counts as a difference unless the first member lists it twice. Two faults are
    not reproduced because they assign partitions to members that do not subscribe: a first
    member without topics, and a repeated topic that makes up for a missing one.
    """
    if group.member_count < 2 or not group.has_equal_subscriptions:  # noqa: PLR2004 -- a pair
        return group.has_equal_subscriptions
    if group.wants_everything and group.class_topics.size == group.subscribes.size:
        return True
    first, *others = group.class_of_member[group.hash_map_order].tolist()
    listed = np.diff(group.class_starts)[others]
    return bool((listed == np.count_nonzero(group.subscribes[first])).all())


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
        is_own = owners[group.claims] == group.member_of_claim
        targets, kept = owners.copy(), group.claims[is_own]
        owners[group.claims] = UNOWNED
        owners[kept] = targets[kept]
    return owners
