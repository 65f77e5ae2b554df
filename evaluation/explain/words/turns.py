"""One partition after another: in turn, or to whoever has the fewest, in words."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from assignors.quotas import held_by_each
from assignors.trace import rules
from assignors.trace.events import Kind
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words.decisions import WordsOf, decision, to_emptiest
from evaluation.wording import ordinal, plural


def _because(rule: rules.Because, at: ReplayMoment, names: Names) -> Iterator[Step]:
    end = {
        Kind.KEPT: " keeps it.",
        Kind.GIVEN_UP: " gives it up.",
        Kind.ASSIGNED: " gets it.",
        Kind.MOVED: " takes it.",
    }
    who = f" {names.member(at.member)}{end[at.event.kind]}" if at.event.kind in end else ""
    yield Step(rule.title, rule.text + who)


def _alone(_: rules.Alone, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = f"{names.member(at.member)} is the only consumer and subscribes to everything."
    yield Step("Decision", text)


def _in_turn(rule: rules.InTurn, at: ReplayMoment, names: Names) -> Iterator[Step]:
    circle, taker = rule.circle.tolist(), names.member(at.member)
    turns = f"All {plural(len(circle), 'consumer')} take turns, {names.order(circle)}"
    yield Step("Order", f"{turns}: {names.members(circle)}.")
    number = f"this is the {ordinal(at.place + 1)} of {at.partitions.size:,}."
    yield Step("Position", f"Partitions are assigned {rule.walk.value}: {number}")
    cursor, first = f"The first turn is {names.member(circle[0])}'s", 0
    if at.place:
        before = int(at.event.members[at.place - 1])
        first = circle.index(before) + 1
        cursor = (
            f"{names.partition(int(at.partitions[at.place - 1]))} went to {names.member(before)}, "
            f"so the next turn is {names.member(circle[first % len(circle)])}'s"
        )
    ahead = circle[first:] + circle[:first]
    skipped, topic = ahead[: ahead.index(at.member)], names.topic(at.partition)
    end = f", which subscribes to {topic} and takes it."
    if skipped:
        do_not, are = ("does not", "is") if len(skipped) == 1 else ("do not", "are")
        end = (
            f"; {names.members(skipped)} {do_not} subscribe to {topic} and {are} skipped: {taker} "
            "takes it."
        )
    yield Step("Turn", cursor + end)


def _fewest_of_all(_: rules.FewestOfAll, at: ReplayMoment, names: Names) -> Iterator[Step]:
    subscribers, topic = names.subscribers(at.partition), names.topic(at.partition)
    size = int(at.group.topic_sizes[at.group.topic_of_partition[at.partition]])
    text = (
        f"Topics with the fewest subscribers come first, then the largest: {topic} has "
        f"{plural(subscribers.size, 'subscriber')} and {plural(size, 'partition')}, so this is the "
        f"{ordinal(at.place + 1)} of {at.partitions.size:,} decisions."
    )
    yield Step("Position", text)
    yield from to_emptiest(at, names, subscribers.tolist(), "Of all topics, the subscribers hold")


def _fewest_of_topic(_: rules.FewestOfTopic, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = (
        f"{names.topic(at.partition)} is assigned alone, most lag first: with a lag of "
        f"{names.lag(at.partition)}, this is the {ordinal(at.place + 1)} of "
        f"{plural(at.partitions.size, 'partition')}."
    )
    yield Step("Position", text)
    so_far = at.group.nobody()
    so_far[at.partitions[: at.place]] = at.event.members[: at.place]
    counts = held_by_each(so_far, at.group.member_count)
    lags = at.sums(so_far, at.group.counted_weights)
    standing = names.subscribers(at.partition).tolist()
    standing.sort(key=lambda member: (counts[member], lags[member]))
    held = f"Of this topic, the subscribers hold {names.each(standing, counts[standing])}."
    yield Step("Held so far", held)
    emptiest = [member for member in standing if counts[member] == counts[standing[0]]]
    if len(emptiest) > 1:
        carried = names.each(emptiest, [lags[member] for member in emptiest])
        text = f"Those with the fewest carry this lag of the topic: {carried}."
        yield Step("Lag so far", text)
    fewest = "the fewest of this topic so far", counts
    yield decision(at, names, standing, fewest, ("of those the least lag", lags))


WORDS: Final[WordsOf] = MappingProxyType(
    {
        rules.Because: _because,
        rules.Alone: _alone,
        rules.InTurn: _in_turn,
        rules.FewestOfAll: _fewest_of_all,
        rules.FewestOfTopic: _fewest_of_topic,
    }
)
