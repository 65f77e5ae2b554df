"""Why the broker's uniform keeps, assigns or moves a partition."""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, Owners
from assignors.quotas import Quota, held_by_each
from assignors.sticky.moves import Move
from assignors.uniform import kafka_18688, uniform
from assignors.uniform.general import ByRounds
from assignors.uniform.kafka_18688 import in_hash_map_order
from assignors.uniform.uniform import ByQuota
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    assigned,
    even_quota,
    kept_or_given_up,
    position_of,
    subscribers_of,
    to_emptiest,
)
from evaluation.wording import ordinal

_FIRST: Final = (
    "One more goes to the first by id, whatever they hold now: {}. A real broker may choose "
    "others: it iterates a hash map."
)
_STABLE: Final = (
    "One more goes to {}: a broker visits consumers in the order of its hash map, and one that "
    "does not own so many passes it on while enough come after."
)
_BY_NUMBER: Final = "the first ones"
_BY_BUCKET: Final = "the first ones as the broker's hash set of their numbers goes"


def derive_uniform(group: Group) -> Derivation:
    """Return why uniform, in Kafka 4.0.0, decides as it does."""
    return _derivation(group, uniform.uniform_stages(group), _FIRST)


def derive_uniform_kafka_18688(group: Group) -> Derivation:
    """Return the same since KAFKA-18688, which numbers members in the broker's own order."""
    stages, members = kafka_18688.uniform_kafka_18688_stages(group), group.hash_map_order
    derivation = _derivation(in_hash_map_order(group), stages, _STABLE)

    def reason(partition: int) -> Reasoning:
        reasoning = derivation.reason(partition)
        return reasoning._replace(owner=int(members[reasoning.owner]))

    return Derivation(derivation.order, reason)


def _derivation(group: Group, stages: ByQuota | ByRounds, extras: str) -> Derivation:
    if isinstance(stages, ByQuota):
        equal = _Equal(group, stages, extras)
        return Derivation(equal.order, equal.reason)
    unequal = _Unequal(group, stages)
    return Derivation(unequal.order, unequal.reason)


class _Equal:
    """Subscriptions are equal: members keep up to their quota, and are filled up to it.

    ``extras`` names the members that hold one more, in a sentence with room for them.
    """

    def __init__(self, group: Group, stages: ByQuota, extras: str) -> None:
        self._group, self._words = group, Words(group)
        self._stages, self._extras = stages, extras
        _, by_number = ragged.rows_by_key(stages.held, group.member_count)
        is_by_number = np.array_equal(stages.listed, by_number)
        self._keeps = _BY_NUMBER if is_by_number else _BY_BUCKET
        kept = np.flatnonzero(stages.kept != UNOWNED)
        self.order = np.concatenate([kept, stages.unassigned])

    def reason(self, partition: int) -> Reasoning:
        words, stages, quota = self._words, self._stages, Quota.of(self._group)
        steps = [even_quota(self._group, words, quota)]
        if quota.extras:
            more = words.members(np.flatnonzero(self._stages.quotas > quota.least))
            steps.append(Step("Extras", self._extras.format(more)))
        steps.append(_present_owner(self._group, words, self._stages.held, partition))
        owner = int(self._stages.held[partition])
        if owner != UNOWNED:
            steps.append(self._kept_or_given_up(owner, partition))
        if stages.kept[partition] == UNOWNED:
            place = position_of(partition, stages.unassigned)
            owner = int(stages.takers[place])
            members, lacks = np.unique(stages.takers, return_counts=True)
            text = (
                f"{assigned(stages.unassigned.size)}, first what nobody held; consumers are "
                f"filled one after the other, {words.each(members, lacks)}: the "
                f"{ordinal(place + 1)} goes to {words.member(owner)}."
            )
            steps.append(Step("Assigned", text))
        return Reasoning(owner, tuple(steps))

    def _kept_or_given_up(self, holder: int, partition: int) -> Step:
        listed = self._stages.listed
        own = listed[self._stages.held[listed] == holder]
        allowed, place = self._stages.quotas[holder], position_of(partition, own)
        text = f"{self._words.member(holder)} holds {own.size:,} and may keep {allowed:,}"
        if own.size > allowed:
            text += f", {self._keeps}; this is the {ordinal(place + 1)}"
        return kept_or_given_up(text, place, allowed)


class _Unequal:
    """Subscriptions differ: what is free goes to the emptiest, then rounds even it out."""

    def __init__(self, group: Group, stages: ByRounds) -> None:
        self._group, self._words, self._stages = group, Words(group), stages
        wanted = group.partitions_of(np.array(stages.topics))
        is_kept = stages.held[wanted] != UNOWNED
        self._free = wanted[~is_kept]
        self.order = np.concatenate([wanted[is_kept], self._free])

    def reason(self, partition: int) -> Reasoning:
        words = self._words
        steps = [
            Step("Path", "The broker takes the subscriptions for unequal: it evens out in rounds."),
            _present_owner(self._group, words, self._stages.held, partition),
        ]
        owner = int(self._stages.held[partition])
        if owner == UNOWNED:
            owner, more = self._given(partition)
            steps += more
        else:
            steps.append(Step("Kept", f"{words.member(owner)} subscribes to it and keeps it."))
        for move in self._stages.moves:
            if move.partition == partition:
                owner = move.taker
                steps.append(self._moved(move))
        return Reasoning(owner, tuple(steps))

    def _given(self, partition: int) -> tuple[int, list[Step]]:
        """Give it to the emptiest subscriber; equals stand as when the topic's turn came."""
        group, words, free = self._group, self._words, self._free
        place = position_of(partition, free)
        is_same_topic = group.topic_of_partition[free] == group.topic_of_partition[partition]
        first = position_of(1, is_same_topic.astype(np.int64))
        counts = held_by_each(self._stages.held, group.member_count)
        counts += held_by_each(self._stages.assigned[free[:first]], group.member_count)
        subscribers = subscribers_of(group, partition)
        subscribers = subscribers[np.argsort(counts[subscribers], kind="stable")]
        counts += held_by_each(self._stages.assigned[free[first:place]], group.member_count)
        position = (
            f"What is free goes to the emptiest subscriber, topics with the most partitions a "
            f"subscriber first: this is the {ordinal(place + 1)} of {free.size:,}."
        )
        taker, (held, decision) = to_emptiest(
            words, subscribers, counts, "The subscribers hold {}."
        )
        equal = subscribers[counts[subscribers] == counts[taker]]
        if equal.size > 1:
            text = (
                f"{words.member(taker)} takes it, the first of {words.members(equal)}, all with "
                f"the fewest so far, {counts[taker]:,}: in order of what they held when "
                f"{words.topic(partition)} was begun, then of id."
            )
            decision = Step("Tie-break", text)
        return taker, [Step("Assigned", position), held, decision]

    def _moved(self, move: Move) -> Step:
        words = self._words
        giver, taker = words.member(move.giver), words.member(move.taker)
        text = (
            f"Round {move.walk:,}: of {words.topic(move.partition)}'s subscribers, {giver} holds "
            f"{move.had[0]:,} and {taker} {move.had[1]:,}, so {giver} gives its last partition of "
            f"the topic to {taker}."
        )
        return Step("Evened out", text)


def _present_owner(group: Group, words: Words, held: Owners, partition: int) -> Step:
    present, holder = group.present_owners[partition], held[partition]
    if holder != UNOWNED:
        return Step("Present owner", f"{words.member(holder)} owns it now.")
    if present == UNOWNED:
        return Step("Present owner", "Nobody owns it now.")
    topic = words.topic(partition)
    return Step("Present owner", f"{words.member(present)} no longer subscribes to {topic}.")
