"""The same group with any number of consumers."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from typing import Final

import numpy as np

from assignors.model import Group
from assignors.numbering import Member
from evaluation.consumer_labels import RANDOM_ID
from evaluation.rebalance.membership import with_newcomers, without_members
from evaluation.rebalance.regroup import usual_topics, with_subscription
from evaluation.wording import without_uuid, without_uuids

_KEPT: Final = 32
_MOST_DIGITS: Final = 9


def resizer(group: Group, most: int) -> Callable[[int], Group]:
    """Return a function that resizes the group to 1 to ``most`` consumers.

    All subscribe as most do today. A smaller group keeps its first members by id, with their
    claims; a larger one gains members with similar names and no claims. If all members are
    static the new ones are too, and they take today's racks in turn. A group without members
    gains members that subscribe to every topic. The latest groups are cached.
    """
    alike = with_shared_subscription(group)
    joining = _newcomers(alike, most - alike.member_count)
    largest = with_newcomers(alike, joining).group if joining else alike
    number = {name: m for m, name in enumerate(largest.members)}
    in_turn = np.array(
        [number[name] for name in (*alike.members, *(m.id for m in joining))], np.int32
    )

    @lru_cache(maxsize=_KEPT)
    def resized(consumers: int) -> Group:
        return without_members(largest, in_turn[consumers:]).group

    return resized


def as_planned(group: Group) -> Group:
    """Return the group with equal subscriptions and at least one member."""
    if group.member_count:
        return with_shared_subscription(group)
    return resizer(group, 1)(1)


def with_shared_subscription(group: Group) -> Group:
    """Return the group with everybody subscribed to what most members subscribe to.

    Ties go to the first member's subscription. A group without members is unchanged.
    """
    if group.layout.has_equal_subscriptions:
        return group
    everybody = np.arange(group.member_count, dtype=np.int32)
    return with_subscription(group, everybody, usual_topics(group)).group


def _newcomers(group: Group, missing: int) -> list[Member]:
    """Return the joining members, in order."""
    if missing <= 0:
        return []
    subscribed = group.subscribes[group.layout.class_of_member].all(axis=0)
    topics = [group.topics[t] for t in np.flatnonzero(subscribed)]
    ids = islice(names_like(group.members), missing)
    instances: Iterator[str | None] = iter([None] * missing)
    static = [name for name in group.layout.instance_ids if name is not None]
    if static and len(static) == group.member_count:
        instances = islice(names_like(sorted(static)), missing)
    racks = [
        None if rack < 0 else group.layout.racks[rack]
        for rack in group.layout.member_racks.tolist()
    ]
    return [
        Member(name, topics, instance, racks[k % len(racks)] if racks else None)
        for k, (name, instance) in enumerate(zip(ids, instances, strict=True))
    ]


def names_like(names: Sequence[str]) -> Iterator[str]:
    """Yield further names, without end, counting on from the last one.

    A UUID appended by a broker is dropped; of a very long number only the last digits count on.
    After a random id of a broker-side group come ids of that form.

    >>> list(islice(names_like(["c08", "c09"]), 3))
    ['c10', 'c11', 'c12']
    """
    last = without_uuids(names[-1:])[0] if names else "consumer-0"
    end = last[-_MOST_DIGITS:]
    digits = end[len(end.rstrip("0123456789")) :]
    stem = last.removesuffix(digits)
    taken = {*names, *map(without_uuid, names)}
    is_random = RANDOM_ID.fullmatch(last) is not None
    for number in count(1 if is_random else int(digits or 0) + 1):
        name = f"{stem}{number:0{len(digits)}d}" if digits else f"{stem}-{number}"
        if is_random:  # one that RANDOM_ID takes for such an id, and people can read
            name = f"joining-{number:013d}A"
        if name not in taken:
            yield name
