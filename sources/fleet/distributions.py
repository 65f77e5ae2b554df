"""Distributions of figures over the groups, as histograms with round steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd

from sources.errors import guarded

AS_IT_WAS_SERIES: Final = "as it was"
BEST_SERIES: Final = "under the best strategy"
_EVENNESS: Final = (1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 30)
_SHARES: Final = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_IDLE: Final = (0, 1, 2, 3, 6, 11, 31, 101)


@dataclass(frozen=True)
class Distribution:
    """A histogram over groups, with steps of uneven width."""

    steps: tuple[str, ...]
    groups: Mapping[str, tuple[int, ...]]
    """Name of the series to the groups in each step."""
    unknown: int
    """Groups of the first series whose figure is unknown."""


def evenness(ranking: pd.DataFrame) -> Distribution:
    """Return the largest lag over the mean, as recorded and under the best strategy."""
    steps = [
        *(f"{low:g} to {high:g}" for low, high in pairwise(_EVENNESS)),
        f"{_EVENNESS[-1]} and more",
    ]
    columns = {AS_IT_WAS_SERIES: "max_over_mean_as_it_was", BEST_SERIES: "max_over_mean"}
    return _distribution(ranking, columns, _EVENNESS, steps)


def gain_shares(ranking: pd.DataFrame) -> Distribution:
    """Return by what share switching lowers the busiest consumer's lag."""
    above_zero = np.nextafter(0, 1)
    edges = (0.0, above_zero, *_SHARES[1:])
    steps = ["nothing", *(f"{100 * low:.0f} to {100 * low + 10:.0f}" for low in _SHARES)]
    return _distribution(ranking, {"groups": "gain_share"}, edges, steps)


def idle_consumers(ranking: pd.DataFrame) -> Distribution:
    """Return the number of idle consumers, as a rounded mean over the snapshots."""
    rounded = ranking.assign(idle_members=ranking["idle_members"].round())
    steps = [
        str(low) if high == low + 1 else f"{low} to {high - 1}" for low, high in pairwise(_IDLE)
    ]
    steps[0] = "none"
    return _distribution(
        rounded, {"groups": "idle_members"}, _IDLE, [*steps, f"{_IDLE[-1]} and more"]
    )


@guarded("the tables")
def _distribution(
    ranking: pd.DataFrame,
    columns: Mapping[str, str],
    edges: Sequence[float],
    steps: Sequence[str],
) -> Distribution:
    """Count groups from each edge up to the next; values below the first edge count there."""
    bins = [*edges, np.inf]
    groups = {
        name: tuple(np.histogram(ranking[column].dropna().clip(lower=edges[0]), bins)[0].tolist())
        for name, column in columns.items()
    }
    first = ranking[next(iter(columns.values()))]
    return Distribution(tuple(steps), groups, int(first.isna().sum()))
