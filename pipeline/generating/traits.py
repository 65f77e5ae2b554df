"""Traits of groups: sizes, load and behaviour, drawn for a whole fleet."""

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
"""The strategies that groups of a real fleet can be configured to use."""
NEVER: Final = int(np.iinfo(np.int64).max)
"""The snapshot number of events that never happen."""
_UNCOMMITTED: Final = 0.05
_UNANSWERED: Final = 0.005


class FleetEvent(IntEnum):
    """An event in a group between two snapshots."""

    JOIN = 0
    LEAVE = 1
    RESTART = 2
    """One consumer restarts under a new member id."""
    DEPLOY = 3
    """All of them do."""
    STOP = 4
    """All consumers leave; the next event brings them back."""


class GroupTraits(NamedTuple):
    """One group; the defaults are unremarkable."""

    name: str
    topics: int
    partitions: int
    """Over all topics, at the start; at least one per topic."""
    members: int
    """At the start; with more members than partitions some are idle."""
    strategy: str = "range"
    """The group's strategy, one of ``SHIPPED``."""
    rate: float = 8.0
    """Records/s produced to the group's topics, averaged over the day."""
    skew: float = 0.3
    """Sigma of the lognormal that spreads the rate over the partitions."""
    headroom: float = 2.5
    """Ratio of the consumers' throughput to the mean production rate."""
    behind_s: float = 8.0
    """Median lag at the start, in seconds of production."""
    churn: float = 0.0
    """Expected rebalances per snapshot."""
    is_static: bool = False
    has_racks: bool = False
    is_mixed: bool = False
    """Whether some consumers subscribe only to the first half of the topics."""
    is_troubled: bool = False
    """Whether partitions get stuck and topics are recreated."""
    uncommitted: float = 0.0
    """Share of its partitions that never have a committed offset."""
    unanswered: float = 0.0
    """Probability that the brokers report no offsets for one of its topics."""
    reset: str | None = None
    """Its ``auto.offset.reset``, if configured."""
    script: tuple[tuple[int, FleetEvent], ...] = ()
    """Scheduled events by snapshot, in addition to random ones."""
    stuck_at: int = NEVER
    """The snapshot from which its first partition is stuck."""
    cluster: int = 0
    """Index into ``CLUSTERS``."""
    number: int = 0
    """The group's number in the fleet."""


Traits: TypeAlias = npt.NDArray[np.void]
"""(G,) groups, with the fields of ``GroupTraits`` as columns."""
_COLUMNS: Final = np.dtype(
    [
        (name, {int: "i8", float: "f8", bool: "?"}.get(kind, "O"))
        for name, kind in get_type_hints(GroupTraits).items()
    ]
)


def traits_of(*groups: GroupTraits, **columns: object) -> Traits:
    """Return the numbered traits of these groups; the other columns apply to all of them."""
    traits = np.array(list(groups), _COLUMNS)
    for name, values in {"number": np.arange(len(groups)), **columns}.items():
        traits[name] = values
    return traits


def heavy_tailed(groups: int, partitions: int, random: np.random.Generator) -> Traits:
    """Draw mostly small groups and a few huge ones.

    Partitions add up to the requested number within one percent, if that is possible with at least
    one per group.
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
    """Draw equal groups without events, for benchmarks: four topics, ten partitions a member."""
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
    """Return integers of at least 1, proportional to the weights, with about this total."""
    low, high = 0.0, 2.0 * total / weights.min()
    for _ in range(80):
        middle = (low + high) / 2
        fits = int(np.maximum(1, weights * middle).astype(np.int64).sum()) <= total
        low, high = (middle, high) if fits else (low, middle)
    return np.maximum(1, weights * low).astype(np.int64)
