import numpy as np
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.rules import InvalidAssignmentError
from assignors.strategy import Strategy
from evaluation.comparing.outcomes import NOW, as_it_is_now, at_next_rebalance
from tests.named import named

GROUP = Group.fresh({"t": 3}, ["c0", "c1"], {"t": [5, 6, 7]})


def test_outcomes_are_in_the_requested_order_with_owners_and_figures() -> None:
    outcomes = at_next_rebalance(GROUP, named("roundrobin", "range"))

    assert [outcome.name for outcome in outcomes] == ["roundrobin", "range"]
    assert [outcome.owners.tolist() for outcome in outcomes] == [[0, 1, 0], [0, 0, 1]]
    assert [outcome.figures.max_lag for outcome in outcomes] == [12, 11]
    assert outcomes[0].label == STRATEGIES["roundrobin"].label


def test_a_cooperative_strategy_is_shown_where_it_ends() -> None:
    owned = GROUP.owned_by(np.zeros(3, np.int32))

    (outcome,) = at_next_rebalance(owned, named("cooperative-sticky"))

    assert outcome.figures.unowned == 0
    assert outcome.figures.moved == 1


def test_an_answer_that_breaks_a_rule_is_not_shown() -> None:
    broken = Strategy(name="broken", label="Broken", assign=Group.nobody)

    with pytest.raises(InvalidAssignmentError, match="t-0 has subscribers but no owner"):
        at_next_rebalance(GROUP, [broken])


def test_the_present_owners_are_an_outcome_too() -> None:
    owned = GROUP.owned_by(np.array([1, -1, 1], np.int32))

    outcome = as_it_is_now(owned)

    assert outcome is not None
    assert (outcome.name, outcome.label) == (NOW, "As it is now")
    assert (outcome.figures.max_lag, outcome.figures.unowned, outcome.figures.moved) == (12, 1, 0)


def test_a_group_that_owns_nothing_has_no_present() -> None:
    assert as_it_is_now(GROUP) is None
