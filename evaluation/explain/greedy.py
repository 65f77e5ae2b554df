"""Why fair and lag-based give a partition to whom they do.

Both decide one partition after the other. A decision is derived anew from what the
candidates held when its turn came, which is what the decisions before it gave them.
"""

from functools import partial

import numpy as np

from assignors import ragged
from assignors.fair import fair, scarce_first
from assignors.lag.based import lag_based, most_lag_first
from assignors.model import Group, IntArray, LongArray, Owners
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, exact_lags, smallest_id
from evaluation.wording import ordinal, plural


def fair_account(group: Group) -> Account:
    """Explain fair: the fewest partitions so far, over all topics."""
    topics = scarce_first(group)
    order = ragged.spans(group.topic_starts[topics], group.topic_starts[topics + 1])
    return Account(order, partial(_fair, group, Words(group), fair(group), order))


def lag_based_account(group: Group) -> Account:
    """Explain lag-based: the fewest partitions, then the least lag, of this topic."""
    order = most_lag_first(group)
    order = order[group.is_wanted[order]]
    return Account(order, partial(_lag_based, group, Words(group), lag_based(group), order))


def _fair(
    group: Group, words: Words, owners: Owners, order: LongArray, partition: int
) -> Reasoning:
    place = int(np.flatnonzero(order == partition)[0])
    counts = np.bincount(owners[order[:place]], minlength=group.member_count)
    subscribers = _subscribers(group, partition)
    held = counts[subscribers]
    fewest = subscribers[held == held.min()]
    taker = int(fewest[0])
    size = int(group.topic_sizes[group.topic_of_partition[partition]])
    position = (
        "Topics with the fewest subscribers come first, then the largest: "
        f"{words.topic(partition)} has {plural(subscribers.size, 'subscriber')} and "
        f"{plural(size, 'partition')}, so this is the "
        f"{ordinal(place + 1)} of {order.size:,} decisions."
    )
    by_need = subscribers[np.argsort(held, kind="stable")]
    so_far = words.each(by_need.tolist(), counts[by_need].tolist())
    return Reasoning(
        taker,
        (
            Step("Position", position),
            Step("Held so far", f"Of all topics, the subscribers hold {so_far}."),
            smallest_id(words, fewest.tolist(), f"the fewest so far, {int(held.min()):,}"),
        ),
    )


def _lag_based(
    group: Group, words: Words, owners: Owners, order: LongArray, partition: int
) -> Reasoning:
    topic = group.topic_of_partition[partition]
    of_topic = order[group.topic_of_partition[order] == topic]
    place = int(np.flatnonzero(of_topic == partition)[0])
    before, subscribers = of_topic[:place], _subscribers(group, partition)
    counts = np.bincount(owners[before], minlength=group.member_count)[subscribers]
    lags = exact_lags(group, owners, before)
    standing = sorted(
        zip(
            counts.tolist(),
            [lags[member] for member in subscribers.tolist()],
            subscribers.tolist(),
            strict=True,
        )
    )
    _, least, taker = standing[0]
    fewest = [row for row in standing if row[0] == standing[0][0]]
    equal = [row[2] for row in fewest if row[1] == least]
    steps = [
        Step(
            "Position",
            f"{words.topic(partition)} is dealt alone, most lag first: with a lag of "
            f"{words.lag(partition)}, this is the {ordinal(place + 1)} of "
            f"{plural(of_topic.size, 'partition')}.",
        ),
        Step(
            "Held so far",
            f"Of this topic, the subscribers hold "
            f"{words.each([row[2] for row in standing], [row[0] for row in standing])}.",
        ),
    ]
    if len(fewest) == 1:
        what = f"the fewest of this topic so far, {standing[0][0]:,}"
        steps.append(smallest_id(words, [taker], what))
        return Reasoning(taker, tuple(steps))
    carried = words.each([row[2] for row in fewest], [row[1] for row in fewest])
    steps.append(
        Step("Lag so far", f"Those with the fewest carry this lag of the topic: {carried}.")
    )
    what = f"{plural(standing[0][0], 'partition')} of this topic and the least lag, {least:,}"
    steps.append(smallest_id(words, equal, what))
    return Reasoning(taker, tuple(steps))


def _subscribers(group: Group, partition: int) -> IntArray:
    audience = group.audiences.of_topic[group.topic_of_partition[partition]]
    return group.audiences.heard_by(audience)
