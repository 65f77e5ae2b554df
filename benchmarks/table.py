"""The report: what was measured, as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from assignors.model import LongArray, Owners
from benchmarks.measuring import Cost, Measured
from benchmarks.plan import Section
from benchmarks.small_groups import FleetCost
from benchmarks.workloads import COMPETITORS, Case

_WHOLE: int = 100
"""From here on, milliseconds are shown without decimals."""

HOW_TO_READ = """\
A workload is topics x partitions of each x members. Times are milliseconds of CPU, medians of
three to seven runs after a warm-up; neighbours on the machine disturb them less than the clock on
the wall, by which the last table goes. A ratio is the competitor's time divided by ours.

- **ours** starts from a `Group` of arrays with nothing worked out before, and ends with the
  owner of every partition. **MB** is the most memory held meanwhile, the group included, above
  the interpreter with everything imported. Building the group is not part of it and has a table of
  its own: a million partitions by name, without present owners, cost more than assigning them.
- **Kafka's Java** is `assignPartitions` of the released classes, warmed up, on maps built
  beforehand, as Kafka's own tests call it; the compiler's and the garbage collector's threads do
  not count as CPU time. Its eager sticky assignor reads present owners out of the members' user
  data, as it must in a real group; the cooperative one finds them read.
- **kafka-python** is `assign` of its assignors on decoded subscriptions. Its sticky assignors
  take minutes on the large groups, hence the small ones.
- **librdkafka** can only be asked as the leader of a group. A stand-in for a broker makes one
  consumer the leader of all members, and takes the time from its last answer to the leader's
  assignment. Taking in the metadata and writing the assignment down are part of it: by its own
  log a quarter of the time of range, next to nothing of the sticky one's.
- **answer** compares with ours, partition by partition: *same owners*; or *same counts*, where
  the numbers of partitions agree but not which; or by how much members' counts differ there, and
  here.

Below some thousand partitions our time is what calling numpy costs, and Java may be faster.
"""


class Row(NamedTuple):
    """One workload, by everybody who was asked."""

    case: Case
    ours: Measured
    theirs: Mapping[str, Measured]
    memory_mb: float | None = None


def section_table(section: Section, rows: Mapping[Case, Row]) -> str:
    """Return CPU times, a line a workload, with a time and a ratio for each competitor asked."""
    shown = [rows[case] for case in section.cases]
    asked = _asked(shown)
    has_memory = any(row.memory_mb is not None for row in shown)
    head = ["workload", "ours"]
    for name in asked:
        head += [name, "ratio"]
    head += ["MB"] * has_memory + ["answer"] * bool(asked)
    lines = []
    for row in shown:
        cells = [row.case.workload, _figures(row.ours.cost.cpu_ms)]
        for name in asked:
            cells += _time_and_ratio(row.ours, row.theirs.get(name))
        cells += [_figures(row.memory_mb)] * has_memory + [_agreement(row)] * bool(asked)
        lines.append(cells)
    return f"## {section.title}\n\n{markdown(head, lines)}\n"


def growth_table(cases: Sequence[Sequence[Case]], rows: Mapping[Case, Row]) -> str:
    """Return how CPU time grows with the number of partitions, ours and each competitor's."""
    sizes = [f"{case.shape.partitions:,}" for case in cases[0]]
    lines = []
    for along in cases:
        for who, costs in _costs_by_who([rows[case] for case in along]):
            grown = f"x {_figures(costs[-1].cpu_ms / costs[0].cpu_ms)}"
            cells = [_figures(cost.cpu_ms) for cost in costs]
            lines.append([along[0].workload, who, *cells, grown])
    title = "Growth with the number of partitions: " + ", ".join(str(c.shape) for c in cases[0])
    return f"## {title}\n\n{markdown(['workload', 'who', *sizes, 'growth'], lines)}\n"


def build_table(costs: Mapping[str, Cost]) -> str:
    """Return what it costs to build a group."""
    lines = [[what, _figures(cost.cpu_ms)] for what, cost in costs.items()]
    return f"## Building the group\n\n{markdown(['group', 'ours'], lines)}\n"


def fleet_table(costs: Mapping[str, FleetCost]) -> str:
    """Return what small groups cost, in microseconds: each strategy alone, and one by one."""
    lines = [
        [step, _figures(cost.alone_us), _figures(cost.together_us)] for step, cost in costs.items()
    ]
    table = markdown(["step", "alone", "after those above"], lines)
    return f"## A fleet of small groups: microseconds a group\n\n{table}\n"


def wall_table(sections: Iterable[Section], rows: Mapping[Case, Row]) -> str:
    """Return the same workloads by the clock on the wall."""
    shown = [rows[case] for section in sections for case in section.cases]
    asked = _asked(shown)
    lines = [
        [f"{row.case.strategy}, {row.case.event.value}", str(row.case.shape)]
        + [_figures(row.ours.cost.wall_ms)]
        + [
            _figures(row.theirs[name].cost.wall_ms if name in row.theirs else None)
            for name in asked
        ]
        for row in shown
    ]
    table = markdown(["workload", "size", "ours", *asked], lines)
    return f"## By the clock on the wall\n\n{table}\n"


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table whose columns line up as plain text, too; all but the first to the right."""
    rows = [list(head), *map(list, lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    text = [
        [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in [text[0], rule, *text[1:]])


def compared(ours: Owners, theirs: Owners) -> str:
    """Return in what two answers agree, and if in nothing, how even each is."""
    if np.array_equal(ours, theirs):
        return "same owners"
    if np.array_equal(_sorted_counts(ours), _sorted_counts(theirs)):
        return "same counts"
    return f"differ by {np.ptp(_sorted_counts(theirs))}, here by {np.ptp(_sorted_counts(ours))}"


def _sorted_counts(owners: Owners) -> LongArray:
    """Return how many partitions members own, as far as they own any."""
    counts = np.bincount(owners[owners >= 0])
    return np.sort(counts[counts > 0])


def _asked(rows: Iterable[Row]) -> list[str]:
    named = {name for row in rows for name in row.theirs}
    return [name for name in COMPETITORS if name in named]


def _figures(value: float | None) -> str:
    """Return three figures that count."""
    if value is None:
        return "-"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= _WHOLE else f"{value:.3g}"


def _time_and_ratio(ours: Measured, theirs: Measured | None) -> tuple[str, str]:
    if theirs is None:
        return "-", "-"
    ratio = theirs.cost.cpu_ms / ours.cost.cpu_ms
    return _figures(theirs.cost.cpu_ms), f"x {_figures(ratio)}"


def _costs_by_who(rows: Sequence[Row]) -> Iterator[tuple[str, list[Cost]]]:
    yield "ours", [row.ours.cost for row in rows]
    for name in _asked(rows):
        yield name, [row.theirs[name].cost for row in rows]


def _agreement(row: Row) -> str:
    """Return what the others' answers have in common with ours; names where they differ in it."""
    verdicts: dict[str, list[str]] = {}
    for name, measured in row.theirs.items():
        verdicts.setdefault(compared(row.ours.owners, measured.owners), []).append(name)
    if len(verdicts) == 1:
        return next(iter(verdicts))
    return "; ".join(f"{verdict}: {', '.join(names)}" for verdict, names in verdicts.items())
