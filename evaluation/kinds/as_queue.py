"""A consumer group as a share group: whether consumers that are idle would read."""

from typing import Final

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.share.group import ShareGroup, ShareMember, ShareTopic
from evaluation.kinds.share_words import readers_of
from evaluation.kinds.view import KindView, view_of
from evaluation.wording import plural

MOST_PARTITIONS: Final = 2_000
"""Beyond this, the question is not offered: nobody looks at that many blocks."""


def idle_in(group: Group) -> int:
    """Return how many consumers own nothing now although they subscribe to something."""
    owners = group.present_owners
    busy = np.unique(owners[owners != UNOWNED])
    if not busy.size:
        return 0
    return int(group.member_count - busy.size)


def is_asked_as_queue(group: Group) -> bool:
    """Return whether a consumer is idle, and the group small enough to look at."""
    return group.partition_count <= MOST_PARTITIONS and idle_in(group) > 0


def as_share_group(group: Group) -> KindView:
    """Return the group's consumers in a share group of the same topics, from its start.

    Ids of members, which order them, would be others: who reads what is one possibility, how many
    read it is not.
    """
    ids = group.layout.topic_ids or (None,) * len(group.topics)
    topics = zip(group.topics, group.topic_sizes.tolist(), ids, strict=True)
    wanted = group.subscribes[group.layout.class_of_member]
    queue = ShareGroup(
        {name: ShareTopic(size, topic_id) for name, size, topic_id in topics},
        [
            ShareMember(name, [group.topics[t] for t in np.flatnonzero(row).tolist()])
            for name, row in zip(group.members, wanted, strict=True)
        ],
    )
    return view_of(queue, group)


def queue_said(view: KindView, idle: int) -> str:
    """Return whether the idle consumers would read, in two sentences."""
    readers = readers_of(view.then)
    still = sum(not each.runs for each in view.then.holders)
    shared = sum(count > 1 for count in readers.values())
    who = "the idle consumer" if idle == 1 else f"the {idle:,} idle consumers"
    if still:
        return f"As a share group, {plural(still, 'consumer')} would still read nothing."
    if shared:
        rest = f"{plural(shared, 'partition')} would have more than one consumer"
    else:
        rest = "every partition would still have one consumer"
    return (
        f"As a share group, {who} would read: {rest}. Records of a partition may then come out of "
        "order, and again after a failure."
    )
