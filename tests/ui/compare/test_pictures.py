"""Which strategies are drawn."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assignors.model import Group
from evaluation.advice import Advice
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.load import Load
from evaluation.outlook import Outlook
from tests.charts.outcomes import outcome
from tests.compared import knowing
from ui.compare.pictures import drawn_of

GROUP = Group.of(["t"], [2], ["a", "b"], owners=[0, 0], lags=[10, 10])
OUTLOOK = Outlook(
    owners=np.array([0, 1], np.int32),
    max_loads=np.array([10]),
    max_lags=np.array([10]),
    max_counts=np.array([1]),
    moves=np.array([1]),
)
SAME = [
    replace(outcome(GROUP, [0, 1], name), outlook=OUTLOOK)
    for name in ("range", "roundrobin", "sticky", "cooperative-sticky", "fair", "lag-based")
]
OTHER = replace(outcome(GROUP, [0, 0], "load-sticky"), outlook=OUTLOOK)


def recommending(of: str, outcomes: Sequence[Outcome]) -> Comparison:
    recommended = next(each for each in SAME if each.name == of)
    advice = Advice(now=None, settable=recommended, custom=None, load=Load())
    return knowing(GROUP, advice, outcomes)


def test_of_strategies_with_the_same_futures_the_recommended_one_is_drawn() -> None:
    for name in ("roundrobin", "sticky"):
        drawn = [each.name for each in drawn_of(recommending(name, [*SAME, OTHER]))]

        assert drawn == [name, "load-sticky"]


def test_where_all_fit_in_a_row_all_are_drawn() -> None:
    assert len(drawn_of(recommending("roundrobin", SAME))) == len(SAME)
