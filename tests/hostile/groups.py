"""Random groups by seed, and the rules of an assignment in plain Python.

The rules avoid the product's arrays: topics, consumers and owners are dicts of names.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.strategy import Promise, Strategy
from tests.hostile.names import NAMES

_TOPICS: Final = ("orders", "t", "t0", "t1", "t10", "t2", "Aa", "BB", "a-b", "\uff5e", *NAMES[:4])
_MEMBERS: Final = (
    *("AaAa", "AaBB", "BBAa", "BBBB", "c", "c0", "c1", "c10", "c2", "consumer-1-\u00e9", "\uff5e"),
    *NAMES[4:],
)
_RACKS: Final = ("a", "b", "c", "")
_LAGS: Final = (None, 0, 1, 7, 1_000, -3, 2**31, 2**53 + 1, 2**62)
_MOST_PARTITIONS: Final = 40
_ALMOST_BALANCED: Final = 3


class Question(NamedTuple):
    """A group as dicts of names."""

    topics: Mapping[str, Topic]
    members: Sequence[Member]

    def group(self) -> Group:
        """Return the group as the product's Group."""
        return group_of(self.topics, self.members)


def question(number: int) -> Question:
    """Return the group of this seed: uneven topics, unknown lags, stale and invalid claims."""
    draw = random.Random(number)  # noqa: S311 -- no secret
    names = draw.sample(_TOPICS, draw.randint(0, 5))
    most = draw.choice((1, 3, 8, _MOST_PARTITIONS))
    with_racks, with_lags = draw.random() < 0.3, draw.random() < 0.8
    topics = {name: _topic(draw, draw.randint(0, most), with_racks, with_lags) for name in names}
    wanted = [*names, "nowhere"]
    shared = names if draw.random() < 0.6 else None
    claimable = [(name, p) for name in wanted for p in range(most + 1)]
    rack = draw.choice((None, _RACKS[0])) if not with_racks else None
    members = [
        Member(
            id=member,
            topics=shared
            if shared is not None
            else draw.sample(wanted, draw.randint(0, len(wanted))),
            instance_id=f"static-{draw.randint(0, 3)}-{member}" if draw.random() < 0.3 else None,
            rack=draw.choice(_RACKS) if with_racks else rack,
            owned=draw.sample(claimable, draw.randint(0, min(12, len(claimable)))),
            generation=draw.choice((None, -1, 0, 1, 2, 2, 2, 2**31 - 1)),
        )
        for member in draw.sample(_MEMBERS, draw.randint(0, min(9, len(_MEMBERS))))
    ]
    return Question(topics, members)


def _topic(draw: random.Random, partitions: int, with_racks: bool, with_lags: bool) -> Topic:
    racks = [draw.sample(_RACKS[:3], draw.randint(0, 3)) for _ in range(partitions)]
    return Topic(
        partitions=partitions,
        racks=racks if with_racks else None,
        lags=[draw.choice(_LAGS) for _ in range(partitions)] if with_lags else None,
    )


def broken_rules(asked: Question, strategy: Strategy, owned: Mapping[str, Sequence[str]]) -> str:
    """Return the rules that the final assignment breaks.

    ``owned`` holds ``topic-partition`` by member.
    """
    owner_of: dict[str, str] = {}
    for owner, partitions in owned.items():
        for partition in partitions:
            if partition in owner_of:
                return f"{partition} is owned by {owner_of[partition]} and {owner}"
            owner_of[partition] = owner
    subscribers: dict[str, set[str]] = defaultdict(set)
    for member in asked.members:
        for topic in member.topics:
            subscribers[topic].add(member.id)
    wanted: dict[str, set[str]] = {
        f"{name}-{number}": subscribers[name]
        for name, topic in asked.topics.items()
        for number in range(topic.partitions)
        if subscribers[name]
    }
    for partition, allowed in wanted.items():
        if owner_of.get(partition) not in allowed:
            return f"{partition} belongs to {owner_of.get(partition)}, not one of {allowed}"
    if extra := owner_of.keys() - wanted.keys():
        return f"nobody wants {extra}"
    return _uneven(asked, strategy, owner_of)


def _uneven(asked: Question, strategy: Strategy, owner_of: Mapping[str, str]) -> str:
    if len({frozenset(member.topics) for member in asked.members}) != 1:
        return ""
    counts = Counter({member.id: 0 for member in asked.members})
    counts.update(owner_of.values())
    spread = max(counts.values()) - min(counts.values())
    if Promise.BALANCED in strategy.promises and spread > 1:
        return f"counts differ by {spread}"
    if Promise.NEARLY_BALANCED in strategy.promises and spread > _ALMOST_BALANCED:
        return f"counts differ by {spread}"
    return ""
