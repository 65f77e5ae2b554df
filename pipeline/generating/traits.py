"""Traits of groups: sizes, load, habits; drawn for a whole fleet."""

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias, get_type_hints

import numpy as np
import numpy.typing as npt

from assignors.model import BoolArray, FloatArray, LongArray
from assignors.registry import STRATEGIES
from pipeline.generating.names import CLUSTERS, group_name

SHIPPED: Final = tuple(
    name for name, s in STRATEGIES.items() if s.client_class or s.remote_assignor
)
"""What groups of a real fleet can be configured to use."""
NEVER: Final = int(np.iinfo(np.int64).max)
"""The snapshot of what does not happen."""
_UNCOMMITTED: Final = 0.05
_UNANSWERED: Final = 0.005


class Event(IntEnum):
    """What can happen to a group between two snapshots."""

    JOIN = 0
    LEAVE = 1
    RESTART = 2
    """One consumer comes back under a new member id."""
    DEPLOY = 3
    """All of them do."""
    STOP = 4
    """All leave; whatever comes next brings them back."""


class GroupTraits(NamedTuple):
    """One group; what is left out is unremarkable."""

    name: str
    topics: int
    partitions: int
    """Over all topics, at the start; at least one a topic."""
    members: int
    """At the start; more than partitions leaves some idle."""
    strategy: str = "range"
    """Which of ``SHIPPED`` gives the group its owners."""
    rate: float = 8.0
    """Records/s produced to the group at a mean hour."""
    skew: float = 0.3
    """Sigma of the lognormal that spreads the rate over the partitions."""
    headroom: float = 2.5
    """What its consumers can read, over what is produced at a mean hour."""
    behind_s: float = 8.0
    """Median lag at the start, in seconds of production."""
    churn: float = 0.0
    """Rebalances expected a snapshot."""
    is_static: bool = False
    has_racks: bool = False
    is_mixed: bool = False
    """Some consumers subscribe to the first half of the topics only."""
    is_troubled: bool = False
    """Stuck partitions and recreated topics happen here."""
    uncommitted: float = 0.0
    """Which share of its partitions never has a committed offset."""
    unanswered: float = 0.0
    """How often the brokers report no offsets for one of its topics."""
    reset: str | None = None
    """Its ``auto.offset.reset``, if configured."""
    script: tuple[tuple[int, Event], ...] = ()
    """What happens at which snapshot for certain, beside what chance brings."""
    stuck_at: int = NEVER
    """The snapshot from which its first partition is stuck for good."""
    cluster: int = 0
    """Which of ``CLUSTERS``."""
    number: int = 0
    """Which group of the fleet."""


Traits: TypeAlias = npt.NDArray[np.void]
"""(G,) groups, with the fields of ``GroupTraits`` as columns."""
_COLUMNS: Final = np.dtype(
    [
        (name, {int: "i8", float: "f8", bool: "?"}.get(kind, "O"))
        for name, kind in get_type_hints(GroupTraits).items()
    ]
)


def traits_of(*groups: GroupTraits, **columns: object) -> Traits:
    """Return the traits of these groups, numbered, with other columns for all of them."""
    traits = np.array(list(groups), _COLUMNS)
    for name, values in {"number": np.arange(len(groups)), **columns}.items():
        traits[name] = values
    return traits


def heavy_tailed(groups: int, partitions: int, random: np.random.Generator) -> Traits:
    """Draw groups of which most are small and a few are huge.

    Partitions add up to the requested number within one percent, where that is possible
    with one a group.
    """

    def some(share: float) -> BoolArray:
        return random.random(groups) < share

    sizes = _scaled(np.minimum(random.pareto(1.15, groups) + 0.15, groups / 3 + 1), partitions)
    topics = np.minimum(sizes, 1 + np.minimum(random.pareto(1.3, groups), 200).astype(np.int64))
    members = 1 + (sizes * random.beta(1.2, 2.5, groups)).astype(np.int64)
    members += some(0.06) * random.integers(1, 4, groups)
    is_troubled = some(0.15)
    return traits_of(
        *_named(groups),
        cluster=random.choice(len(CLUSTERS), groups, p=[0.5, 0.3, 0.2]),
        topics=topics,
        partitions=sizes,
        members=np.minimum(members, 10_000),
        strategy=random.choice(SHIPPED, groups),
        rate=sizes * random.lognormal(1.5, 1.6, groups),
        skew=random.choice([0.15, 0.5, 1.2], groups, p=[0.5, 0.35, 0.15]),
        headroom=random.lognormal(0.8, 0.5, groups),
        behind_s=random.lognormal(2.0, 1.8, groups),
        churn=random.choice([0.0, 0.02, 0.1], groups, p=[0.6, 0.3, 0.1]),
        is_static=some(0.2),
        has_racks=some(0.4),
        is_mixed=some(0.03) & (topics > 1),
        is_troubled=is_troubled,
        uncommitted=is_troubled * _UNCOMMITTED,
        unanswered=is_troubled * _UNANSWERED,
        reset=random.choice(np.array([None, "earliest", "none"]), groups, p=[0.8, 0.15, 0.05]),
    )


def uniform(
    groups: int, partitions: int, members: int | None, random: np.random.Generator
) -> Traits:
    """Draw groups of equal size without events, for benchmarks; four topics, 1 in 10 owns."""
    each = max(1, partitions // groups)
    return traits_of(
        *_named(groups),
        cluster=np.arange(groups) % len(CLUSTERS),
        topics=min(4, each),
        partitions=each,
        members=members or max(1, each // 10),
        strategy=np.array(SHIPPED)[np.arange(groups) % len(SHIPPED)],
        rate=each * random.lognormal(1.5, 1.0, groups),
        skew=1.0,
        headroom=1.5,
        behind_s=60.0,
    )


def _named(groups: int) -> list[GroupTraits]:
    return [GroupTraits(group_name(number), 1, 1, 1) for number in range(groups)]


def _scaled(weights: FloatArray, total: int) -> LongArray:
    """Return whole numbers of at least 1, proportional to the weights, of about the total."""
    low, high = 0.0, 2.0 * total / weights.min()
    for _ in range(80):
        middle = (low + high) / 2
        fits = int(np.maximum(1, weights * middle).astype(np.int64).sum()) <= total
        low, high = (middle, high) if fits else (low, middle)
    return np.maximum(1, weights * low).astype(np.int64)
