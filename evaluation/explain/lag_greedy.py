"""Why the greedy start of the lag strategies places each partition where it does."""

import numpy as np

from assignors import ragged
from assignors.fair import fair
from assignors.lag.greedy import Window, lag_of_each
from assignors.lag.semi_matching import even_seats
from assignors.model import Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each
from evaluation.explain.reasoning import (
    Derivation,
    Pass,
    Step,
    Words,
    exact_lags,
    in_passes,
)
from evaluation.wording import ordinal, plural


def derive_by_window(
    group: Group, owners: Owners, order: LongArray, members: IntArray, window: Window
) -> Derivation:
    """Give to the least lag among those below a cap, if all subscribe alike."""
    words = Words(group)
    least, rest = divmod(order.size, members.size)
    even, allowed = _span(least, least + (rest > 0)), _span(*window)
    division = f"{plural(order.size, 'partition')} ÷ {plural(members.size, 'consumer')}"
    stretched = "" if allowed == even else f"; the skew allows {allowed}"
    quota = Step("Quota", f"All subscribe alike: {division} = {even} each{stretched}.")

    def assign(place: int) -> tuple[int, list[Step]]:
        before = order[:place]
        counts = held_by_each(owners[before], group.member_count)[members]
        over = np.maximum(counts - window.fewest, 0).sum()
        cap, why = window.most, "the maximum per consumer"
        if order.size - members.size * window.fewest == over and window.fewest < cap:
            cap, why = window.fewest, "because the rest must bring all of them up to that"
        candidates = members[counts < cap].tolist()
        taker, decision = _to_least(words, owners, before, int(order[place]), candidates)
        text = f"Those with fewer than {cap:,} may take it, {why}."
        return taker, [quota, _position(words, order, place), Step("Cap", text), *decision]

    return in_passes(Pass(order, assign))


def derive_by_seats(group: Group, owners: Owners, batches: list[LongArray]) -> Derivation:
    """Give to the least lag among members with seats left, if subscriptions differ.

    Seats are how many partitions each member of an audience takes, so that counts come out even;
    a batch has at most one partition for each member.
    """
    words, order, seats = Words(group), np.concatenate(batches), even_seats(group)
    starts = ragged.starts_of(np.array([each.size for each in batches], np.int64))
    audience_of, fair_counts = group.audiences.of_topic[group.topic_of_partition], fair(group)
    counts = [held_by_each(each, group.member_count) for each in (fair_counts, owners)]

    def assign(place: int) -> tuple[int, list[Step]]:
        partition = int(order[place])
        members = words.subscribers(partition)
        batch = int(np.searchsorted(starts, place, side="right")) - 1
        first, end = starts[batch : batch + 2].tolist()
        before = group.nobody()
        before[order[:first]] = owners[order[:first]]
        audience = audience_of[partition]
        own_seats = seats[slice(*group.audiences.starts[audience : audience + 2].tolist())]
        taken = held_by_each(before[audience_of == audience], group.member_count)[members]
        loads, free = lag_of_each(group, before), members[own_seats > taken]
        free = free[np.argsort(loads[free], kind="stable")]
        exact = exact_lags(group, owners, order[:first])
        taker = int(free[place - first])
        text = (
            f"{end - first:,} partitions are assigned at once, one each to those with the least "
            f"lag, ties by id: the {ordinal(place - first + 1)} goes to {words.member(taker)}."
        )
        decision = Step("Batch", text)
        if end - first == 1:
            equal = free[loads[free] == loads[taker]].tolist()
            decision = words.smallest_id(equal, f"the least lag so far, {exact[taker]:,}")
        carried = words.each(free, [exact[member] for member in free])
        topics = f"{words.topic(partition)}, and of topics with the same subscribers"
        steps = (
            _evened_counts(words, members, counts),
            Step("Seats", f"Of {topics}, each takes: {words.each(members, own_seats)}."),
            _position(words, order, place),
            Step("Lag so far", f"Those with seats left carry {carried}."),
        )
        return taker, [*steps, decision]

    return in_passes(Pass(order, assign))


def _evened_counts(words: Words, members: IntArray, counts: list[LongArray]) -> Step:
    """Say how counts are evened out first if subscriptions differ; ``counts`` before and after."""
    fair_counts, even_counts = (each[members] for each in counts)
    text = "Subscriptions differ, so counts come first. Fair gives "
    text += words.each(members, fair_counts)
    if np.array_equal(fair_counts, even_counts):
        return Step("Even counts", f"{text}, which no moves can even out further.")
    evened = words.each(members, even_counts)
    return Step("Even counts", f"{text}; moves from fuller to emptier members give {evened}.")


def _span(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _position(words: Words, order: LongArray, place: int) -> Step:
    text = (
        f"Most lag first, over all topics: with a lag of {words.lag(int(order[place]))}, this is "
        f"the {ordinal(place + 1)} of {order.size:,}."
    )
    return Step("Position", text)


def _to_least(
    words: Words, owners: Owners, before: LongArray, partition: int, candidates: list[int]
) -> tuple[int, list[Step]]:
    """Give it to the least lag, then the fewest partitions; without lag vice versa; ties by id."""
    group = words.group
    loads = exact_lags(group, owners, before), "the least lag"
    held = held_by_each(owners[before], group.member_count).tolist()
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
    return taker, [Step(rule, so_far.format(each)), words.smallest_id(equal, what)]
