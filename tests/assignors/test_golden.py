import numpy as np
import pytest

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from assignors.rules import check
from assignors.strategy import Strategy, StrategyKind
from tests.golden_cases import Case, cases, strategies_with_vectors

WITH_VECTORS = [
    strategy for name, strategy in ALL_STRATEGIES.items() if name in strategies_with_vectors()
]


def differs(strategy: Strategy, case: Case) -> bool:
    owners = check(case.group, strategy.assign(case.group), complete=strategy.target is None)
    target = check(case.group, strategy.settle(case.group))
    if not case.has_answer:
        return False
    return not case.agrees(owners) or (
        "target" in case.record and not case.agrees(target, "target")
    )


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(
            strategy,
            marks=[pytest.mark.slow] if strategy.kind is StrategyKind.OTHER_CLIENT else [],
            id=strategy.name,
        )
        for strategy in WITH_VECTORS
    ],
)
def test_the_answer_is_that_of_the_real_class(strategy: Strategy, every: int) -> None:
    tried = list(cases(strategy.name, every))

    different = [case.record["id"] for case in tried if differs(strategy, case)]

    assert tried
    assert not different, f"{len(different)} of {len(tried)} cases differ: {different}"


def test_a_member_that_the_vector_leaves_out_must_own_nothing() -> None:
    group = Group.fresh({"t": 1}, members=["c0", "c1"])
    case = Case(group, {"expected": {"c0": [["t", 0]]}})

    assert case.agrees(np.array([0], np.int32))
    assert not case.agrees(np.array([1], np.int32))
    assert not case.agrees(group.nobody())
