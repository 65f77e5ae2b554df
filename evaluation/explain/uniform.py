"""Why the broker's uniform keeps, assigns or moves a partition."""

from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, held_by_each
from assignors.sticky.moves import Move
from assignors.uniform.general import fullest_first, give_what_is_free, uniform_general
from assignors.uniform.kafka_18688 import as_heard, as_iterated, stable_quotas
from assignors.uniform.uniform import filled, first_quotas, has_quotas, still_held
from evaluation.explain.claims import even_quota
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    assigned,
    place_of,
    subscribers_of,
    to_emptiest,
)
from evaluation.wording import ordinal


class _Rule(NamedTuple):
    """How a release hands out what does not divide evenly, and what a member keeps."""

    extras: str
    """The members that hold one more, as a sentence with room for their names."""
    keeps: str
    """The own partitions that a member keeps."""


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
    """Return why uniform, up to Kafka 4.0.0, decides as it does."""
    held = still_held(group)
    if not has_quotas(group):
        return UniformUnequal(group, held)
    _, listed = ragged.rows_by_key(held, group.member_count)
    return UniformEqual(group, first_quotas(group), listed, _Rule(_FIRST, _BY_NUMBER))


def derive_uniform_kafka_18688(group: Group) -> Derivation:
    """Return the same since KAFKA-18688, which numbers members in the broker's own order."""
    heard = as_heard(group)
    held = still_held(heard)
    if not has_quotas(heard):
        return _Renumbered(UniformUnequal(heard, held), group.hash_map_order)
    quotas = stable_quotas(heard, held)
    listed = as_iterated(heard, held, quotas)
    is_by_number = np.array_equal(listed, ragged.rows_by_key(held, heard.member_count)[1])
    rule = _Rule(_STABLE, _BY_NUMBER if is_by_number else _BY_BUCKET)
    return _Renumbered(UniformEqual(heard, quotas, listed, rule), group.hash_map_order)


class _Renumbered:
    """A derivation about members in another order, with owners by their usual numbers."""

    def __init__(self, derivation: Derivation, members: IntArray) -> None:
        self._derivation, self._members = derivation, members
        self.order = derivation.order

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        reasoning = self._derivation.reason(partition)
        return reasoning._replace(owner=int(self._members[reasoning.owner]))


class UniformEqual:
    """Subscriptions are equal: members keep up to their quota, and are filled up to it."""

    def __init__(self, group: Group, quotas: LongArray, listed: IntArray, rule: _Rule) -> None:
        self._group, self._words = group, Words(group)
        self._quotas, self._listed, self._rule = quotas, listed, rule
        self._held = still_held(group)
        self._filling = filled(group, self._held, quotas, listed)
        kept = np.flatnonzero(self._filling.kept != UNOWNED)
        self.order = np.concatenate([kept, self._filling.dealt])

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        words, filling, quota = self._words, self._filling, Quota.of(self._group)
        steps = [even_quota(self._group, words, quota)]
        if quota.extras:
            more = words.members(np.flatnonzero(self._quotas > quota.least))
            steps.append(Step("Extras", self._rule.extras.format(more)))
        steps.append(_present_owner(self._group, words, self._held, partition))
        owner = int(self._held[partition])
        if owner != UNOWNED:
            steps.append(self._kept_or_given_up(owner, partition))
        if filling.kept[partition] == UNOWNED:
            place = place_of(partition, filling.dealt)
            owner = int(filling.takers[place])
            members, lacks = np.unique(filling.takers, return_counts=True)
            text = (
                f"{assigned(filling.dealt.size)}, first what nobody held; consumers are filled one "
                f"after the other, {words.each(members, lacks)}: the {ordinal(place + 1)} goes to "
                f"{words.member(owner)}."
            )
            steps.append(Step("Assigned", text))
        return Reasoning(owner, tuple(steps))

    def _kept_or_given_up(self, holder: int, partition: int) -> Step:
        own = self._listed[self._held[self._listed] == holder]
        allowed, place = self._quotas[holder], place_of(partition, own)
        text = f"{self._words.member(holder)} holds {own.size:,} and may keep {allowed:,}"
        if own.size > allowed:
            text += f", {self._rule.keeps}; this is the {ordinal(place + 1)}"
        if place < allowed:
            return Step("Kept", f"{text}: it keeps it.")
        return Step("Given up", f"{text}: it gives it up.")


class UniformUnequal:
    """Subscriptions differ: what is free goes to the emptiest, then rounds even it out."""

    def __init__(self, group: Group, held: Owners) -> None:
        self._group, self._words, self._held = group, Words(group), held
        topics = fullest_first(group)
        self._assigned = held.copy()
        counts = held_by_each(held, group.member_count)
        for topic in topics:
            give_what_is_free(group, self._assigned, counts, topic)
        self._moves: list[Move] = []
        uniform_general(group, held, self._moves)
        wanted = ragged.spans(*(group.topic_starts[np.array(topics) + end] for end in (0, 1)))
        is_kept = held[wanted] != UNOWNED
        self._free = wanted[~is_kept]
        self.order = np.concatenate([wanted[is_kept], self._free])

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        words = self._words
        steps = [
            Step("Path", "The broker takes the subscriptions for unequal: it evens out in rounds."),
            _present_owner(self._group, words, self._held, partition),
        ]
        owner = int(self._held[partition])
        if owner == UNOWNED:
            owner, more = self._given(partition)
            steps += more
        else:
            steps.append(Step("Kept", f"{words.member(owner)} subscribes to it and keeps it."))
        for move in self._moves:
            if move.partition == partition:
                owner = move.taker
                steps.append(self._moved(move))
        return Reasoning(owner, tuple(steps))

    def _given(self, partition: int) -> tuple[int, list[Step]]:
        """Give it to the emptiest subscriber; equals stand as when the topic's turn came."""
        group, words, free = self._group, self._words, self._free
        place = place_of(partition, free)
        is_same_topic = group.topic_of_partition[free] == group.topic_of_partition[partition]
        first = place_of(1, is_same_topic.astype(np.int64))
        counts = held_by_each(self._held, group.member_count)
        counts += held_by_each(self._assigned[free[:first]], group.member_count)
        subscribers = subscribers_of(group, partition)
        subscribers = subscribers[np.argsort(counts[subscribers], kind="stable")]
        counts += held_by_each(self._assigned[free[first:place]], group.member_count)
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
