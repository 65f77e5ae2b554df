"""Traits of groups, drawn for a whole fleet: names, sizes, load and behaviour."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.model import BoolArray, FloatArray, LongArray
from assignors.registry import STRATEGIES

Traits: TypeAlias = npt.NDArray[np.void]
"""(G,) groups.

``number`` counts within the fleet, ``cluster`` within ``CLUSTERS``; ``strategy`` is one of
``SHIPPED``. ``topics``, ``partitions`` (at least one a topic) and ``members`` are sizes. The group
gets ``rate`` records/s, averaged over the day; ``skew`` is the sigma of the lognormal that spreads
them over the partitions; ``headroom`` the ratio of what the consumers can read to the rate;
``behind_s`` the median lag at the start, in seconds of production. ``churn`` is the expected number
of rebalances per snapshot. ``stuck`` and ``uncommitted`` are shares of its partitions: those that
make no progress from some snapshot on, and those that never have a commit.
"""
CLUSTERS: Final = ("payments-eu", "logistics-eu", "analytics-us")
SHIPPED: Final = tuple(
    name for name, s in STRATEGIES.items() if s.client_class or s.remote_assignor
)
"""The strategies that groups of a real fleet can be configured to use."""
_COLUMNS: Final = np.dtype(
    [
        *((name, "O") for name in ("name", "strategy")),
        *((name, "i8") for name in ("number", "cluster", "topics", "partitions", "members")),
        *((name, "f8") for name in ("rate", "skew", "headroom", "behind_s", "churn")),
        *((name, "f8") for name in ("stuck", "uncommitted")),
        *((name, "?") for name in ("is_static", "has_racks")),
    ]
)
_DOMAINS: Final = ("billing", "cart", "fraud", "orders", "pricing", "returns", "search", "stock")
_TASKS: Final = ("alerts", "archiver", "enricher", "indexer", "ledger", "matcher", "router")
_EVENTS: Final = ("accepted", "changed", "created", "deleted", "errors", "retries", "updates")


def group_name(number: int) -> str:
    """Return the distinct id of a group.

    >>> group_name(1), group_name(57)
    ('cart-archiver-0', 'cart-archiver-1')
    """
    domain, task = _DOMAINS[number % len(_DOMAINS)], _TASKS[number % len(_TASKS)]
    return f"{domain}-{task}-{number // (len(_DOMAINS) * len(_TASKS))}"


def topic_names(group: str, count: int) -> list[str]:
    """Return the topics that only this group reads, in Java's string order.

    >>> topic_names("cart-alerts-0", 2)
    ['cart-alerts-0.accepted.0', 'cart-alerts-0.changed.0']
    """
    laps = ((_EVENTS[t % len(_EVENTS)], t // len(_EVENTS)) for t in range(count))
    return sorted(f"{group}.{event}.{lap}" for event, lap in laps)


def heavy_tailed(groups: int, partitions: int, random: np.random.Generator) -> Traits:
    """Draw mostly small groups and a few huge ones.

    Partitions add up to the requested number within one percent, if that is possible with at least
    one per group.
    """

    def some(share: float) -> BoolArray:
        return random.random(groups) < share

    sizes = _scaled(np.minimum(random.pareto(1.15, groups) + 0.15, groups / 3 + 1), partitions)
    members = 1 + (sizes * random.beta(1.2, 2.5, groups)).astype(np.int64)
    members += some(0.06) * random.integers(1, 4, groups)
    is_troubled = some(0.15)
    return _traits(
        groups,
        cluster=random.choice(len(CLUSTERS), groups, p=[0.5, 0.3, 0.2]),
        topics=np.minimum(sizes, 1 + np.minimum(random.pareto(1.3, groups), 200).astype(np.int64)),
        partitions=sizes,
        members=np.minimum(members, 10_000),
        strategy=random.choice(SHIPPED, groups),
        rate=sizes * random.lognormal(1.5, 1.6, groups),
        skew=random.choice([0.15, 0.5, 1.2], groups, p=[0.5, 0.35, 0.15]),
        headroom=random.lognormal(0.8, 0.5, groups),
        behind_s=random.lognormal(2.0, 1.8, groups),
        churn=random.choice([0.0, 0.02, 0.1], groups, p=[0.6, 0.3, 0.1]),
        stuck=is_troubled * 0.01,
        uncommitted=is_troubled * 0.05,
        is_static=some(0.2),
        has_racks=some(0.4),
    )


def uniform(
    groups: int, partitions: int, members: int | None, random: np.random.Generator
) -> Traits:
    """Draw equal groups without events, for benchmarks: four topics, ten partitions a member."""
    each = max(1, partitions // groups)
    return _traits(
        groups,
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


def _traits(groups: int, **columns: npt.ArrayLike) -> Traits:
    """Return numbered and named groups; what is not given never happens to them."""
    traits = np.zeros(groups, _COLUMNS)
    numbers = np.arange(groups)
    names = np.array([group_name(number) for number in range(groups)], object)
    for name, values in {"number": numbers, "name": names, **columns}.items():
        traits[name] = values
    return traits


def _scaled(weights: FloatArray, total: int) -> LongArray:
    """Return integers of at least 1, proportional to the weights, with about this total."""
    low, high = 0.0, 2.0 * total / weights.min()
    for _ in range(80):
        middle = (low + high) / 2
        fits = int(np.maximum(1, weights * middle).astype(np.int64).sum()) <= total
        low, high = (middle, high) if fits else (low, middle)
    return np.maximum(1, weights * low).astype(np.int64)
