"""Assignments and moves where subscriptions differ, in words."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

import numpy as np

from assignors.quotas import held_by_each
from assignors.trace import rules
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words.decisions import RACKS, WordsOf, decision, to_emptiest
from evaluation.wording import ordinal


def _unequal(rule: rules.Unequal, _: ReplayMoment, __: Names) -> Iterator[Step]:
    text = "The subscriptions differ, so sticky takes its general path."
    if rule.is_broker:
        text = "The broker considers the subscriptions unequal: it evens out in passes."
    yield Step("Path", text)


def _emptiest(rule: rules.Emptiest, at: ReplayMoment, names: Names) -> Iterator[Step]:
    matching = " whose rack matches" if rule.is_near else ""
    text = (
        f"Unowned partitions go to the emptiest subscriber{matching}, topics with the fewest "
        f"subscribers first: this is the {ordinal(at.place + 1)} of {at.partitions.size:,}."
    )
    yield Step(RACKS if rule.is_near else "Assigned", text)
    candidates = names.subscribers(at.partition)
    if rule.is_near:
        near = np.append(at.group.layout.replica_racks[at.partition], True)  # NO_RACK matches any
        candidates = candidates[near[at.group.layout.member_racks[candidates]]]
    held = f"Subscribers{matching}, by what they hold:"
    yield from to_emptiest(at, names, candidates.tolist(), held)


def _emptiest_of_topic(
    rule: rules.EmptiestOfTopic, at: ReplayMoment, names: Names
) -> Iterator[Step]:
    topics = at.group.topic_of_partition[at.partitions]
    text = (
        f"Free partitions go to the emptiest subscriber, topics with the most partitions per "
        f"subscriber first: this is the {ordinal(at.place + 1)} of {at.partitions.size:,}."
    )
    yield Step("Assigned", text)
    at_start = at.replay.owners_before(at.index, int(np.argmax(topics == topics[at.place])))
    then = held_by_each(at_start, at.group.member_count).tolist()
    order = (
        at.group.layout.hash_map_order.tolist() if rule.is_hashed else range(at.group.member_count)
    )
    subscribers = set(names.subscribers(at.partition).tolist())
    standing = sorted((m for m in order if m in subscribers), key=then.__getitem__)
    standing.sort(key=lambda member: int(at.counts[member]))
    held = f"The subscribers hold {names.each(standing, at.counts[standing])}."
    yield Step("Held so far", held)
    equal = [member for member in standing if at.counts[member] == at.counts[at.member]]
    if len(equal) == 1:
        yield decision(at, names, standing, ("the fewest so far", at.counts))
        return
    last = "as the broker's hash map has them" if rule.is_hashed else "of id"
    text = (
        f"{names.member(at.member)} takes it, the first of {names.members(equal)}, all with the "
        f"fewest so far, {at.counts[at.member]:,}: in order of what they held at the start of "
        f"{names.topic(at.partition)}, then {last}."
    )
    yield Step("Tie-break", text)


def _improved(rule: rules.Improved, at: ReplayMoment, names: Names) -> Iterator[Step]:
    giver, taker = names.member(int(at.owners[at.partition])), names.member(at.member)
    why = "its owner of an older generation" if rule.is_return else "the emptiest subscriber"
    text = f"{_hold(at, names)}, so it moves to {taker}, {why}."
    if rule.instead_of != at.partition:
        text = (
            f"{names.partition(rule.instead_of)} was to move to {taker}; this one, which had moved "
            f"from {taker} to {giver}, goes back instead."
        )
    yield Step("Improvement", f"Pass {rule.number:,}: {text}")


def _reverted(_: rules.Reverted, __: ReplayMoment, ___: Names) -> Iterator[Step]:
    text = "Moves were tried, but all are undone: they did not make the counts more even."
    yield Step("Improvement", text)


def _evened_out(rule: rules.EvenedOut, at: ReplayMoment, names: Names) -> Iterator[Step]:
    giver, taker = names.member(int(at.owners[at.partition])), names.member(at.member)
    text = (
        f"Pass {rule.number:,}: of {names.topic(at.partition)}'s subscribers, "
        f"{_hold(at, names, ' and')}, so {giver} gives its last partition of the topic to {taker}."
    )
    yield Step("Evened out", text)


def _hold(at: ReplayMoment, names: Names, joined: str = ",") -> str:
    giver = int(at.owners[at.partition])
    had = f"{names.member(giver)} holds {at.counts[giver]:,}"
    return f"{had}{joined} {names.member(at.member)} {at.counts[at.member]:,}"


WORDS: Final[WordsOf] = MappingProxyType(
    {
        rules.Unequal: _unequal,
        rules.Emptiest: _emptiest,
        rules.EmptiestOfTopic: _emptiest_of_topic,
        rules.Improved: _improved,
        rules.Reverted: _reverted,
        rules.EvenedOut: _evened_out,
    }
)
