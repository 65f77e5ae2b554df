"""Predictions by topic ids and hash sets, compared with the coordinator's classes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import pytest
from confluent_kafka import Uuid

from assignors.java.hash_order import bucket_of, hash_sets_order
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.uniform.kafka_18688 import uniform_kafka_18688
from live.model import NamedPartition
from live.offsets import topic_id_of
from tests.broker.broker_topics import Coordinator, Held, halves, uuid_hash
from tests.broker.java_harness import Harness
from tests.broker.rebalances import named

pytestmark = pytest.mark.needs("broker")

_SMALL: Final = range(1, 17)
_LARGE: Final = range(17, 201)
"""Partition counts larger than the number of buckets of the smallest hash set."""
_STEPS: Final = 7
Listed: TypeAlias = Mapping[str, Sequence[NamedPartition]]
"""Member id -> its partitions, topic by topic in a broker's iteration order."""


@pytest.fixture(params=["harness", "harness_of_java_21"])
def classes(request: pytest.FixtureRequest) -> Harness:
    """The classes on two versions of Java: before 19, some sets had more buckets."""
    harness: Harness = request.getfixturevalue(request.param)
    return harness


class _Step(NamedTuple):
    """A group at a rebalance."""

    members: Sequence[str]
    """In the iteration order of the coordinator's map."""
    topics: Mapping[str, int]
    """Name -> partitions."""


@pytest.mark.parametrize("histories", [15, pytest.param(100, marks=pytest.mark.proof)])
def test_ids_in_buckets_of_their_own_tell_the_order(harness: Harness, histories: int) -> None:
    assert not list(_missed(harness, histories, share_a_bucket=False))


@pytest.mark.parametrize("histories", [30, pytest.param(200, marks=pytest.mark.proof)])
def test_ids_in_one_bucket_come_as_they_were_put_in(harness: Harness, histories: int) -> None:
    assert not list(_missed(harness, histories, share_a_bucket=True))


@pytest.mark.parametrize("histories", [5, pytest.param(25, marks=pytest.mark.proof)])
def test_large_sets_iterate_as_they_were_made(classes: Harness, histories: int) -> None:
    assert not list(_missed(classes, histories, share_a_bucket=False, sizes=_LARGE, most_topics=3))


def test_one_large_topic_is_predicted_from_its_owners_unless_its_sets_took_another_way(
    classes: Harness,
) -> None:
    told = list(_told_by_owners(classes, 50))

    missed = Counter(is_plain for is_exact, is_plain in told if not is_exact)
    plain = Counter(is_plain for _, is_plain in told)

    assert missed[True] == 0
    assert plain[True] > 0.7 * len(told)


def test_a_group_that_knows_its_topic_ids_is_predicted_exactly(harness: Harness) -> None:
    predicted = list(_predicted_from_ids(harness, 150, share_a_bucket=False))

    assert len(predicted) >= 1_000
    assert all(predicted)


def test_ids_as_a_cluster_draws_them_are_mostly_predicted_without_a_history(
    harness: Harness, tell: Callable[[str], None]
) -> None:
    predicted = list(_predicted_from_ids(harness, 150, share_a_bucket=None))

    tell(f"random topic ids, no history: {sum(predicted)} of {len(predicted)} exact")
    assert sum(predicted) > 0.9 * len(predicted)


def _predicted_from_ids(
    harness: Harness, histories: int, *, share_a_bucket: bool | None
) -> Iterator[bool]:
    """Yield whether the strategy, which knows no history, agrees with the classes."""
    for seed in range(histories):
        random = Random(seed)  # noqa: S311 - no secret
        steps = list(_steps(random, _SMALL, random.randint(2, 5)))
        ids = _ids(random, list(steps[0].topics), share_a_bucket=share_a_bucket)
        owned: Held = {}
        for step, target in zip(steps, _targets(harness, ids, steps), strict=True):
            given = {member: set(listed) for member, listed in target.items()}
            group = _group(step, owned, ids)
            yield named(group, uniform_kafka_18688(group)) == given
            owned = given


def _missed(
    harness: Harness,
    histories: int,
    *,
    share_a_bucket: bool,
    sizes: range = _SMALL,
    most_topics: int = 5,
) -> Iterator[tuple[int, int]]:
    """Yield seed and step of each disagreement with the classes."""
    java = harness.java
    for seed in range(histories):
        random = Random(seed)  # noqa: S311 - no secret
        steps = list(_steps(random, sizes, random.randint(2, most_topics)))
        ids = _ids(random, list(steps[0].topics), share_a_bucket=share_a_bucket)
        coordinator = Coordinator(ids, java)
        owned: Held = {}
        for at, (step, target) in enumerate(zip(steps, _targets(harness, ids, steps), strict=True)):
            given = {member: set(listed) for member, listed in target.items()}
            group = _group(step, owned)
            if coordinator.predicted(group) != given:
                yield seed, at
            coordinator.follow(group, given)
            owned = given


def _told_by_owners(harness: Harness, histories: int) -> Iterator[tuple[bool, bool]]:
    """Yield whether the owners sufficed for an exact prediction, and whether all sets were plain.

    A plain set iterates by bucket and within it by number, with as many buckets as in Java 21.
    """
    for seed in range(histories):
        random = Random(seed)  # noqa: S311 - no secret
        steps = list(_steps(random, _LARGE, 1))
        ids = _ids(random, list(steps[0].topics), share_a_bucket=False)
        before: Listed = {}
        for step, target in zip(steps, _targets(harness, ids, steps), strict=True):
            group = _group(step, {member: set(listed) for member, listed in before.items()})
            found = named(group, uniform_kafka_18688(group))
            is_exact = found == {member: set(listed) for member, listed in target.items()}
            yield is_exact, all(_is_plain([n for _, n in listed]) for listed in before.values())
            before = target


def _is_plain(listed: Sequence[int]) -> bool:
    numbers = np.sort(np.array(listed, np.int32))
    order = hash_sets_order(np.array([0, numbers.size]), numbers)
    return bool(np.array_equal(numbers[order], listed))


def _steps(random: Random, sizes: range, topic_count: int) -> Iterator[_Step]:
    """Yield a group from its start through joins, departures and added partitions."""
    prefix = random.choice(["orders", "payments", "clicks"])
    names = [f"{prefix}-{number}" for number in range(topic_count)]
    topics = {name: random.choice(sizes[:-2]) for name in names}
    members = [_member_id(random)]
    yield _Step(tuple(members), dict(topics))
    for _ in range(_STEPS - 1):
        event = random.choice(["join", "join", "join", "leave", "partitions"])
        if event == "partitions":
            name = random.choice(names)
            topics[name] = min(topics[name] + 2, sizes[-1])
        elif event == "leave" and len(members) > 1:
            members.pop(random.randrange(len(members)))
        else:
            members.insert(random.randint(0, len(members)), _member_id(random))
        yield _Step(tuple(members), dict(topics))


def _member_id(random: Random) -> str:
    return f"{random.getrandbits(128):032x}"


def _ids(random: Random, names: Sequence[str], *, share_a_bucket: bool | None) -> dict[str, Uuid]:
    """Return ids that share one of the 16 buckets of a small map, have one each, or are random."""
    if share_a_bucket is None:
        return {name: Uuid(_half(random), _half(random)) for name in names}
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


def _targets(harness: Harness, ids: Mapping[str, Uuid], steps: Sequence[_Step]) -> list[Listed]:
    """Return what the classes assign to each member at each step, in iteration order."""
    history = {
        "ids": {name: halves(uuid) for name, uuid in ids.items()},
        "steps": [step._asdict() for step in steps],
    }
    return [
        {member: [(topic, number) for topic, number in held] for member, held in target.items()}
        for target in harness.ask("targets", history=history)["targets"]
    ]


def _group(step: _Step, owned: Held, ids: Mapping[str, Uuid] | None = None) -> Group:
    topics = {
        name: Topic(partitions=count, topic_id=topic_id_of(ids[name]) if ids else None)
        for name, count in step.topics.items()
    }
    members = [
        Member(id=member, topics=list(topics), owned=sorted(owned.get(member, ())))
        for member in step.members
    ]
    return group_of(topics, members)
