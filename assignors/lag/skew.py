"""Lag-skew: even lag over all topics, counts allowed to differ by a given amount.

Source: asked for as an option of KAFKA-5337's assignor; nobody ever built it.
"""

from collections import deque

import numpy as np

from assignors.lag.greedy import Window, by_lag, by_seats, lag_of_each, only_audience, within
from assignors.lag.local_search import Limits, Search
from assignors.lag.semi_matching import even_seats
from assignors.memo import once_for_any_claims
from assignors.model import Group, IntArray, LongArray, Owners
from assignors.single_member import unless_alone


@unless_alone
def lag_skew(group: Group, skew: int) -> Owners:
    """Deal all partitions by total lag, counts within ``skew`` of even; then improve.

    With equal subscriptions every count stays between floor(partitions / members) less
    half of ``skew`` and ceil(partitions / members) plus the other half, the larger one if
    it is odd; partitions go to the least total lag with room. With unequal ones the counts
    are first made as even as subscriptions allow, and each may then leave its place by as
    much. Last, partitions of the busiest member move or are swapped while that helps.

    It does not always reach the best: a step exchanges two partitions, so 9, 9, 8, 6, 2
    and 2 end as 9 + 8 + 2 and 9 + 6 + 2, since 18 each takes an exchange of three.
    Unknown lags count as 0; present owners play no part.

    >>> group = Group.fresh({"t": 5}, ["c0", "c1"], {"t": [90, 30, 30, 20, 10]})
    >>> group.named(lag_skew(group, 2))
    {'c0': ('t-0',), 'c1': ('t-1', 't-2', 't-3', 't-4')}
    """
    order, alike = by_lag(group), only_audience(group)
    if alike is None:
        return _searched(group, *dealt_by_seats(group, order, skew)).owners
    owners, limits = dealt_alike(group, order, alike, skew)
    found = _searched(group, owners, limits)
    if not found.is_best:
        instead, largest = _all_in_turn(group)
        if largest < found.largest:
            found = _searched(group, instead, limits)
    return found.owners


def dealt_alike(
    group: Group, order: LongArray, members: IntArray, skew: int
) -> tuple[Owners, Limits]:
    """Deal by total lag among members that subscribe alike, counts within one window."""
    quota, rest = divmod(order.size, members.size)
    fewest, most = max(quota - skew // 2, 0), quota + (rest > 0) + (skew + 1) // 2
    window = Window(fewest, min(most, order.size))
    owners = group.nobody()
    owners[order] = members[within(group.counted_lags[order].tolist(), members.size, window)]
    return owners, Limits(*(np.full(group.member_count, limit) for limit in window))


def in_turn(group: Group, order: LongArray, members: IntArray) -> Owners:
    """Deal as roundrobin does, one partition to each member in turn, whatever the lag."""
    owners = group.nobody()
    owners[np.sort(order)] = np.resize(members, order.size)
    return owners


def is_more_even(group: Group, owners: Owners, others: Owners) -> bool:
    """Tell whether the largest lag of the first is below that of the second."""
    return bool(lag_of_each(group, owners).max() < lag_of_each(group, others).max())


def dealt_by_seats(
    group: Group, order: LongArray, skew: int, trace: list[LongArray] | None = None
) -> tuple[Owners, Limits]:
    """Deal by total lag where subscriptions differ, counts as even as they allow."""
    owners = by_seats(group, order, even_seats(group), trace)
    counts = np.bincount(owners[order], minlength=group.member_count)
    return owners, Limits(counts - skew // 2, counts + (skew + 1) // 2)


@once_for_any_claims
def _all_in_turn(group: Group) -> tuple[Owners, int]:
    """Return what ``in_turn`` does where members subscribe alike, and its largest lag."""
    alike = only_audience(group)
    owners = group.nobody() if alike is None else in_turn(group, by_lag(group), alike)
    return owners, int(lag_of_each(group, owners).max())


def _searched(group: Group, owners: Owners, limits: Limits) -> Search:
    search = Search(group, owners, limits)
    deque(search.steps(), maxlen=0)
    return search
