"""How far load-sticky is from the optimum, by brute force: ``python -m benchmarks.optimum``.

1,000 small groups of two to four consumers and three to eight partitions, half of them with unequal
subscriptions, each with owners and Pareto-distributed loads. For each budget of moves, every
assignment within it is tried for the least load of the busiest consumer.
"""

from argparse import ArgumentParser
from collections.abc import Iterable
from itertools import product
from typing import Final

import numpy as np

from assignors.lag.load_sticky import load_sticky
from assignors.lag.weights import weights_of
from assignors.layout import Layout, SubscriptionClasses
from assignors.model import UNOWNED, Group, IntArray, LongArray
from benchmarks.measuring import markdown

_MOST_ASSIGNMENTS: Final = 20_000
_NEAR: Final = 1.05
"""Within this of the optimum nothing moves by choice, because loads fluctuate."""


def drawn(random: np.random.Generator) -> Group:
    """Draw a group whose assignments can all be tried."""
    members = int(random.integers(2, 5))
    sizes = random.integers(1, 5, 2)
    is_equal = random.random() < 0.5  # noqa: PLR2004 -- half of them
    classes = [np.flatnonzero(random.random(2) < (2 if is_equal else 0.8)) for _ in range(members)]
    partitions = int(sizes.sum())
    layout = Layout.of(
        ["a", "b"],
        sizes,
        [f"c{m}" for m in range(members)],
        subscriptions=SubscriptionClasses(np.arange(members), classes),
    )
    group = Group.with_layout(
        layout,
        owners=random.integers(0, members, partitions),
        lags=np.round(100 * random.pareto(1.2, partitions)).astype(np.int64),
    )
    is_small = float(members) ** partitions <= _MOST_ASSIGNMENTS
    is_owned = (group.fit_owners != UNOWNED).all() and group.is_wanted.all()
    has_joiner = np.unique(group.fit_owners).size < members
    return group if is_small and is_owned and not has_joiner else drawn(random)


def best_by_moves(group: Group) -> LongArray:
    """Return the least load of the busiest member for each number of moves, by trying all."""
    candidates = [group.subscribers(int(t)).tolist() for t in group.topic_of_partition]
    owners: IntArray = np.array(list(product(*candidates)), np.int32)
    weights = weights_of(group).of
    loads = np.stack([((owners == m) * weights).sum(axis=1) for m in range(group.member_count)])
    moves = (owners != group.fit_owners).sum(axis=1)
    best = np.full(group.partition_count + 1, np.iinfo(np.int64).max)
    np.minimum.at(best, moves, loads.max(axis=0))
    return np.minimum.accumulate(best)


def ratio(group: Group, moves: int, best: LongArray) -> float:
    """Return the load of the busiest member over the least possible within these moves."""
    owners = load_sticky(group, moves)
    loads = np.bincount(owners, weights_of(group).of, group.member_count)
    return float(loads.max() / best[min(moves, best.size - 1)])


def row(budget: str, ratios: Iterable[float]) -> dict[str, str]:
    """Return one line of the table."""
    found = np.array(list(ratios))
    return {
        "moves allowed": budget,
        "optimal": f"{(found <= 1 + 1e-12).mean():.1%}",
        "within 5 %": f"{(found <= _NEAR).mean():.1%}",
        "mean above the optimum": f"{found.mean() - 1:.2%}",
        "worst": f"{found.max() - 1:.0%}",
    }


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(prog="python -m benchmarks.optimum", description=__doc__)
    parser.add_argument("--groups", type=int, default=1000)
    random = np.random.default_rng(0)
    groups = [drawn(random) for _ in range(parser.parse_args().groups)]
    best = [best_by_moves(group) for group in groups]
    pairs = list(zip(groups, best, strict=True))
    rows = [
        row(name, (ratio(group, moves, each) for group, each in pairs))
        for name, moves in (("1", 1), ("2", 2), ("3", 3), ("any number", 99))
    ]
    print(markdown(rows))


if __name__ == "__main__":
    main()
