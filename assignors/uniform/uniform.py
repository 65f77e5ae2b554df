"""Uniform: the group coordinator's sticky strategy (KIP-848)."""

from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, counts_now, give_up_beyond, held_by_each
from assignors.single_member import unless_single_member
from assignors.topic_ids import has_ids, ranks_in_subscription
from assignors.uniform.general import ByRounds, uniform_general


@unless_single_member
def uniform(group: Group) -> Owners:
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
    if has_quotas(group) and np.array_equal(counts_now(group), _first_quotas(group)):
        return group.fit_owners.copy()
    return uniform_stages(group).owners


class ByQuota(NamedTuple):
    """The state after each stage if subscriptions are equal."""

    held: Owners
    """(P,) the current owners that still subscribe."""
    quotas: LongArray
    """(M,) how many partitions each member gets."""
    listed: IntArray
    """Each member's partitions in one row, those it keeps first."""
    kept: Owners
    """(P,) what members keep of their own."""
    unassigned: LongArray
    """All other wanted partitions, in the order of assignment."""
    takers: LongArray
    """The member that takes each of them."""

    @property
    def owners(self) -> Owners:
        """(P,) the result."""
        owners = self.kept.copy()
        owners[self.unassigned] = self.takers
        return owners


def has_quotas(group: Group) -> bool:
    """Return whether the broker considers the subscriptions equal."""
    return (
        group.layout.has_equal_subscriptions and group.layout.subscription_type != "Heterogeneous"
    )


def uniform_stages(group: Group) -> ByQuota | ByRounds:
    """Balance the group on the path that its subscriptions allow."""
    if not has_quotas(group):
        return uniform_general(group, group.fit_owners)
    _, listed = ragged.rows_by_key(group.fit_owners, group.member_count)
    return fill_quotas(group, group.fit_owners, _first_quotas(group), listed)


def _first_quotas(group: Group) -> LongArray:
    """Return how many partitions each member gets: the first ones one more."""
    quota = Quota.of(group)
    quotas = np.full(group.member_count, quota.least)
    quotas[: quota.extras] += 1
    return quotas


def fill_quotas(group: Group, held: Owners, quotas: LongArray, listed: IntArray) -> ByQuota:
    """Cut each member down to its quota, then fill the members one after another.

    Unowned partitions are assigned first, in the broker's order of topics if ids are known,
    then those given up, owner by owner as listed.
    """
    kept = held.copy()
    free = group.wanted[held[group.wanted] == UNOWNED]
    if has_ids(group.layout):
        ranks = ranks_in_subscription(group.layout)[group.topic_of_partition[free]]
        free = free[np.argsort(ranks, kind="stable")]
    give_up_beyond(kept, quotas, listed)
    given_up = listed[kept[listed] == UNOWNED]
    lacks = quotas - held_by_each(kept, group.member_count)
    takers = np.repeat(np.arange(group.member_count), lacks)
    return ByQuota(held, quotas, listed, kept, np.concatenate([free, given_up]), takers)
