"""Uniform: the group coordinator's sticky strategy (KIP-848)."""

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, counts_now, give_up_beyond, held_by_each, tell_quotas
from assignors.single_member import unless_single_member
from assignors.topic_ids import has_ids, ranks_in_subscription
from assignors.trace.events import Trace
from assignors.trace.rules import FilledUp, Listing, OneMore, PresentOwner, Shares
from assignors.uniform.general import uniform_general


@unless_single_member
def uniform(group: Group, *, trace: Trace | None = None) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    With equal subscriptions the first members get the extra partitions even if others hold them
    now (KAFKA-18688). Members are visited by id here; a real broker iterates a hash map of
    members, and topics by random ids, so who gets an extra is not predictable. Racks are ignored.
    Source: KIP-848, UniformAssignor of the group coordinator of Kafka 4.0.0.

    >>> before = np.array([0, 1, 1], np.int32)
    >>> uniform(Group.of(["t"], [3], ["A", "B"], owners=before))
    array([0, 1, 0], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    if not has_quotas(group):
        return uniform_general(group, group.fit_owners, trace)
    quotas = _first_quotas(group)
    if np.array_equal(counts_now(group), quotas) and not trace:
        return group.fit_owners.copy()
    if trace:
        tell_shares(trace, Quota.of(group), quotas, is_stable=False)
    _, listed = ragged.rows_by_key(group.fit_owners, group.member_count)
    return fill_quotas(group, group.fit_owners, quotas, listed, trace)


def has_quotas(group: Group) -> bool:
    """Return whether the broker considers the subscriptions equal."""
    return (
        group.layout.has_equal_subscriptions and group.layout.subscription_type != "Heterogeneous"
    )


def _first_quotas(group: Group) -> LongArray:
    """Return how many partitions each member gets: the first ones one more."""
    quota = Quota.of(group)
    quotas = np.full(group.member_count, quota.least)
    quotas[: quota.extras] += 1
    return quotas


def tell_shares(trace: Trace, quota: Quota, quotas: LongArray, *, is_stable: bool) -> None:
    """Tell how many partitions members get, and which of them one more."""
    trace.note(Shares(*quota))
    if quota.extras:
        trace.note(OneMore(is_stable), members=np.flatnonzero(quotas > quota.least))
    trace.note(PresentOwner())


def fill_quotas(
    group: Group, held: Owners, quotas: LongArray, listed: IntArray, trace: Trace | None
) -> Owners:
    """Cut each member down to its quota, then fill the members one after another.

    Unowned partitions are assigned first, in the broker's order of topics if ids are known,
    then those given up, owner by owner as listed.
    """
    owners = held.copy()
    free = group.wanted[held[group.wanted] == UNOWNED]
    if has_ids(group.layout):
        ranks = ranks_in_subscription(group.layout)[group.topic_of_partition[free]]
        free = free[np.argsort(ranks, kind="stable")]
    give_up_beyond(owners, quotas, listed)
    unassigned = np.concatenate([free, listed[owners[listed] == UNOWNED]])
    lacks = quotas - held_by_each(owners, group.member_count)
    takers = np.repeat(np.arange(group.member_count), lacks)
    if trace:
        is_by_number = np.all(np.diff(listed) > 0, where=np.diff(held[listed]) == 0)
        listing = Listing.ASCENDING if is_by_number else Listing.BY_BUCKET
        tell_quotas(trace, held, owners, quotas, listed, listing)
        trace.assigned(unassigned, takers, FilledUp())
    owners[unassigned] = takers
    return owners
