"""Predictions by topic ids, held against the coordinator's own classes without a broker."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
import pytest
from confluent_kafka import Uuid

from assignors.java import bucket_of
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from tests.broker.broker_topics import Coordinator, Held, halves, uuid_hash
from tests.broker.java_harness import Harness

pytestmark = pytest.mark.needs("broker")

_MOST_PARTITIONS: Final = 16
_STEPS: Final = 7


class _Step(NamedTuple):
    """What a group is at a rebalance."""

    members: Sequence[str]
    """As a coordinator's map of them iterates."""
    topics: Mapping[str, int]
    """Name -> partitions."""


def test_ids_in_buckets_of_their_own_tell_the_order(harness: Harness) -> None:
    assert not list(_missed(harness, 100, share_a_bucket=False))


def test_ids_in_one_bucket_come_as_they_were_put_in(harness: Harness) -> None:
    assert not list(_missed(harness, 200, share_a_bucket=True))


def _missed(harness: Harness, histories: int, *, share_a_bucket: bool) -> Iterator[tuple[int, int]]:
    """Yield the seed and the step of what the classes answered otherwise."""
    for seed in range(histories):
        random = Random(seed)  # noqa: S311 - no secret
        steps = list(_steps(random))
        ids = _ids(random, list(steps[0].topics), share_a_bucket=share_a_bucket)
        coordinator = Coordinator(ids)
        owned: Held = {}
        for at, (step, given) in enumerate(zip(steps, _targets(harness, ids, steps), strict=True)):
            group = _group(step, owned)
            if coordinator.predicted(group) != given:
                yield seed, at
            coordinator.follow(group, given)
            owned = given


def _steps(random: Random) -> Iterator[_Step]:
    """Yield a group that starts, then is joined, left, or gets partitions."""
    prefix = random.choice(["orders", "payments", "clicks"])
    names = [f"{prefix}-{number}" for number in range(random.randint(2, 5))]
    topics = {name: random.randint(1, _MOST_PARTITIONS - 2) for name in names}
    members = [_member_id(random)]
    yield _Step(tuple(members), dict(topics))
    for _ in range(_STEPS - 1):
        event = random.choice(["join", "join", "join", "leave", "partitions"])
        if event == "partitions":
            name = random.choice(names)
            topics[name] = min(topics[name] + 2, _MOST_PARTITIONS)
        elif event == "leave" and len(members) > 1:
            members.pop(random.randrange(len(members)))
        else:
            members.insert(random.randint(0, len(members)), _member_id(random))
        yield _Step(tuple(members), dict(topics))


def _member_id(random: Random) -> str:
    return f"{random.getrandbits(128):032x}"


def _ids(random: Random, names: Sequence[str], *, share_a_bucket: bool) -> dict[str, Uuid]:
    """Return ids that share one of the sixteen buckets of a small map, or have one each."""
    buckets = random.sample(range(16), len(names))
    return {
        name: _id_in(random, buckets[0] if share_a_bucket else bucket)
        for name, bucket in zip(names, buckets, strict=True)
    }


def _id_in(random: Random, bucket: int) -> Uuid:
    while True:
        drawn = Uuid(_half(random), _half(random))
        if bucket_of(np.array([uuid_hash(drawn)], np.uint32), 16) == bucket:
            return drawn


def _half(random: Random) -> int:
    return random.getrandbits(64) - (1 << 63)


def _targets(harness: Harness, ids: Mapping[str, Uuid], steps: Sequence[_Step]) -> list[Held]:
    history = {
        "ids": {name: halves(uuid) for name, uuid in ids.items()},
        "steps": [step._asdict() for step in steps],
    }
    return [
        {member: {(topic, number) for topic, number in held} for member, held in target.items()}
        for target in harness.ask("targets", history=history)["targets"]
    ]


def _group(step: _Step, owned: Held) -> Group:
    topics = {name: Topic(partitions=count) for name, count in step.topics.items()}
    members = [
        Member(id=member, topics=list(topics), owned=sorted(owned.get(member, ())))
        for member in step.members
    ]
    return group_of(topics, members)
