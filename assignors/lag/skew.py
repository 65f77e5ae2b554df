"""Lag-skew: even lag over all topics, with counts allowed to differ by a given amount.

Source: requested as an option of KAFKA-5337's assignor; nobody ever built it.
"""

from collections.abc import Sequence

import numpy as np

from assignors.lag.greedy import (
    Window,
    assign_seats,
    by_weight,
    comparable_weights,
    greedy_seats,
    load_of_each,
)
from assignors.lag.local_search import CountLimits, Exchange, LocalSearch, Terms
from assignors.lag.semi_matching import even_seats
from assignors.memo import memo
from assignors.model import Group, IntArray, Owners
from assignors.single_member import unless_single_member
from assignors.trace import rules
from assignors.trace.events import Trace


@unless_single_member
def lag_skew(group: Group, skew: int, *, trace: Trace | None = None) -> Owners:
    """Assign all partitions by total lag, with counts within ``skew`` of even; then improve.

    With equal subscriptions every count stays between floor(partitions / members) less half of
    ``skew`` and ceil(partitions / members) plus the other half, the larger one if it is odd;
    each partition goes to the least total lag with room. With unequal subscriptions counts are
    first made as even as possible, and each may then deviate by as much. Finally, partitions
    of the busiest member are moved or swapped while that helps.

    It does not always reach the optimum: a step exchanges two partitions, so 9, 9, 8, 6, 2 and 2
    end as 9 + 8 + 2 and 9 + 6 + 2, because 18 each requires an exchange of three. Unknown lags
    count as 0; present owners are ignored.

    >>> group = Group.fresh({"t": 5}, ["c0", "c1"], {"t": [90, 30, 30, 20, 10]})
    >>> group.named(lag_skew(group, 2))
    {'c0': ('t-0',), 'c1': ('t-1', 't-2', 't-3', 't-4')}
    """
    members, start_told = group.layout.only_audience, Trace() if trace else None
    if members is None:
        start, limits = _seated(group, skew, start_told)
    else:
        start, limits = _within_window(group, members, skew, start_told)
    weights, terms = comparable_weights(group.offsets), Terms(limits, is_for_largest=True)
    search = LocalSearch(group, weights, start, terms)
    steps = list(search.relieve())
    if members is not None and not search.is_best:
        round_robin, largest = _round_robin(group)
        if largest < search.largest:
            search = LocalSearch(group, weights, round_robin, terms)
            steps = list(search.relieve())
            if trace:
                start_told = Trace()
                start_told.assigned(group.wanted, round_robin[group.wanted], rules.TurnsInstead())
    if trace and start_told:
        _tell(trace, start_told, steps)
    return search.owners


def _seated(group: Group, skew: int, trace: Trace | None) -> tuple[Owners, CountLimits]:
    """Start with counts as even as unequal subscriptions allow."""
    order = by_weight(group)
    start = assign_seats(group, order, even_seats(group, trace), trace)
    counts = np.bincount(start[order], minlength=group.member_count)
    return start, CountLimits(counts - skew // 2, counts + (skew + 1) // 2)


def _within_window(
    group: Group, members: IntArray, skew: int, trace: Trace | None
) -> tuple[Owners, CountLimits]:
    """Start with the least lag, where all subscribe alike."""
    order, start = by_weight(group), group.nobody()
    window = _window(order.size, members.size, skew)
    seats = greedy_seats(group.counted_weights[order].tolist(), members.size, window)
    start[order] = members[seats]
    if trace:
        trace.note(rules.Counts(*window), members=members)
        trace.assigned(order, start[order], rules.LeastLag(*window))
    return start, CountLimits(*(np.full(group.member_count, limit) for limit in window))


def _tell(trace: Trace, start: Trace, steps: Sequence[Exchange]) -> None:
    if steps:
        trace.note(rules.Search(len(steps)))
    trace.extend(start)
    for number, step in enumerate(steps, 1):
        partitions, members = zip(*step, strict=True)
        trace.moved(partitions, members, rules.Exchange(number))


def lag_capped(group: Group, *, trace: Trace | None = None) -> Owners:
    """Assign all partitions by total lag among members below their even count; then improve.

    With equal subscriptions every member gets floor(partitions / members) or one more, and
    the busiest never has more lag than under roundrobin; with unequal ones counts are as even as
    possible. It is ``lag_skew`` without skew.

    Even counts have a price: here c0 must take a second partition besides the one with nearly
    all the lag, and ends at 91 although 90 is possible.

    >>> group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [90, 1, 2, 3]})
    >>> group.named(lag_capped(group))
    {'c0': ('t-0', 't-1'), 'c1': ('t-2', 't-3')}
    """
    return lag_skew(group, 0, trace=trace)


def _window(partitions: int, members: int, skew: int) -> Window:
    quota, rest = divmod(partitions, members)
    most = quota + (rest > 0) + (skew + 1) // 2
    return Window(max(quota - skew // 2, 0), min(most, partitions))


@memo
def _round_robin(group: Group) -> tuple[Owners, int]:
    """Return the owners after one partition to each member in turn, and their largest lag.

    All members must have equal subscriptions.
    """
    owners, members = group.nobody(), group.layout.only_audience
    if members is not None:
        owners[group.wanted] = np.resize(members, group.wanted.size)
    return owners, int(load_of_each(group, owners).max())
