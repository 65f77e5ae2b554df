"""Why round robin deals a partition to whom it does."""

from functools import partial

import numpy as np

from assignors.model import Group, LongArray, Owners
from assignors.roundrobin import roundrobin
from evaluation.explain.reasoning import Account, Reasoning, Step, Words
from evaluation.wording import ordinal, plural


def roundrobin_account(group: Group) -> Account:
    """Explain round robin: from whoever got the partition before, on around the circle."""
    wanted = np.flatnonzero(group.is_wanted).astype(np.int64)
    reason = partial(_reason, group, Words(group), roundrobin(group), wanted)
    return Account(wanted, reason)


def _reason(
    group: Group, words: Words, owners: Owners, wanted: LongArray, partition: int
) -> Reasoning:
    """Go on from the owner of the partition dealt before, past those that do not subscribe."""
    circle = group.static_first
    place = int(np.searchsorted(wanted, partition))
    start = 0
    if place:
        start = int(np.flatnonzero(circle == owners[wanted[place - 1]])[0]) + 1
    ahead = np.roll(circle, -start)
    topic = group.topic_of_partition[partition]
    subscribes = group.subscribes[group.class_of_member[ahead], topic]
    stop = int(np.argmax(subscribes))
    order = "static ones first by instance id" if any(group.instance_ids) else "by consumer id"
    steps = [
        Step(
            "Circle",
            f"All {plural(circle.size, 'consumer')} sit in a circle, {order}: "
            f"{words.members(circle.tolist())}.",
        ),
        Step(
            "Position",
            f"Partitions are dealt topic by topic: this is the {ordinal(place + 1)} of "
            f"{wanted.size:,}.",
        ),
    ]
    if place:
        before = int(wanted[place - 1])
        cursor = f"{words.partition(before)} went to {words.member(int(owners[before]))}, so "
        cursor += f"{words.member(int(ahead[0]))} is next on the circle"
    else:
        cursor = f"The circle starts with {words.member(int(ahead[0]))}"
    if stop:
        taker, passed = words.member(int(ahead[stop])), words.members(ahead[:stop].tolist())
        do_not = "does not" if stop == 1 else "do not"
        text = (
            f"{cursor}; {passed} {do_not} subscribe to {words.topic(partition)} and "
            f"{'is' if stop == 1 else 'are'} passed over: {taker} takes it."
        )
    else:
        text = f"{cursor}, and subscribes to {words.topic(partition)}: it takes it."
    steps.append(Step("Cursor", text))
    return Reasoning(int(ahead[stop]), tuple(steps))
