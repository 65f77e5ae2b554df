"""Quotas that make member counts even, and ways to fill them."""

from typing import NamedTuple, Self

import numpy as np

from assignors import ragged
from assignors.java import hash_order
from assignors.memo import memo
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.trace.events import Trace
from assignors.trace.rules import Listing, Shares, WithinQuota


class Quota(NamedTuple):
    """How many partitions a member gets when all counts differ by at most one."""

    least: int
    extras: int
    """How many members get one more than ``least``."""

    @classmethod
    def of(cls, group: Group) -> Self:
        """Divide the wanted partitions among all members; there must be one."""
        return cls(*divmod(group.wanted.size, group.member_count))

    @property
    def most(self) -> int:
        """The largest count."""
        return self.least + bool(self.extras)

    def is_met(self, counts: LongArray) -> bool:
        """Return whether members with these counts own every partition, and evenly."""
        return (
            int(counts.min()) >= self.least
            and int(counts.max()) <= self.most
            and int(counts.sum()) == self.least * counts.size + self.extras
        )

    def keepers_of_extras(self, group: Group, counts: LongArray) -> IntArray:
        """Return the members that may keep one more than ``least``.

        The first ones that hold enough, in the order in which Kafka iterates the members: that of
        a second map, into which it inserts them in the order of the first.
        """
        enough = (counts >= self.most) & (self.extras > 0)
        if np.count_nonzero(enough) <= self.extras:
            return np.flatnonzero(enough).astype(np.int32)
        order = group.layout.hash_map_order
        order = order[hash_order.hash_map_order([group.members[m] for m in order.tolist()])]
        return order[enough[order]][: self.extras]


@memo
def counts_now(group: Group) -> LongArray:
    """Return how many partitions each member owns now and still subscribes to."""
    return held_by_each(group.fit_owners, group.member_count)


@memo
def is_even_now(group: Group) -> bool:
    """Return whether every wanted partition has an undisputed owner and counts are even.

    With equal subscriptions, a member that keeps what it may then keeps everything.
    """
    return not group.claims.is_contested and Quota.of(group).is_met(counts_now(group))


class Unfilled(NamedTuple):
    """Members that take more partitions, as the sticky assignor tracks them."""

    needy: IntArray
    """Members below the least count, ascending."""
    needs: LongArray
    """How many partitions each of them lacks."""
    even: IntArray
    """Members at the least count that may take an extra one, in the order in which they take it."""


def held_by_each(owners: Owners, member_count: int) -> LongArray:
    """Return how many partitions each member holds."""
    return np.bincount(owners + 1, minlength=member_count + 1)[1:]


def give_up_beyond(owners: Owners, allowed: LongArray, listed: IntArray) -> None:
    """Take from every member, in place, what it holds beyond what it is allowed.

    ``listed`` has each member's partitions in one row, those that it keeps first.
    """
    members = owners[listed]
    first = np.maximum.accumulate(np.where(ragged.changes(members), np.arange(listed.size), 0))
    owners[listed[np.arange(listed.size) - first >= allowed[members]]] = UNOWNED


def tell_quotas(  # noqa: PLR0913, PLR0917 -- what is held and kept, and by which rule
    trace: Trace,
    held: Owners,
    kept: Owners,
    allowed: LongArray,
    listed: IntArray | LongArray,
    listing: Listing,
    shares: Shares | None = None,
) -> None:
    """Tell what each member keeps of its own, and what it gives up.

    ``held`` and ``kept`` are (P,), ``allowed`` (M,); ``listed`` is as in ``give_up_beyond``.
    """
    holders, counts = held[listed], held_by_each(held, allowed.size)
    starts = np.append(np.flatnonzero(ragged.changes(holders)), holders.size)
    larger = 0 if shares is None else int(np.count_nonzero(allowed > shares.least))
    rule = WithinQuota(
        listed,
        ragged.place_in_row(np.diff(starts)),
        counts[holders],
        allowed[holders],
        listing,
        shares,
        larger,
    )
    is_kept = kept[listed] != UNOWNED
    trace.kept(listed[is_kept], holders[is_kept], rule)
    trace.given_up(listed[~is_kept], holders[~is_kept], rule)


def round_robin(members: IntArray, needs: LongArray) -> IntArray:
    """Return the member that takes each partition when members take turns.

    A member drops out once it has taken as many as it needs.

    >>> round_robin(np.array([3, 5, 7], np.int32), np.array([1, 3, 2]))
    array([3, 5, 7, 5, 7, 5], dtype=int32)
    """
    if needs.size and (needs == needs[0]).all():
        return np.tile(members, needs[0])
    return members[round_robin_turns(needs)[1]]


def round_robin_turns(needs: LongArray) -> tuple[LongArray, LongArray]:
    """Return the turn, from 0, and the position that takes each partition, as ``round_robin``."""
    place = np.repeat(np.arange(needs.size), needs)
    turn = ragged.place_in_row(needs)
    return np.divmod(np.sort(turn * needs.size + place), max(needs.size, 1))


def to_the_emptiest(counts: LongArray, partitions: int) -> LongArray:
    """Return the position that takes each partition if each goes to the emptiest.

    ``counts`` is what each position holds at first; ties go to the first. All positions below
    the final level are filled up to it; the remainder goes to the first of them.

    >>> to_the_emptiest(np.array([2, 0, 1]), 5)
    array([1, 1, 2, 0, 1])
    """
    if int(counts.min()) == int(counts.max()):
        return np.resize(np.arange(counts.size), partitions)
    low = np.sort(counts)
    held_below = ragged.starts_of(low)[:-1]
    cost_of_reaching = low * np.arange(low.size) - held_below
    filled = int(np.searchsorted(cost_of_reaching, partitions, side="right"))
    level, left_over = divmod(int(low[:filled].sum()) + partitions, filled)
    needs = np.maximum(level - counts, 0)
    needs[np.flatnonzero(counts <= level)[:left_over]] += 1
    place = np.repeat(np.arange(counts.size), needs)
    height = counts.repeat(needs) + ragged.place_in_row(needs)
    return np.sort(height * counts.size + place) % counts.size


def give_to_the_emptiest(counts: LongArray, members: IntArray, partitions: int) -> IntArray:
    """Return the member that takes each partition, ties to the first listed; update ``counts``."""
    places = to_the_emptiest(counts[members], partitions)
    counts[members] += np.bincount(places, minlength=members.size)
    return members[places]
