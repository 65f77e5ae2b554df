"""Everything measured once, then put into tables."""

import sys
from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks import ours
from benchmarks.measuring import Budget, Competitor
from benchmarks.plan import Sizes, growth, sections
from benchmarks.small_groups import fleet_costs
from benchmarks.table import (
    Row,
    build_table,
    fleet_table,
    growth_table,
    section_table,
    wall_table,
)
from benchmarks.workloads import Case

_MEMORY_FROM: Final = 100_000
"""Partitions; with fewer, the interpreter's own ups and downs are larger."""


def report(sizes: Sizes, competitors: Sequence[Competitor], budget: Budget) -> Iterator[str]:
    """Yield table after table, as soon as everybody asked has been measured."""
    rows = _Rows(competitors, budget)
    tables = [section for section in sections(sizes) if section.cases]
    for section in tables:
        yield section_table(section, rows)
    yield growth_table(growth(sizes), rows)
    yield build_table(ours.build_costs(sizes.large, budget))
    yield fleet_table(fleet_costs(sizes.fleet, budget))
    yield wall_table(tables, rows)


class _Rows(dict[Case, Row]):
    """Every workload's row, measured when it is first asked for."""

    def __init__(self, competitors: Sequence[Competitor], budget: Budget) -> None:
        super().__init__()
        self._competitors = competitors
        self._budget = budget

    def __missing__(self, case: Case) -> Row:
        print(f"{case.workload}: {case.shape}", file=sys.stderr, flush=True)
        self[case] = row = _measured(case, self._competitors, self._budget)
        return row


def _measured(case: Case, competitors: Sequence[Competitor], budget: Budget) -> Row:
    """Return one workload, measured by us and by those competitors that know it."""
    group = case.group()
    return Row(
        case,
        ours.measure(case.strategy, group, budget),
        {
            competitor.name: competitor.measure(case.strategy, group, budget)
            for competitor in competitors
            if competitor.name in case.against and case.strategy in competitor.strategies
        },
        ours.memory_mb(case) if case.shape.partitions >= _MEMORY_FROM else None,
    )
