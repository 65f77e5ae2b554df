"""Range, and whatever else divides topic by topic, in words."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

import numpy as np

from assignors.model import LongArray
from assignors.trace import rules
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words.decisions import RACKS, WordsOf
from evaluation.wording import listed, ordinal, plural


def _division(rule: rules.Division, at: ReplayMoment, names: Names) -> Iterator[Step]:
    members, topic = at.event.members, int(at.group.topic_of_partition[at.partition])
    in_order = f"In order they are {names.members(members)} ({names.order(members)})."
    yield Step("Order", in_order)
    size = int(at.group.topic_sizes[topic])
    least, extras = divmod(size, members.size)
    subscribers = plural(members.size, "subscriber")
    division = f"{plural(size, 'partition')} ÷ {subscribers} = {least:,} each"
    extra = {0: "with none left over", 1: f"one more for {names.member(members[0])}"}.get(
        extras, f"one more for the first {extras:,}"
    )
    if rule.is_rounded_down:
        extra = f"one more for {extras:,}" if extras else "with none left over"
        extra += ", as the cuts are at the even shares rounded down"
    if rule.is_cut:
        yield Step("Quota", f"{at.group.topics[topic]} is cut on its own: {division}, {extra}.")


def _block(rule: rules.Block, at: ReplayMoment, names: Names) -> Iterator[Step]:
    topics, number = at.group.topic_of_partition[at.partitions], at.group.number_in_topic
    is_same = (topics == topics[at.place]) & (rule.places == rule.places[at.place])
    block = number[at.partitions[is_same]]
    first, last, nth = int(block.min()), int(block.max()), ordinal(int(rule.places[at.place]) + 1)
    span = f"{first:,} alone" if first == last else f"{first:,} to {last:,}"
    text = (
        f"Partition {number[at.partition]:,} is in the {nth} block, {span}, which goes to "
        f"{names.member(at.member)}, {nth} in order."
    )
    yield Step("Block", text)


def _turn_in_topic(rule: rules.TurnInTopic, at: ReplayMoment, names: Names) -> Iterator[Step]:
    number = int(at.group.number_in_topic[at.partition])
    text = (
        f"Every topic starts with the first subscriber again: number {number:,} of "
        f"{names.topic(at.partition)} goes to {names.member(at.member)}, "
        f"{ordinal(number % rule.subscribers + 1)} of {rule.subscribers:,} in order."
    )
    yield Step("Turn", text)


def _co_partitioned(rule: rules.CoPartitioned, _: ReplayMoment, __: Names) -> Iterator[Step]:
    text = (
        f"{plural(rule.topics.size, 'topic')} with the same subscribers and as many partitions get "
        "the same cut, and a rack counts only if it matches in all of them."
    )
    yield Step("Co-partitioned", text)


def _matched_in_order(rule: rules.MatchedInOrder, at: ReplayMoment, names: Names) -> Iterator[Step]:
    taker = names.member(at.member)
    common = _in_all_of(rule.topics, at)
    owner = f"{taker}, in {names.rack(at.member)}, where a replica is{common},"
    if at.group.layout.member_racks[at.member] < 0:
        owner = f"{taker}, which has no rack and so matches any,"
    before = int(np.count_nonzero(at.event.members[: at.place] == at.member))
    text = (
        "Number by number, the first consumer in order that matches and has room takes it: "
        f"{owner} has {before:,} so far."
    )
    if not common:
        text = (
            f"Its replicas are in {names.replica_racks(at.partition)}. In order, each consumer "
            f"takes the free partitions that match its rack, up to its quota; {owner} takes "
            f"{np.count_nonzero(at.event.members == at.member):,}, this one as its "
            f"{ordinal(before + 1)}."
        )
    yield Step(RACKS, text)


def _unmatched(rule: rules.Unmatched, at: ReplayMoment, names: Names) -> Iterator[Step]:
    where = names.replica_racks(at.partition)
    common = "" if rule.topics is None else _in_all_of(rule.topics, at)
    yield Step(RACKS, f"Nobody with room matched it: its replicas are in {where}{common}.")


def _left_by_racks(_: rules.LeftByRacks, at: ReplayMoment, names: Names) -> Iterator[Step]:
    members = list(dict.fromkeys(at.event.members.tolist()))
    room = [at.event.members.tolist().count(member) for member in members]
    text = (
        f"The rack pass left {plural(at.partitions.size, 'partition')}, cut in blocks for those "
        f"with room, {names.each(members, room)}: this is the {ordinal(at.place + 1)}, so "
        f"{names.member(at.member)} takes it."
    )
    yield Step("Second pass", text)


def _in_all_of(topics: LongArray, at: ReplayMoment) -> str:
    if topics.size == 1:
        return ""
    return f" in all of {listed([at.group.topics[topic] for topic in topics.tolist()])}"


WORDS: Final[WordsOf] = MappingProxyType(
    {
        rules.Division: _division,
        rules.Block: _block,
        rules.TurnInTopic: _turn_in_topic,
        rules.CoPartitioned: _co_partitioned,
        rules.MatchedInOrder: _matched_in_order,
        rules.Unmatched: _unmatched,
        rules.LeftByRacks: _left_by_racks,
    }
)
