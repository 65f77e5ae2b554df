"""Why the broker's uniform keeps, deals or moves a partition."""

from functools import partial
from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, held_by_each
from assignors.sticky.moves import Move
from assignors.uniform.general import fullest_first, give_what_is_free, uniform_general
from assignors.uniform.kafka_18688 import as_heard, as_iterated, stable_quotas
from assignors.uniform.uniform import Filling, filled, first_quotas, has_quotas, still_held
from evaluation.explain.claims import spread
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, dealt, smallest_id
from evaluation.wording import ordinal


class _Stages(NamedTuple):
    """Where subscriptions differ: what stands after each stage."""

    held: Owners
    dealt: Owners
    """After all that was free is given out."""
    order: LongArray
    """The wanted partitions in the order of the algorithm's topics."""
    moves: dict[int, list[Move]]


class _ByQuota(NamedTuple):
    """Where subscriptions are equal: what each may hold, and how that is filled."""

    quotas: LongArray
    extras: str
    """Who holds one more, as a sentence with room for their names."""
    keeps: str
    """Which of its own a member keeps, in words."""
    held: Owners
    listed: IntArray
    """What each member holds in a row, what it keeps first in front."""
    filling: Filling


_FIRST: Final = (
    "One more goes to the first by id, whatever they hold now: {}. A real broker may choose "
    "others: it iterates a hash map."
)
_STABLE: Final = (
    "One more goes to {}: a broker hears consumers in the order of its hash map, and who does "
    "not own so many passes it on while enough come after."
)
_BY_NUMBER: Final = "the first ones"
_BY_BUCKET: Final = "the first ones as the broker's hash set of their numbers goes"


def uniform_account(group: Group) -> Account:
    """Explain uniform, by the way its subscriptions allow."""
    _, listed = ragged.rows_by_key(still_held(group), group.member_count)
    return _account(group, first_quotas(group), listed, _FIRST, _BY_NUMBER)


def uniform_kafka_18688_account(group: Group) -> Account:
    """Explain uniform as of KAFKA-18688, whose members are numbered as the broker hears them."""
    heard, order = as_heard(group), group.hash_map_order
    held = still_held(heard)
    quotas = stable_quotas(heard, held)
    listed = as_iterated(heard, held, quotas)
    is_by_number = np.array_equal(listed, ragged.rows_by_key(held, heard.member_count)[1])
    keeps = _BY_NUMBER if is_by_number else _BY_BUCKET
    account = _account(heard, quotas, listed, _STABLE, keeps)

    def reason(partition: int) -> Reasoning:
        found = account.reason(partition)
        return found._replace(owner=int(order[found.owner]))

    return Account(account.order, reason)


def _account(group: Group, quotas: LongArray, listed: IntArray, extras: str, keeps: str) -> Account:
    held = still_held(group)
    if has_quotas(group):
        filling = filled(group, held, quotas, listed)
        order = np.concatenate([np.flatnonzero(filling.kept != UNOWNED), filling.dealt])
        by_quota = _ByQuota(quotas, extras, keeps, held, listed, filling)
        return Account(order, partial(_by_quota, group, Words(group), by_quota))
    stages = _stages_of(group, held)
    is_kept = held[stages.order] != UNOWNED
    order = np.concatenate([stages.order[is_kept], stages.order[~is_kept]])
    return Account(order, partial(_by_rounds, group, Words(group), stages))


def _by_quota(group: Group, words: Words, by_quota: _ByQuota, partition: int) -> Reasoning:
    quotas, extras, keeps, held, listed, filling = by_quota
    quota = Quota.of(group)
    steps = [spread(words, quota, group)]
    if quota.extras:
        more = words.members(np.flatnonzero(quotas > quota.least).tolist())
        steps.append(Step("Extras", extras.format(more)))
    steps.append(_held(group, words, held, partition))
    holder = int(held[partition])
    if holder != UNOWNED:
        own = listed[held[listed] == holder]
        allowed = int(quotas[holder])
        place = int(np.flatnonzero(own == partition)[0])
        text = f"{words.member(holder)} holds {own.size:,} and may keep {allowed:,}"
        if own.size > allowed:
            text += f", {keeps}; this is the {ordinal(place + 1)}"
        if place < allowed:
            steps.append(Step("Kept", f"{text}: it keeps it."))
            return Reasoning(holder, tuple(steps))
        steps.append(Step("Given up", f"{text}: it gives it up."))
    place = int(np.flatnonzero(filling.dealt == partition)[0])
    owner = int(filling.takers[place])
    members, lacks = np.unique(filling.takers, return_counts=True)
    text = (
        f"{dealt(filling.dealt.size)}, first what nobody held; consumers "
        f"are filled one after the other, {words.each(members.tolist(), lacks.tolist())}: the "
        f"{ordinal(place + 1)} goes to {words.member(owner)}."
    )
    return Reasoning(owner, (*steps, Step("Dealt", text)))


def _held(group: Group, words: Words, held: Owners, partition: int) -> Step:
    present, holder = int(group.present_owners[partition]), int(held[partition])
    if holder != UNOWNED:
        return Step("Present owner", f"{words.member(holder)} owns it now.")
    if present == UNOWNED:
        return Step("Present owner", "Nobody owns it now.")
    topic = words.topic(partition)
    return Step("Present owner", f"{words.member(present)} no longer subscribes to {topic}.")


def _stages_of(group: Group, held: Owners) -> _Stages:
    dealt, topics = held.copy(), fullest_first(group)
    counts = held_by_each(held, group.member_count)
    for topic in topics:
        give_what_is_free(group, dealt, counts, topic)
    trace: list[Move] = []
    uniform_general(group, held, trace)
    moves: dict[int, list[Move]] = {}
    for move in trace:
        moves.setdefault(move.partition, []).append(move)
    order = ragged.spans(*(group.topic_starts[np.array(topics) + end] for end in (0, 1)))
    return _Stages(held, dealt, order, moves)


def _by_rounds(group: Group, words: Words, stages: _Stages, partition: int) -> Reasoning:
    steps = [
        Step("Path", "The broker takes the subscriptions for unequal: it evens out in rounds."),
        _held(group, words, stages.held, partition),
    ]
    owner = int(stages.held[partition])
    if owner == UNOWNED:
        owner, more = _dealt(group, words, stages, partition)
        steps += more
    else:
        steps.append(Step("Kept", f"{words.member(owner)} subscribes to it and keeps it."))
    for move in stages.moves.get(partition, []):
        owner = move.taker
        giver, taker = words.member(move.giver), words.member(move.taker)
        text = (
            f"Round {move.walk:,}: of {words.topic(partition)}'s subscribers, {giver} holds "
            f"{move.had[0]:,} and {taker} {move.had[1]:,}, so {giver} gives its last partition of "
            f"the topic to {taker}."
        )
        steps.append(Step("Evened out", text))
    return Reasoning(owner, tuple(steps))


def _dealt(group: Group, words: Words, stages: _Stages, partition: int) -> tuple[int, list[Step]]:
    """Give it to the emptiest subscriber; equals stand as when the topic's turn came."""
    topic = group.topic_of_partition[partition]
    free = stages.order[stages.held[stages.order] == UNOWNED]
    place = int(np.flatnonzero(free == partition)[0])
    before = free[:place]
    counts = held_by_each(stages.held, group.member_count)
    first = before[group.topic_of_partition[before] != topic]
    counts += held_by_each(stages.dealt[first], group.member_count)
    subscribers = group.audiences.heard_by(group.audiences.of_topic[topic])
    subscribers = subscribers[np.argsort(counts[subscribers], kind="stable")]
    same = before[group.topic_of_partition[before] == topic]
    counts += held_by_each(stages.dealt[same], group.member_count)
    fewest = subscribers[counts[subscribers] == counts[subscribers].min()].tolist()
    by_need = subscribers[np.argsort(counts[subscribers], kind="stable")]
    so_far = words.each(by_need.tolist(), counts[by_need].tolist())
    position = (
        f"What is free goes to the emptiest subscriber, topics with the most partitions a "
        f"subscriber first: this is the {ordinal(place + 1)} of {free.size:,}."
    )
    steps = [Step("Dealt", position), Step("Held so far", f"The subscribers hold {so_far}.")]
    what = f"the fewest so far, {int(counts[fewest[0]]):,}"
    if len(fewest) == 1:
        return fewest[0], [*steps, smallest_id(words, fewest, what)]
    text = (
        f"{words.member(fewest[0])} takes it, the first of {words.members(fewest)}, all with "
        f"{what}: in order of what they held when {words.topic(partition)} was begun, then of id."
    )
    return fewest[0], [*steps, Step("Tie-break", text)]
