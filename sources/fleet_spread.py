"""How groups are spread over a figure: how many have so much of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd

AS_FOUND: Final = "as it was"
THEN: Final = "under the strategy that serves best"
_EVENNESS: Final = (1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 30)
_SHARES: Final = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_IDLE: Final = (0, 1, 2, 3, 6, 11, 31, 101)


@dataclass(frozen=True)
class Spread:
    """A histogram over groups, its steps as wide as people want them."""

    steps: tuple[str, ...]
    groups: Mapping[str, tuple[int, ...]]
    """Name of the series to the groups in each step."""
    unknown: int
    """Groups of the first series of which the figure is not known."""


def evenness(ranking: pd.DataFrame) -> Spread:
    """Return the largest lag over the mean, as it was and under the best strategy."""
    steps = [
        *(f"{low:g} to {high:g}" for low, high in pairwise(_EVENNESS)),
        f"{_EVENNESS[-1]} and more",
    ]
    columns = {AS_FOUND: "max_over_mean_as_it_was", THEN: "max_over_mean"}
    return _spread(ranking, columns, _EVENNESS, steps)


def gain_shares(ranking: pd.DataFrame) -> Spread:
    """Return what switching takes off the fullest consumer, as a share of what it has."""
    above_zero = np.nextafter(0, 1)
    edges = (0.0, above_zero, *_SHARES[1:])
    steps = ["nothing", *(f"{100 * low:.0f} to {100 * low + 10:.0f}" for low in _SHARES)]
    return _spread(ranking, {"groups": "gain_share"}, edges, steps)


def idle_consumers(ranking: pd.DataFrame) -> Spread:
    """Return how many consumers are idle, mean over the snapshots, rounded."""
    rounded = ranking.assign(idle_members=ranking["idle_members"].round())
    steps = [
        str(low) if high == low + 1 else f"{low} to {high - 1}" for low, high in pairwise(_IDLE)
    ]
    steps[0] = "none"
    return _spread(rounded, {"groups": "idle_members"}, _IDLE, [*steps, f"{_IDLE[-1]} and more"])


def _spread(
    ranking: pd.DataFrame,
    columns: Mapping[str, str],
    edges: Sequence[float],
    steps: Sequence[str],
) -> Spread:
    """Count groups from each edge up to the next; what lies below the first counts there."""
    groups = {}
    for name, column in columns.items():
        known = ranking[column].dropna().to_numpy(np.float64)
        at = np.searchsorted(np.asarray(edges), known, side="right") - 1
        counted = np.bincount(np.maximum(at, 0), minlength=len(steps))
        groups[name] = tuple(counted.tolist())
    first = ranking[next(iter(columns.values()))]
    return Spread(tuple(steps), groups, int(first.isna().sum()))
