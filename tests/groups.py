"""Hypothesis strategies for groups: small, uneven, and with all kinds of defects."""

from collections.abc import Mapping
from dataclasses import fields
from itertools import product
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from hypothesis import settings
from hypothesis import strategies as st

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of

_TOPIC_NAMES: Final = ("t0", "t1", "t10", "t2", "orders", "\uff5e", "\U0001f4ec")
_ONE_HASH: Final = tuple("".join(pairs) for pairs in product(("Aa", "BB"), repeat=3))
"""Member ids that share a bucket of a Java HashMap, so that their arrival order matters."""
_MEMBER_IDS: Final = (*_ONE_HASH, "consumer1", "consumer2", "consumer10", "\uff5e", "\U0001f4ec")
_UNKNOWN_TOPIC: Final = "nowhere"
_RACKS: Final = ("a", "b", "c")
_LAGS: Final = st.none() | st.integers(-5, 12) | st.integers(0, 2**40)
_T = TypeVar("_T")


def tried(examples: int) -> settings:
    """Return settings for this many examples, scaled by the profile."""
    return settings(max_examples=max(1, examples * settings().max_examples // 100))


def arrays_of(group: Group) -> list[npt.NDArray[Any]]:
    """Return all arrays that a group was built from."""
    parts = (group.layout, group.claims, group.offsets)
    values = [getattr(part, field.name) for part in parts for field in fields(part)]
    return [value for value in values if isinstance(value, np.ndarray)]


def groups() -> st.SearchStrategy[Group]:
    """Draw any group: mixed subscriptions, unknown topics, racks, stale and conflicting claims."""
    return st.tuples(_topics(), st.booleans()).flatmap(
        lambda drawn: _group(drawn[0], equal=drawn[1])
    )


def equal_groups() -> st.SearchStrategy[Group]:
    """Draw a group whose members all subscribe to the same topics."""
    return _topics().flatmap(lambda topics: _group(topics, equal=True))


@st.composite
def long_groups(draw: st.DrawFn) -> Group:
    """Draw a group of long topics with few or many subscribers."""
    member_count = draw(st.sampled_from([2, 3, 70]))
    largest = draw(st.sampled_from([0, 3, 10**6, 2**50]))
    sizes = draw(st.lists(st.integers(0, 300), min_size=1, max_size=4))
    topics = {f"t{t}": size for t, size in enumerate(sizes)}
    random = np.random.default_rng(draw(st.integers(0, 99)))
    lags = {
        name: random.integers(-2, largest, size, endpoint=True) for name, size in topics.items()
    }
    members = {
        f"c{m:02}": [name for name in topics if m % 7 or name != "t0"] for m in range(member_count)
    }
    return Group.fresh(topics, members, {name: each.tolist() for name, each in lags.items()})


@st.composite
def _topics(draw: st.DrawFn) -> dict[str, Topic]:
    names = draw(st.lists(st.sampled_from(_TOPIC_NAMES), max_size=5, unique=True))
    counts = [draw(st.integers(0, 7)) for _ in names]
    if len(names) > 1 and draw(st.booleans()):  # co-partitioned, which random examples rarely are
        counts[0] = counts[1]
    with_racks = draw(st.booleans())
    return {
        name: Topic(
            partitions=count,
            racks=draw(_for_each(count, _replica_racks())) if with_racks else None,
            lags=draw(st.none() | _for_each(count, _LAGS)),
        )
        for name, count in zip(names, counts, strict=True)
    }


@st.composite
def _group(draw: st.DrawFn, topics: Mapping[str, Topic], *, equal: bool) -> Group:
    ids = draw(st.lists(st.sampled_from(_MEMBER_IDS), max_size=9, unique=True))
    everything = sorted(topics)
    some = st.lists(st.sampled_from([*everything, _UNKNOWN_TOPIC]), max_size=4, unique=True)
    shared = draw(st.just(everything) | some)
    partitions = [(name, p) for name, topic in topics.items() for p in range(topic.partitions + 1)]
    claims = st.lists(st.sampled_from(partitions), max_size=6, unique=True)
    return group_of(
        topics,
        [
            Member(
                id=member,
                topics=shared if equal else draw(some),
                instance_id=f"i{draw(st.integers(0, 2))}{member}" if draw(st.booleans()) else None,
                rack=draw(st.none() | st.sampled_from(_RACKS)),
                owned=draw(claims) if partitions else [],
                generation=draw(st.none() | st.integers(0, 3)),
            )
            for member in ids
        ],
    )


def _replica_racks() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(_RACKS), max_size=3, unique=True)


def _for_each(count: int, values: st.SearchStrategy[_T]) -> st.SearchStrategy[list[_T]]:
    return st.lists(values, min_size=count, max_size=count)
