"""How long the Fleet page takes to read its tables: ``python -m benchmarks.fleet_page [DIR]``.

DIR is the pipeline's ``--output``, by default the sample's tables. ``benchmarks.fleet`` runs this
module on the fleet that it generates.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from benchmarks.measuring import Repeats, family_cpu_s, markdown, repeated, timed
from schemas.tables import AS_IT_WAS
from sources.fleet.heatmaps import member_heatmap
from sources.fleet.history import by_strategy, history, history_rows, loads
from sources.fleet.location import SAMPLE
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.standing import standing
from sources.fleet.totals import as_it_was, totals, within

_FIVE_TIMES: Final = Repeats(runs=5, budget_s=60)


def clicks(folder: str) -> Mapping[str, Callable[[], object]]:
    """Return the user actions to measure, by name."""
    fleet = open_fleet(edition_of(folder))
    groups = as_it_was(fleet, Scope())
    group = groups["cluster"][0], groups["group_id"][0]
    later = Scope(since=groups["snapshot_at"][len(groups) // 2])

    def first_view() -> None:
        """Read without caches."""
        fleet = open_fleet(edition_of(folder))
        rows = as_it_was(fleet, Scope())
        totals(rows)
        standing(fleet, rows, Scope(), is_checked=False)

    def check() -> None:
        """Look at last snapshots, which the page does once its table is shown."""
        standing(fleet, groups, Scope())

    def rank() -> None:
        """Rank a part of the fleet that the pipeline has not ranked."""
        rows = within(groups, later)
        totals(rows)
        standing(fleet, rows, later, is_checked=False)

    def one_group() -> None:
        """Read a group's history under every strategy, and its consumers under one."""
        rows = history_rows(fleet, *group, Scope())
        history(rows)
        by_strategy(rows)
        member_heatmap(loads(fleet, *group, AS_IT_WAS, Scope()), "load")

    return {
        "the totals and the ranking, shown first": first_view,
        "what is proposed, which follows": check,
        "the ranking of another window": rank,
        "a group's history and its consumers": one_group,
    }


def report(folder: str) -> Iterator[str]:
    """Yield the report's lines, with medians over five runs."""
    rows = open_fleet(edition_of(folder)).count("group_summary")
    yield f"## The Fleet page over {rows:,} rows of group_summary, nothing cached\n"
    lines = []
    for what, click in clicks(folder).items():
        cost, _ = repeated(partial(timed, click, family_cpu_s), _FIVE_TIMES)
        line = {"seconds": f"{cost.wall_s:.2f}", "CPU-seconds": f"{cost.cpu_s:.2f}"}
        lines.append({"what": what} | line)
    yield markdown(lines)


if __name__ == "__main__":
    print("\n".join(report(sys.argv[1] if len(sys.argv) > 1 else str(SAMPLE))))
