"""Which strategies are drawn."""

from dataclasses import replace

import numpy as np

from assignors.model import Group
from evaluation.advice import Advice
from evaluation.outlook import Outlook
from tests.charts.outcomes import outcome
from ui.compare.pictures import each_once

GROUP = Group.of(["t"], [2], ["a", "b"], owners=[0, 0], lags=[10, 10])
OUTLOOK = Outlook(
    owners=np.array([0, 1], np.int32),
    max_lags=np.array([10]),
    max_counts=np.array([1]),
    moves=np.array([1]),
)
SAME = [
    replace(outcome(GROUP, [0, 1], name), outlook=OUTLOOK)
    for name in ("range", "roundrobin", "sticky", "cooperative-sticky", "fair", "lag-based")
]
OTHER = replace(outcome(GROUP, [0, 0], "load-sticky"), outlook=OUTLOOK)


def advice(of: str) -> Advice:
    recommended = next(each for each in SAME if each.name == of)
    return Advice(now=None, settable=recommended, custom=None, by_lag=True)


def test_of_strategies_with_the_same_futures_the_recommended_one_is_drawn() -> None:
    for name in ("roundrobin", "sticky"):
        drawn = [each.name for each in each_once([*SAME, OTHER], advice(name))]

        assert drawn == [name, "load-sticky"]


def test_where_all_fit_in_a_row_all_are_drawn() -> None:
    assert each_once(SAME, advice("roundrobin")) == SAME
