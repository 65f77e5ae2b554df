"""How the strategies of lag deal a partition, from what the candidates carried by then."""

from typing import NamedTuple, Self

import numpy as np

from assignors import ragged
from assignors.fair import fair
from assignors.lag.greedy import Window, lag_of_each
from assignors.lag.semi_matching import even_seats
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each
from evaluation.explain.reasoning import Reasoning, Step, Words, exact_lags, smallest_id
from evaluation.wording import ordinal, plural


class Deal(NamedTuple):
    """A deal of one partition after the other, and its outcome."""

    owners: Owners
    kept: LongArray
    """Partitions that had their owner before the deal."""
    order: LongArray
    """Those that are dealt, in order."""

    def before(self, partition: int) -> tuple[int, LongArray]:
        """Return the partition's place in the order, and what had an owner by then."""
        place = int(np.flatnonzero(self.order == partition)[0])
        return place, np.concatenate([self.kept, self.order[:place]])


class Alike(NamedTuple):
    """A deal among members that subscribe alike."""

    deal: Deal
    members: IntArray
    window: Window


class Hands(NamedTuple):
    """A deal by seats that make the counts even, some partitions at once."""

    owners: Owners
    starts: LongArray
    """Hand h is order[starts[h]:starts[h + 1]]."""
    order: LongArray
    seats: LongArray
    """How many partitions each member of an audience takes, as ``audiences.members`` lies."""
    fair_counts: LongArray
    even_counts: LongArray
    """(M,) what ``fair`` gives each member, and what that is repaired to."""

    @classmethod
    def of(cls, group: Group, owners: Owners, trace: list[LongArray]) -> Self:
        """Lay out the hands that the deal left as its trace."""
        starts = ragged.starts_of(np.array([hand.size for hand in trace], np.int64))
        fair_counts, even_counts = (
            held_by_each(o, group.member_count) for o in (fair(group), owners)
        )
        order = np.concatenate(trace)
        return cls(owners, starts, order, even_seats(group), fair_counts, even_counts)


def by_window(group: Group, words: Words, alike: Alike, partition: int) -> Reasoning:
    """Deal to the least lag among those below the cap, where all subscribe alike."""
    (deal, members, window), size = alike, alike.deal.order.size
    place, before = deal.before(partition)
    counts = np.bincount(deal.owners[before], minlength=group.member_count)
    over = np.maximum(counts[members] - window.fewest, 0).sum()
    is_tight = size - members.size * window.fewest == over
    cap = window.fewest if is_tight else window.most
    why = "the most anybody may take"
    if cap < window.most:
        why = "for what is left must bring everybody to that"
    steps = [
        _quota(members.size, size, window),
        _position(words, place, size, partition),
        Step("Cap", f"Those with fewer than {cap:,} may take it, {why}."),
    ]
    candidates = members[counts[members] < cap].tolist()
    loads = exact_lags(group, deal.owners, before)
    deal_to = _to_least_lag if group.counted_lags[partition] > 0 else _to_fewest
    taker, more = deal_to(words, candidates, loads, counts.tolist())
    return Reasoning(taker, (*steps, *more))


def placed(group: Group, words: Words, deal: Deal, partition: int) -> Reasoning:
    """Deal what nobody owns, or who owns it no longer subscribes; no cap holds."""
    present = int(group.present_owners[partition])
    text = "Nobody owns it now"
    if present != UNOWNED:
        text = f"{words.member(present)} owns it now, but no longer subscribes"
    place, before = deal.before(partition)
    steps = [
        Step("Placed", f"{text}: it is dealt out, and counts as no move."),
        _position(words, place, deal.order.size, partition),
    ]
    counts = np.bincount(deal.owners[before], minlength=group.member_count).tolist()
    loads, candidates = (
        exact_lags(group, deal.owners, before),
        _subscribers(group, partition).tolist(),
    )
    deal_to = _to_least_lag if group.counted_lags[partition] > 0 else _to_fewest
    taker, more = deal_to(words, candidates, loads, counts)
    return Reasoning(taker, (*steps, *more))


def by_seats(group: Group, words: Words, hands: Hands, partition: int) -> Reasoning:
    """Deal a hand to those with seats left, the least lag first; subscriptions differ."""
    place = int(np.flatnonzero(hands.order == partition)[0])
    hand = int(np.searchsorted(hands.starts, place, side="right")) - 1
    first, end = hands.starts[hand : hand + 2].tolist()
    dealt = group.nobody()
    dealt[hands.order[:first]] = hands.owners[hands.order[:first]]
    loads, free = lag_of_each(group, dealt), _with_seats_left(group, hands, dealt, partition)
    free = free[np.argsort(loads[free], kind="stable")]
    exact = exact_lags(group, hands.owners, hands.order[:first])
    taker = int(free[place - first])
    if end - first == 1:
        equal = free[loads[free] == loads[taker]].tolist()
        decision = smallest_id(words, equal, f"the least lag so far, {exact[taker]:,}")
    else:
        text = (
            f"{end - first:,} partitions are dealt at once, one each to those with the least lag, "
            f"equals by id: the {ordinal(place - first + 1)} goes to {words.member(taker)}."
        )
        decision = Step("Hand", text)
    carry = words.each(free.tolist(), [exact[member] for member in free.tolist()])
    steps = (
        _even_counts(group, words, hands, partition),
        _seats(group, words, hands, partition),
        _position(words, place, hands.order.size, partition),
        Step("Lag so far", f"Those with seats left carry {carry}."),
    )
    return Reasoning(taker, (*steps, decision))


def _with_seats_left(group: Group, hands: Hands, dealt: Owners, partition: int) -> IntArray:
    """Return the partition's subscribers that may still take one of its audience."""
    audience = group.audiences.of_topic[group.topic_of_partition[partition]]
    is_heard_alike = group.audiences.of_topic[group.topic_of_partition] == audience
    members = group.audiences.heard_by(audience)
    taken = held_by_each(dealt[is_heard_alike], group.member_count)[members]
    return members[_seats_of(group, hands, partition) > taken]


def _seats_of(group: Group, hands: Hands, partition: int) -> LongArray:
    audience = int(group.audiences.of_topic[group.topic_of_partition[partition]])
    first, end = group.audiences.starts[audience : audience + 2].tolist()
    return hands.seats[first:end]


def _seats(group: Group, words: Words, hands: Hands, partition: int) -> Step:
    seats = _seats_of(group, hands, partition).tolist()
    each = words.each(_subscribers(group, partition).tolist(), seats)
    text = f"Of {words.topic(partition)}, and topics with the same subscribers, that makes {each}."
    return Step("Seats", text)


def _even_counts(group: Group, words: Words, hands: Hands, partition: int) -> Step:
    """Say how counts are made even first, where subscriptions differ."""
    members = _subscribers(group, partition)
    fairly, evenly = hands.fair_counts[members].tolist(), hands.even_counts[members].tolist()
    first = words.each(members.tolist(), fairly)
    text = f"Subscriptions differ, so even counts come first. Fair gives {first}"
    if fairly == evenly:
        return Step("Even counts", f"{text}: no way along the subscriptions evens that further.")
    repaired = words.each(members.tolist(), evenly)
    return Step("Even counts", f"{text}; handed on from fuller to emptier, they are {repaired}.")


def _quota(members: int, partitions: int, window: Window) -> Step:
    least, rest = divmod(partitions, members)
    even, allowed = _span(least, least + (rest > 0)), _span(*window)
    text = (
        f"All subscribe alike: {plural(partitions, 'partition')} ÷ {plural(members, 'consumer')} "
        f"= {even} each"
    )
    stretched = "" if allowed == even else f", which the skew stretches to {allowed}"
    return Step("Quota", f"{text}{stretched}.")


def _span(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _position(words: Words, place: int, size: int, partition: int) -> Step:
    text = (
        f"Most lag first, over all topics: with a lag of {words.lag(partition)}, this is the "
        f"{ordinal(place + 1)} of {size:,}."
    )
    return Step("Position", text)


def _to_least_lag(
    words: Words, candidates: list[int], loads: list[int], counts: list[int]
) -> tuple[int, list[Step]]:
    """Give it to the least lag, then the fewest partitions, then the smallest id."""
    standing = sorted(candidates, key=lambda member: (loads[member], counts[member], member))
    taker = standing[0]
    so_far = f"The candidates carry {words.each(standing, [loads[m] for m in standing])}."
    equal = [member for member in standing if loads[member] == loads[taker]]
    what = f"the least lag so far, {loads[taker]:,}"
    if len(equal) > 1:
        equal = [member for member in equal if counts[member] == counts[taker]]
        what = f"{what}, and of those the fewest partitions, {counts[taker]:,}"
    return taker, [Step("Lag so far", so_far), smallest_id(words, equal, what)]


def _to_fewest(
    words: Words, candidates: list[int], loads: list[int], counts: list[int]
) -> tuple[int, list[Step]]:
    """Give what has no lag to the fewest partitions, then the least lag, then the smallest id."""
    standing = sorted(candidates, key=lambda member: (counts[member], loads[member], member))
    taker = standing[0]
    hold = words.each(standing, [counts[member] for member in standing])
    so_far = f"Without lag it goes by count first. The candidates hold {hold}."
    equal = [member for member in standing if counts[member] == counts[taker]]
    what = f"the fewest partitions so far, {counts[taker]:,}"
    if len(equal) > 1:
        equal = [member for member in equal if loads[member] == loads[taker]]
        what = f"{what}, and of those the least lag, {loads[taker]:,}"
    return taker, [Step("Held so far", so_far), smallest_id(words, equal, what)]


def _subscribers(group: Group, partition: int) -> IntArray:
    return group.audiences.heard_by(group.audiences.of_topic[group.topic_of_partition[partition]])
