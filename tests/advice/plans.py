"""What Capacity says of a case, from the case's facts and nothing else."""

from dataclasses import replace

from evaluation.capacity.draining import Capacity
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.search import SearchRange, minimum, search, try_numbers
from evaluation.capacity.trials import Trials
from tests.advice.groups import Case
from tests.named import named
from ui.capacity.findings import Findings
from ui.capacity.inputs import condition
from ui.capacity.words import answer, today
from ui.capacity.work import present_drain_s

_STRATEGIES = ("range", "roundrobin", "sticky", "lag-capped")


def planned(case: Case, allowed_s: float = 600.0) -> Findings:
    """Return what Capacity finds out without a pause."""
    group = replace(case.group, offsets=replace(case.group.offsets, rates=case.facts.arriving))
    capacity = Capacity(
        throughput=case.facts.speed.records_s, allowed_s=allowed_s, pause_s=0.0, partition_cap=None
    )
    limits = consumer_limits(group, capacity)
    scope = SearchRange(
        fewest=limits.fewest or 1,
        most=max(group.partition_count, group.member_count),
        exhaustive=99,
    )
    trials, strategies = Trials(group, capacity, scope.most), named(*_STRATEGIES)
    if limits.fewest is not None:
        list(search(trials, strategies, scope))
    if group.member_count:
        list(try_numbers(trials, strategies, [group.member_count]))
    curves = [trials.curve(each) for each in strategies]
    return Findings(
        group=group,
        is_least=case.facts.speed.is_least,
        capacity=capacity,
        limits=limits,
        scope=scope,
        curves=curves,
        minima=[minimum(curve, scope) for curve in curves],
        now=present_drain_s(group, capacity),
    )


def capacity_says(case: Case, allowed_s: float = 600.0) -> str:
    """Return the headline and what it says of today, as plain text."""
    found = planned(case, allowed_s)
    return f"{answer(found, condition(case.facts))} {today(found)}"
