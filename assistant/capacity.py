"""The plans of a group's consumers, as an assistant asks for them."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from assignors.catalogue import strategies as all_strategies
from assignors.catalogue import strategy_called
from assignors.strategy import Strategy
from assistant import answers
from evaluation.assuming.clients import Client, runs_as
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import (
    ConsumerPlan,
    PlanQuestion,
    is_known,
    plan_of,
    plan_search,
    rests_on,
)
from evaluation.capacity.search import SearchRange
from evaluation.capacity.slices import TrialSetup
from evaluation.measuring.facts import Facts

_MOST_TRIED: Final = 200
_MOST_WORK: Final = 1_000_000
"""Numbers of consumers times partitions that are tried one by one."""


def planned(names: Sequence[str] | None, client: Client) -> Sequence[Strategy]:
    """Return the named strategies; by default the client's and the custom ones."""
    if names is None:
        return client.strategies
    wanted = set(map(strategy_called, names))
    return [strategy for strategy in all_strategies().values() if strategy in wanted]


def plans_of(setup: TrialSetup, strategies: Sequence[Strategy], facts: Facts) -> list[ConsumerPlan]:
    """Return the plan under each strategy, begun as after a switch to it."""
    group = setup.group
    fewest = consumer_limits(group, setup.capacity).fewest
    scope = SearchRange(
        fewest=fewest or 1,
        most=setup.most,
        exhaustive=min(_MOST_WORK // max(group.partition_count, 1), _MOST_TRIED),
    )
    trials = setup.trials()
    if fewest is not None and is_known(facts):
        for _ in plan_search(trials, strategies, scope):
            pass
    asked = PlanQuestion(
        today=group.member_count,
        rests_on=rests_on(facts),
        is_known=is_known(facts),
        is_least=facts.speed.is_least,
        headroom=setup.headroom,
    )
    return [plan_of(strategy, trials, scope, asked) for strategy in strategies]


def needed(plan: ConsumerPlan) -> answers.ConsumersNeeded:
    """Return a plan as an assistant reads it."""
    ends, raised = plan.ends_s, plan.ends_with_headroom_s
    return answers.ConsumersNeeded(
        strategy=plan.strategy.name,
        label=plan.strategy.label,
        runs_as=runs_as(plan.strategy),
        kind=plan.kind.value,
        consumers=plan.consumers,
        least=plan.least,
        late_between=list(plan.late_between),
        seconds=ends if np.isfinite(ends) else None,
        seconds_with_headroom=raised if np.isfinite(raised) else None,
        untried_above=plan.untried,
    )
