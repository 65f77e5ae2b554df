"""How long the Fleet page takes to read its tables: ``python -m benchmarks.fleet_page [DIR]``.

DIR is the pipeline's ``--output``; default: the sample's tables. ``benchmarks.fleet``
runs it over the fleet that it measures.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median
from typing import Final

import pandas as pd

from benchmarks.measuring import markdown
from benchmarks.processes import cost_s
from schemas.tables import AS_IT_WAS
from sources.fleet.heatmaps import member_heatmap
from sources.fleet.history import by_strategy, history, history_rows, loads
from sources.fleet.location import SAMPLE
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, totals, within

_RUNS: Final = 5


def first_view(folder: str) -> None:
    """Read all that the page shows first, as if nothing were cached."""
    fleet = open_fleet(edition_of(folder))
    totals(as_it_was(fleet, Scope()))
    fleet.count("rejected")
    ranking(fleet, Scope())


def rank(fleet: Fleet, groups: pd.DataFrame, scope: Scope) -> None:
    """Rank a part for which nothing is worked out in advance."""
    totals(within(groups, scope))
    ranking(fleet, scope)


def one_group(fleet: Fleet, groups: pd.DataFrame) -> None:
    """Read a group's history under every strategy, and its consumers under one."""
    group = groups["cluster"][0], groups["group_id"][0]
    rows = history_rows(fleet, *group, Scope())
    history(rows)
    by_strategy(rows)
    member_heatmap(loads(fleet, *group, AS_IT_WAS, Scope()), "lag")


def clicks(folder: str) -> Mapping[str, Callable[[], object]]:
    """Return the measured actions of a visitor, by name."""
    fleet = open_fleet(edition_of(folder))
    groups = as_it_was(fleet, Scope())
    middle = groups["snapshot_at"][len(groups) // 2]
    return {
        "all that it shows first": partial(first_view, folder),
        "the ranking of another window": partial(rank, fleet, groups, Scope(since=middle)),
        "a group's history and its consumers": partial(one_group, fleet, groups),
    }


def report(folder: str) -> Iterator[str]:
    """Yield the medians over five runs."""
    rows = open_fleet(edition_of(folder)).count("group_summary")
    yield f"## The Fleet page over {rows:,} rows of group_summary, nothing cached\n"
    lines = []
    for what, click in clicks(folder).items():
        runs = [cost_s(click) for _ in range(_RUNS)]
        seconds, cpu_s = (f"{median(each):.2f}" for each in zip(*runs, strict=True))
        lines.append({"what": what, "seconds": seconds, "CPU-seconds": cpu_s})
    yield markdown(lines)


if __name__ == "__main__":
    print("\n".join(report(sys.argv[1] if len(sys.argv) > 1 else str(SAMPLE))))
