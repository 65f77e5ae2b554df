"""Traits of groups: sizes, load, habits; drawn for a whole fleet."""

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Final, Self

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
RESETS: Final = ("earliest", "none")
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Traits:
    """G groups; every array and tuple is (G,)."""

    names: tuple[str, ...]
    number: LongArray
    """Which group of the fleet."""
    cluster: LongArray
    topics: LongArray
    partitions: LongArray
    """Over all topics, at the start; at least one a topic."""
    members: LongArray
    """At the start; more than partitions leaves some idle."""
    strategy: LongArray
    """Which of ``SHIPPED`` gives the group its owners."""
    rate: FloatArray
    """Records/s produced to the group at a mean hour."""
    skew: FloatArray
    """Sigma of the lognormal that spreads the rate over the partitions."""
    headroom: FloatArray
    """What its consumers can read, over what is produced at a mean hour."""
    behind_s: FloatArray
    """Median lag at the start, in seconds of production."""
    churn: FloatArray
    """Rebalances expected a snapshot."""
    is_static: BoolArray
    has_racks: BoolArray
    is_mixed: BoolArray
    """Some consumers subscribe to the first half of the topics only."""
    is_troubled: BoolArray
    """Stuck partitions and recreated topics happen here."""
    unanswered: FloatArray
    """How often the brokers report no offsets for one of its topics."""
    uncommitted: FloatArray
    """Which share of its partitions never has a committed offset."""
    reset: LongArray
    """Which of ``RESETS`` is configured; -1: none, so Kafka's default, latest."""
    script: tuple[tuple[tuple[int, Event], ...], ...]
    """What happens at which snapshot for certain, beside what chance brings."""
    stuck_at: LongArray
    """The snapshot from which its first partition is stuck for good, or ``NEVER``."""

    def __len__(self) -> int:
        """Return G."""
        return self.number.size

    def part(self, first: int, last: int) -> Self:
        """Return the groups from first to last, without the last."""
        return type(self)(**{f.name: getattr(self, f.name)[first:last] for f in fields(self)})


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
    return Traits(
        names=tuple(map(group_name, range(groups))),
        number=np.arange(groups),
        cluster=random.choice(len(CLUSTERS), groups, p=[0.5, 0.3, 0.2]),
        topics=topics,
        partitions=sizes,
        members=np.minimum(members, 10_000),
        strategy=random.choice(len(SHIPPED), groups),
        rate=sizes * random.lognormal(1.5, 1.6, groups),
        skew=random.choice([0.15, 0.5, 1.2], groups, p=[0.5, 0.35, 0.15]),
        headroom=random.lognormal(0.8, 0.5, groups),
        behind_s=random.lognormal(2.0, 1.8, groups),
        churn=random.choice([0.0, 0.02, 0.1], groups, p=[0.6, 0.3, 0.1]),
        is_static=some(0.2),
        has_racks=some(0.4),
        is_mixed=some(0.03) & (topics > 1),
        is_troubled=is_troubled,
        uncommitted=np.where(is_troubled, _UNCOMMITTED, 0.0),
        unanswered=np.where(is_troubled, _UNANSWERED, 0.0),
        reset=random.choice([-1, 0, 1], groups, p=[0.8, 0.15, 0.05]),
        script=((),) * groups,
        stuck_at=np.full(groups, NEVER),
    )


def uniform(
    groups: int, partitions: int, members: int | None, random: np.random.Generator
) -> Traits:
    """Draw groups of equal size without events, for benchmarks; four topics, 1 in 10 owns."""
    each = max(1, partitions // groups)
    owning = members or max(1, each // 10)
    no, whole = np.zeros(groups, np.bool_), np.ones(groups, np.int64)
    return Traits(
        names=tuple(map(group_name, range(groups))),
        number=np.arange(groups),
        cluster=np.arange(groups) % len(CLUSTERS),
        topics=whole * min(4, each),
        partitions=whole * each,
        members=whole * owning,
        strategy=np.arange(groups) % len(SHIPPED),
        rate=each * random.lognormal(1.5, 1.0, groups),
        skew=np.full(groups, 1.0),
        headroom=np.full(groups, 1.5),
        behind_s=np.full(groups, 60.0),
        churn=np.zeros(groups),
        is_static=no,
        has_racks=no,
        is_mixed=no,
        is_troubled=no,
        uncommitted=np.zeros(groups),
        unanswered=np.zeros(groups),
        reset=np.full(groups, -1),
        script=((),) * groups,
        stuck_at=np.full(groups, NEVER),
    )


def _scaled(weights: npt.NDArray[np.float64], total: int) -> LongArray:
    """Return whole numbers of at least 1, proportional to the weights, of about the total."""
    low, high = 0.0, 2.0 * total / weights.min()
    for _ in range(80):
        middle = (low + high) / 2
        fits = int(np.maximum(1, weights * middle).astype(np.int64).sum()) <= total
        low, high = (middle, high) if fits else (low, middle)
    return np.maximum(1, weights * low).astype(np.int64)
