"""Why lag-capped, lag-skew and lag-sticky give a partition to whom they do.

A deal is derived anew from what the candidates carried when the partition's turn came; the
search for even lag is run once more, and each of its turns told with the lags it changed.
Limit: beyond 2^62 records in all the strategies compare lags in a coarser unit, so equals
are then equal within that unit; the figures stay exact.
"""

from collections.abc import Callable, Collection
from functools import partial

import numpy as np

from assignors.lag.greedy import Window, by_lag, only_audience
from assignors.lag.local_search import Limits, Search
from assignors.lag.skew import dealt_alike, dealt_by_seats, in_turn, is_more_even
from assignors.lag.sticky import default_moves, settled, stays, turns
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from evaluation.explain.lag_deals import Alike, Deal, Hands, by_seats, by_window, placed
from evaluation.explain.lag_turns import (
    Turn,
    after_turns,
    by_partition,
    outline,
    taker_of,
    told,
)
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, exact_lags
from evaluation.wording import ordinal, plural


def lag_skew_account(group: Group, skew: int) -> Account:
    """Explain lag-skew, and lag-capped, which is lag-skew without skew."""
    order, members = by_lag(group), only_audience(group)
    if members is None:
        return _by_seats_account(group, order, skew)
    words = Words(group)
    owners, limits = dealt_alike(group, order, members, skew)
    found, improved = _searched(group, owners, limits)
    instead = in_turn(group, order, members)
    if is_more_even(group, instead, improved):
        order = np.sort(order)
        found, _ = _searched(group, instead, limits)
        return _improved(words, order, partial(_in_turn, group, words, members, order), found)
    window = Window(int(limits.fewest[0]), int(limits.most[0]))
    deal = Alike(Deal(owners, np.zeros(0, np.int64), order), members, window)
    return _improved(words, order, partial(by_window, group, words, deal), found)


def _by_seats_account(group: Group, order: LongArray, skew: int) -> Account:
    trace: list[LongArray] = []
    owners, limits = dealt_by_seats(group, order, skew, trace)
    found, _ = _searched(group, owners, limits)
    hands, words = Hands.of(group, owners, trace), Words(group)
    return _improved(words, hands.order, partial(by_seats, group, words, hands), found)


def lag_sticky_account(group: Group) -> Account:
    """Explain lag-sticky: kept or placed, then moved as far as the budget reaches."""
    words, home, owners, order = Words(group), stays(group), settled(group), by_lag(group)
    kept, order = np.flatnonzero(home != UNOWNED), order[home[order] == UNOWNED]
    every, budget = list(turns(group, owners.copy())), default_moves(group)
    found = told(group, owners, (turn.moves for turn in every))
    reach = next((n for n, turn in enumerate(every) if turn.moved > budget), len(every))
    deal, moved = Deal(owners, kept, order), by_partition(found[:reach]).keys()
    reason = partial(_kept_or_placed, group, words, deal, moved)
    within = _improved(words, np.concatenate([kept, order]), reason, found[:reach])
    if reach == len(every):
        return within
    spent = (
        f"the budget of {plural(budget, 'move')}, a tenth of the {kept.size:,} that could stay, "
        f"was spent: turn {reach + 1:,} would have made it {every[reach].moved:,}"
    )
    beyond = by_partition(found[reach:])
    return Account(within.order, partial(_held_back, words, within.reason, beyond, spent))


def _kept_or_placed(
    group: Group, words: Words, deal: Deal, moved: Collection[int], partition: int
) -> Reasoning:
    """Keep the present owner that subscribes, else deal it out."""
    present = int(group.present_owners[partition])
    if deal.owners[partition] != present or present == UNOWNED:
        return placed(group, words, deal, partition)
    text = f"{words.member(present)} owns it now and still subscribes: it keeps it"
    at_first = " at first" if partition in moved else ""
    return Reasoning(present, (Step("Kept", f"{text}{at_first}."),))


def _searched(group: Group, owners: Owners, limits: Limits) -> tuple[list[Turn], Owners]:
    search = Search(group, owners, limits)
    steps = list(search.steps())
    return told(group, owners, steps), search.owners


def _improved(
    words: Words, order: LongArray, dealt: Callable[[int], Reasoning], found: list[Turn]
) -> Account:
    """Explain a deal and the turns after it."""
    changes = by_partition(found)

    def reason(partition: int) -> Reasoning:
        first, moved = dealt(partition), changes.get(partition, [])
        if found:
            first = Reasoning(first.owner, (outline(found, moved), *first.steps))
        return after_turns(words, first, moved, partition)

    return Account(order, reason)


def _in_turn(
    group: Group, words: Words, members: IntArray, order: LongArray, partition: int
) -> Reasoning:
    """Deal in turn, where that is more even than what the deal by lag can be improved to."""
    place = int(np.searchsorted(order, partition))
    taker = int(members[place % members.size])
    largest = max(exact_lags(group, in_turn(group, order, members), order))
    text = (
        "Dealt by lag and improved, the largest lag would end higher than where all are dealt in "
        f"turn, topic by topic, at {largest:,}: so it starts from there."
    )
    turn = (
        f"This is the {ordinal(place + 1)} of {plural(order.size, 'partition')} dealt in turn to "
        f"{words.members(members.tolist())}: it goes to {words.member(taker)}."
    )
    return Reasoning(taker, (Step("In turn", text), Step("Circle", turn)))


def _held_back(
    words: Words,
    within: Callable[[int], Reasoning],
    beyond: dict[int, list[Turn]],
    spent: str,
    partition: int,
) -> Reasoning:
    """Add what would still have moved, had the budget reached further."""
    found = within(partition)
    if partition not in beyond:
        return found
    turn = beyond[partition][0]
    text = (
        f"Turn {turn.number:,} would still have moved it to "
        f"{words.member(taker_of(turn, partition))}, but {spent}. {words.member(found.owner)} "
        "keeps it."
    )
    return Reasoning(found.owner, (*found.steps, Step("Budget", text)))
