"""Groups drawn for the ports of our strategies, and the Python forms' answers."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from assignors.load_settings import USUAL, LoadSettings
from assignors.model import Assignor, Group
from assignors.naming import assignment_of
from assignors.numbering import Member, Topic, group_of

_BUDGETS: Final = (USUAL.moves_permille, 0, 300, 1000)
_TOLERANCES: Final = (USUAL.tolerance, 0, 200_000)


def here(assign: Assignor, group: Group) -> dict[str, list[list[Any]]]:
    """Return each member's partitions by a Python form."""
    owned = assignment_of(group, assign(group))
    return {member: [[t, p] for t, p in sorted(held)] for member, held in owned.items()}


def drawn_groups(count: int) -> Iterator[Group]:
    """Yield groups of every kind: uneven, unequal, in racks, with stale, no or all loads equal.

    Budgets and tolerances differ, too.
    """
    yield from map(drawn_group, range(count))


def drawn_group(number: int) -> Group:
    """Return the group of this number."""
    random = np.random.default_rng(number)
    racks = [f"r{r}" for r in range(random.integers(1, 4))] if random.random() < 0.3 else []
    topics = {
        f"t{t}": _topic(random, int(random.integers(0, 13)), racks)
        for t in range(random.integers(1, 6))
    }
    unequal = random.random() < 0.5
    partitions = [(t, p) for t, topic in topics.items() for p in range(topic.partitions)]
    random.shuffle(partitions)
    member_count = int(random.integers(1, 9))
    is_fresh = random.random() < 0.2
    members, owned = [], 0
    for m in range(member_count):
        some = [t for t in topics if not unequal or random.random() < 0.7]
        share = 0 if is_fresh else int(random.integers(0, 2 * len(partitions) // member_count + 1))
        claimed = partitions[owned : owned + share] if random.random() < 0.8 else []
        overlap = int(random.integers(0, 2)) if random.random() < 0.1 else 0
        owned += max(len(claimed) - overlap, 0)
        members.append(
            Member(
                id=f"c{m}-{random.integers(100)}",
                topics=some,
                rack=str(random.choice(racks)) if racks and random.random() < 0.8 else None,
                owned=[(str(t), int(p)) for t, p in claimed],
                generation=int(random.integers(5, 7)),
            )
        )
    wanted = {
        name: topic for name, topic in topics.items() if any(name in m.topics for m in members)
    }
    group = group_of(wanted, members, id=str(number))  # a leader sees no other topics
    settings = LoadSettings(int(random.choice(_BUDGETS)), int(random.choice(_TOLERANCES)))
    return replace(group, load_settings=settings)


def _topic(random: np.random.Generator, size: int, racks: list[str]) -> Topic:
    kind = random.integers(9)
    lags: list[int | None] = (
        [0] * size
        if kind == 0
        else [5] * size
        if kind == 1
        else random.integers(1000, 3000, size).tolist()
        if kind == 5
        else random.integers(0, 4, size).tolist()
        if kind == 2
        else random.integers(2**61, 2**63 - 1, size).tolist()
        if kind == 3
        else (2**63 - 1 - random.integers(0, 3, size)).tolist()
        if kind == 4
        else (random.pareto(1.1, size) * 1000).astype(np.int64).tolist()
    )
    if random.random() < 0.15:
        lags = [lag if random.random() < 0.7 else None for lag in lags]
    in_racks = [
        [str(r) for r in random.permutation(racks)[: random.integers(0, 3)]] for _ in range(size)
    ]
    return Topic(partitions=size, lags=lags, racks=in_racks if racks else None)
