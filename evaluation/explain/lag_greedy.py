"""Why the lag strategies' greedy start places each partition where it does."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.fair import fair
from assignors.lag.greedy import Window, lag_of_each
from assignors.lag.semi_matching import even_seats
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    exact_lags,
    position_of,
    smallest_id,
    subscribers_of,
)
from evaluation.wording import ordinal, plural


class Greedy(NamedTuple):
    """An assignment of one partition after the other, and its outcome."""

    owners: Owners
    kept: LongArray
    """Partitions that had their owner before."""
    order: LongArray
    """The others, in the order in which they are assigned."""

    def before(self, partition: int) -> LongArray:
        """Return what had an owner by the partition's turn."""
        return np.concatenate([self.kept, self.order[: position_of(partition, self.order)]])


def derive_by_window(group: Group, greedy: Greedy, members: IntArray, window: Window) -> Derivation:
    """Give to the least lag among those below a cap, where all subscribe alike."""
    words, order = Words(group), greedy.order
    least, rest = divmod(order.size, members.size)
    even, allowed = _span(least, least + (rest > 0)), _span(*window)
    division = f"{plural(order.size, 'partition')} ÷ {plural(members.size, 'consumer')}"
    stretched = "" if allowed == even else f", which the skew stretches to {allowed}"
    quota = Step("Quota", f"All subscribe alike: {division} = {even} each{stretched}.")

    def reason(partition: int) -> Reasoning:
        held = greedy.owners[greedy.before(partition)]
        counts = held_by_each(held, group.member_count)[members]
        over = np.maximum(counts - window.fewest, 0).sum()
        cap, why = window.most, "the most that any member may take"
        if order.size - members.size * window.fewest == over and window.fewest < cap:
            cap, why = window.fewest, "for what is left must bring all of them to that"
        candidates = members[counts < cap].tolist()
        taker, decision = _to_least(group, words, greedy, partition, candidates)
        text = f"Those with fewer than {cap:,} may take it, {why}."
        steps = (quota, _position(words, order, partition), Step("Cap", text), *decision)
        return Reasoning(taker, steps)

    return Derivation(order, reason)


def derive_placed(group: Group, greedy: Greedy, later: Collection[int]) -> Derivation:
    """Keep present owners that subscribe, and give the rest away; no cap holds."""
    words = Words(group)

    def reason(partition: int) -> Reasoning:
        present, text = group.present_owners[partition], "Nobody owns it now"
        if present != UNOWNED:
            text = f"{words.member(present)} owns it now"
            if greedy.owners[partition] == present:
                at_first = " at first" if partition in later else ""
                kept = Step("Kept", f"{text} and still subscribes: it keeps it{at_first}.")
                return Reasoning(int(present), (kept,))
            text = f"{text}, but no longer subscribes"
        candidates = subscribers_of(group, partition).tolist()
        taker, decision = _to_least(group, words, greedy, partition, candidates)
        first = Step("Placed", f"{text}: it is assigned, and counts as no move.")
        return Reasoning(taker, (first, _position(words, greedy.order, partition), *decision))

    return Derivation(np.concatenate([greedy.kept, greedy.order]), reason)


def derive_by_seats(group: Group, owners: Owners, batches: list[LongArray]) -> Derivation:
    """Give to members with seats left, the least lag first, where subscriptions differ."""
    derivation = _BySeats(group, owners, batches)
    return Derivation(derivation.order, derivation.reason)


class _BySeats:
    """The seats of each member, and batches of partitions that are assigned at once.

    Seats are how many partitions each member of an audience takes, so that counts come out
    even; a batch has one partition for each member.
    """

    def __init__(self, group: Group, owners: Owners, batches: list[LongArray]) -> None:
        self._group, self._words, self._owners = group, Words(group), owners
        self._starts = ragged.starts_of(np.array([batch.size for batch in batches], np.int64))
        self._seats = even_seats(group)
        self._fair_counts = held_by_each(fair(group), group.member_count)
        self._even_counts = held_by_each(owners, group.member_count)
        self.order = np.concatenate(batches)

    def reason(self, partition: int) -> Reasoning:
        group, words = self._group, self._words
        place = position_of(partition, self.order)
        batch = int(np.searchsorted(self._starts, place, side="right")) - 1
        first, end = self._starts[batch : batch + 2].tolist()
        before = group.nobody()
        before[self.order[:first]] = self._owners[self.order[:first]]
        loads, free = lag_of_each(group, before), self._with_seats_left(before, partition)
        free = free[np.argsort(loads[free], kind="stable")]
        exact = exact_lags(group, self._owners, self.order[:first])
        taker = int(free[place - first])
        if end - first == 1:
            equal = free[loads[free] == loads[taker]].tolist()
            decision = smallest_id(words, equal, f"the least lag so far, {exact[taker]:,}")
        else:
            text = (
                f"{end - first:,} partitions are assigned at once, one each to those with the "
                f"least lag, equals by id: the {ordinal(place - first + 1)} goes to "
                f"{words.member(taker)}."
            )
            decision = Step("Batch", text)
        carried = words.each(free, [exact[member] for member in free])
        steps = (
            self._evened_counts(partition),
            self._seats_of_each(partition),
            _position(words, self.order, partition),
            Step("Lag so far", f"Those with seats left carry {carried}."),
        )
        return Reasoning(taker, (*steps, decision))

    def _seats_of(self, partition: int) -> LongArray:
        """Return the seats of each subscriber of the partition."""
        audiences = self._group.audiences
        audience = audiences.of_topic[self._group.topic_of_partition[partition]]
        return self._seats[audiences.starts[audience] : audiences.starts[audience + 1]]

    def _with_seats_left(self, owners: Owners, partition: int) -> IntArray:
        """Return the partition's subscribers that may still take one of its audience."""
        group = self._group
        audience_of = group.audiences.of_topic[group.topic_of_partition]
        members = subscribers_of(group, partition)
        taken = held_by_each(owners[audience_of == audience_of[partition]], group.member_count)
        return members[self._seats_of(partition) > taken[members]]

    def _seats_of_each(self, partition: int) -> Step:
        each = self._words.each(subscribers_of(self._group, partition), self._seats_of(partition))
        topics = f"{self._words.topic(partition)}, and topics with the same subscribers"
        return Step("Seats", f"Of {topics}, that makes {each}.")

    def _evened_counts(self, partition: int) -> Step:
        """Say how counts are made even first, where subscriptions differ."""
        members = subscribers_of(self._group, partition)
        fair_counts, even_counts = self._fair_counts[members], self._even_counts[members]
        each = self._words.each(members, fair_counts)
        text = f"Subscriptions differ, so even counts come first. Fair gives {each}"
        if np.array_equal(fair_counts, even_counts):
            text += ": no way along the subscriptions evens that further."
        else:
            repaired = self._words.each(members, even_counts)
            text += f"; handed on from fuller to emptier, they are {repaired}."
        return Step("Even counts", text)


def _span(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _position(words: Words, order: LongArray, partition: int) -> Step:
    text = (
        f"Most lag first, over all topics: with a lag of {words.lag(partition)}, this is the "
        f"{ordinal(position_of(partition, order) + 1)} of {order.size:,}."
    )
    return Step("Position", text)


def _to_least(
    group: Group, words: Words, greedy: Greedy, partition: int, candidates: list[int]
) -> tuple[int, list[Step]]:
    """Give it to the least lag, then the fewest partitions; without lag the other way round.

    Equals go by id.
    """
    before = greedy.before(partition)
    loads = exact_lags(group, greedy.owners, before), "the least lag"
    held = held_by_each(greedy.owners[before], group.member_count).tolist()
    counts = held, "the fewest partitions"
    rule, so_far, keys = "Lag so far", "The candidates carry {}.", (loads, counts)
    if group.counted_lags[partition] <= 0:
        rule, keys = "Held so far", (counts, loads)
        so_far = "Without lag it goes by count first. The candidates hold {}."
    (first, least), (second, then_least) = keys
    standing = sorted(candidates, key=lambda member: (first[member], second[member], member))
    taker = standing[0]
    equal = [member for member in standing if first[member] == first[taker]]
    what = f"{least} so far, {first[taker]:,}"
    if len(equal) > 1:
        equal = [member for member in equal if second[member] == second[taker]]
        what = f"{what}, and of those {then_least}, {second[taker]:,}"
    each = words.each(standing, [first[member] for member in standing])
    return taker, [Step(rule, so_far.format(each)), smallest_id(words, equal, what)]
