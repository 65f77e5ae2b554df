"""Total lag over all topics, and the search that evens it out, in words."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

import numpy as np

from assignors.trace import rules
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words.decisions import WordsOf, decision, goes_to, loads_of_step
from evaluation.wording import ordinal, plural


def _counts(rule: rules.Counts, at: ReplayMoment, _: Names) -> Iterator[Step]:
    size, members = at.group.wanted.size, at.event.members.size
    least, rest = divmod(size, members)
    even, allowed = _span(least, least + (rest > 0)), _span(rule.fewest, rule.most)
    division = f"{plural(size, 'partition')} ÷ {plural(members, 'consumer')}"
    stretched = "" if allowed == even else f"; the skew allows {allowed}"
    yield Step("Quota", f"All subscribe alike: {division} = {even} each{stretched}.")


def _least_lag(rule: rules.LeastLag, at: ReplayMoment, names: Names) -> Iterator[Step]:
    yield _most_lag_first(at, names)
    members, cap = names.subscribers(at.partition), rule.most
    counts, why = at.counts[members], "the maximum per consumer"
    left = at.partitions.size - at.place
    if np.maximum(rule.fewest - counts, 0).sum() == left and rule.fewest < cap:
        cap, why = rule.fewest, "because the rest must bring all of them up to that"
    yield Step("Cap", f"Those with fewer than {cap:,} may take it, {why}.")
    by_lag = "Lag so far", "The candidates carry", ("the least lag", at.lags)
    by_count = (
        "Held so far",
        "Without lag it goes by count first. The candidates hold",
        ("the fewest partitions", at.counts.tolist()),
    )
    has_lag = bool(at.group.counted_weights[at.partition] > 0)
    (title, so_far, first), (*_, second) = (by_lag, by_count) if has_lag else (by_count, by_lag)
    standing = members[counts < cap].tolist()
    standing.sort(key=lambda member: (first[1][member], second[1][member]))
    carried = names.each(standing, [first[1][member] for member in standing])
    yield Step(title, f"{so_far} {carried}.")
    criteria = (f"{first[0]} so far", first[1]), (f"of those {second[0]}", second[1])
    yield decision(at, names, standing, *criteria)


def _even_counts(rule: rules.EvenCounts, at: ReplayMoment, names: Names) -> Iterator[Step]:
    members = names.subscribers(at.partition)
    fair, even = (names.each(members, counts[members]) for counts in (rule.fair, rule.even))
    text = f"Subscriptions differ, so counts come first. Fair gives {fair}"
    if np.array_equal(rule.fair[members], rule.even[members]):
        yield Step("Even counts", f"{text}, which no moves can even out further.")
    else:
        yield Step("Even counts", f"{text}; moves from fuller to emptier members give {even}.")


def _seats(rule: rules.Seats, at: ReplayMoment, names: Names) -> Iterator[Step]:
    topics = f"{names.topic(at.partition)}, and of topics with the same subscribers"
    taken = names.each(at.event.members, rule.taken)
    yield Step("Seats", f"Of {topics}, each takes: {taken}.")


def _batches(rule: rules.Batches, at: ReplayMoment, names: Names) -> Iterator[Step]:
    yield _most_lag_first(at, names)
    batch = int(rule.starts.searchsorted(at.place, side="right")) - 1
    first, end = rule.starts[batch : batch + 2].tolist()
    free = rule.free[batch].tolist()
    lags = at.sums(at.replay.owners_before(at.index, first), at.group.counted_weights)
    carried = names.each(free, [lags[member] for member in free])
    yield Step("Lag so far", f"Those with seats left carry {carried}.")
    if end - first == 1:
        yield decision(at, names, free, ("the least lag so far", lags))
        return
    text = (
        f"{end - first:,} partitions are assigned at once, one each to those with the least lag, "
        f"ties by id: the {ordinal(at.place - first + 1)} goes to {names.member(at.member)}."
    )
    yield Step("Batch", text)


def _most_lag_first(at: ReplayMoment, names: Names) -> Step:
    text = (
        f"Most lag first, over all topics: with a lag of {names.lag(at.partition)}, this is the "
        f"{ordinal(at.place + 1)} of {at.partitions.size:,}."
    )
    return Step("Position", text)


def _span(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _turns_instead(_: rules.TurnsInstead, at: ReplayMoment, names: Names) -> Iterator[Step]:
    largest = max(at.sums(at.replay.owners_before(at.index + 1), at.group.counted_weights))
    text = (
        "Starting by lag, the search ends with a higher largest lag than assigning all in turn, "
        f"topic by topic, which gives {largest:,}: so it starts from there."
    )
    yield Step("In turn", text)
    circle = names.members(names.subscribers(at.partition))
    text = (
        f"This is the {ordinal(at.place + 1)} of {plural(at.partitions.size, 'partition')} "
        f"assigned in turn to {circle}: it goes to {names.member(at.member)}."
    )
    yield Step("Turn", text)


def _search(rule: rules.Search, at: ReplayMoment, _: Names) -> Iterator[Step]:
    steps = [n for n, event in enumerate(at.replay.events) if type(event.rule) is rules.Exchange]
    lags = at.group.counted_weights
    first, last = (
        max(at.sums(at.replay.owners_before(n), lags)) for n in (steps[0], steps[-1] + 1)
    )
    takes = "step takes" if rule.steps == 1 else "steps take"
    text = (
        f"Once all have an owner, {rule.steps:,} {takes} lag off the busiest consumer, by a move "
        f"or a swap: the largest lag goes from {first:,} to {last:,}."
    )
    is_moved = any(moment.index in steps for moment in at.replay.of(at.partition))
    yield Step("Search", text if is_moved else f"{text} This partition does not move.")


def _exchange(rule: rules.Exchange, at: ReplayMoment, names: Names) -> Iterator[Step]:
    busiest, other, before, after = loads_of_step(at, at.group.counted_weights)
    was, now = max(before), max(after)
    largest = f"falls from {was:,} to {now:,}" if now < was else f"stays at {was:,} elsewhere"
    text = (
        f"Step {rule.number:,}: {names.member(busiest)} carries {before[busiest]:,}, the most, and "
        f"{names.member(other)} {before[other]:,}. It goes to {goes_to(at, names)}, which leaves "
        f"{names.member(busiest)} with {after[busiest]:,} and {names.member(other)} with "
        f"{after[other]:,}; the largest lag {largest}."
    )
    yield Step("Swapped" if at.partitions.size > 1 else "Moved", text)


WORDS: Final[WordsOf] = MappingProxyType(
    {
        rules.Counts: _counts,
        rules.LeastLag: _least_lag,
        rules.EvenCounts: _even_counts,
        rules.Seats: _seats,
        rules.Batches: _batches,
        rules.TurnsInstead: _turns_instead,
        rules.Search: _search,
        rules.Exchange: _exchange,
    }
)
