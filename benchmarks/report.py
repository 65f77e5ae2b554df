"""Measure every workload once and tabulate the costs."""

import os
import platform
import sys
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from assignors import naming, numbering
from assignors.model import Group, LongArray, Owners
from assignors.registry import STRATEGIES
from benchmarks.competitors import Competitor, Measured, ours
from benchmarks.measuring import Repeats, anew, markdown, repeated, three_digits, timed
from benchmarks.workloads import Case, Shape, Sizes, growth, sections

_MEMORY_FROM: Final = 100_000
"""Minimum number of partitions to measure memory; below it, interpreter noise dominates."""
_HOW_TO_READ: Final = """\
A workload is topics x partitions of each x members. Times are milliseconds of CPU, medians of
three to seven runs after a warm-up; other work on the machine disturbs them less than elapsed time.
Behind a competitor's time stands its ratio to ours.

- **ours** starts from a `Group` of arrays with nothing worked out before, and ends with the
  owner of every partition. **MB** is the most memory that Python and numpy hold meanwhile, the
  group included. Building the group is not part of it and has a table of its own: a million
  partitions by name, without present owners, cost more than assigning them.
- **Kafka's Java** is `assignPartitions` of the released classes, warmed up, on maps built
  beforehand, as Kafka's own tests call it; the compiler's and the garbage collector's threads do
  not count as CPU time. Its eager sticky assignor reads present owners out of the members' user
  data, as it must in a real group; the cooperative one finds them read.
- **librdkafka** assigns only as the leader of a group. A stand-in broker makes one consumer the
  leader and measures from its last response to the leader's assignment. Parsing metadata and
  serializing the assignment count: by its own log a quarter of the time of range, and next to
  nothing of the sticky assignor's, which takes minutes on the large groups, hence the small ones.
- **answer** compares with ours, partition by partition: *same owners*; or *same counts*, where
  the numbers of partitions agree but not which; or by how much members' counts differ there, and
  here.

Below some thousand partitions our time is what calling numpy costs, and Java may be faster.
"""


_OURS: Final = "ours"


class _Row(NamedTuple):
    """One workload, measured for us first and then for every competitor with the strategy."""

    case: Case
    measured: Mapping[str, Measured]

    def cpu_ms(self, who: str) -> float:
        """Return the CPU time in milliseconds."""
        return 1000 * self.measured[who].cost.cpu_s


def head(competitors: Sequence[Competitor], absent: Sequence[str]) -> str:
    """Return the report's header: date, machine, versions, omissions, how to read it."""
    gibibytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [f"Python {platform.python_version()}", f"numpy {version('numpy')}"]
    versions += [f"{competitor.name} {competitor.version}" for competitor in competitors]
    facts = (
        f"Made on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks`",
        f"{_processor()}, {os.cpu_count()} cores, {gibibytes:.0f} GiB",
        f"load {os.getloadavg()[0]:.1f} at the start (above 0.5: the machine had other work)",
        ", ".join(versions),
        *absent,
    )
    return "# Benchmarks\n\n" + "".join(f"- {fact}\n" for fact in facts) + f"\n{_HOW_TO_READ}"


def report(sizes: Sizes, competitors: Sequence[Competitor], budget: Repeats) -> Iterator[str]:
    """Yield the tables, once all competitors have been measured."""
    measure = cache(partial(_measured, competitors=tuple(competitors), budget=budget))
    tables = {title: [*map(measure, cases)] for title, cases in sections(sizes).items()}
    for title, rows in tables.items():
        yield _section(title, map(_cpu_line, rows))
    title = f"Growth with the number of partitions: {', '.join(map(str, sizes.growth))}"
    lines = (line for cases in growth(sizes) for line in _growth_lines([*map(measure, cases)]))
    yield _section(title, lines)
    yield _section("Building the group", _build_lines(sizes.large, budget))


def compared(ours: Owners, theirs: Owners) -> str:
    """Return how far two results agree or, if they differ, how even each is."""
    if np.array_equal(ours, theirs):
        return "same owners"
    here, there = _sorted_counts(ours), _sorted_counts(theirs)
    if np.array_equal(here, there):
        return "same counts"
    return f"differ by {np.ptp(there)}, here by {np.ptp(here)}"


def memory_mb(case: Case) -> float:
    """Return the peak memory of Python and numpy during an assignment, including the group."""
    tracemalloc.start()
    group = anew(case.group())
    tracemalloc.reset_peak()
    STRATEGIES[case.strategy].assign(group)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def _measured(case: Case, competitors: Sequence[Competitor], budget: Repeats) -> _Row:
    print(f"{case.workload}: {case.shape}", file=sys.stderr, flush=True)
    group = case.group()
    measured = {_OURS: ours(case.strategy, group, budget)}
    for competitor in competitors:
        if competitor.name in case.against and case.strategy in competitor.strategies:
            measured[competitor.name] = competitor.measure(case.strategy, group, budget)
    return _Row(case, measured)


def _section(title: str, lines: Iterator[dict[str, str]]) -> str:
    return f"## {title}\n\n{markdown(lines)}\n"


def _cpu_line(row: _Row) -> dict[str, str]:
    line = {"workload": row.case.workload, _OURS: three_digits(row.cpu_ms(_OURS))}
    line |= dict.fromkeys(row.case.against, "-")
    theirs = [name for name in row.measured if name != _OURS]
    for name in theirs:
        ratio = row.cpu_ms(name) / row.cpu_ms(_OURS)
        line[name] = f"{three_digits(row.cpu_ms(name))}, x {three_digits(ratio)}"
    if row.case.shape.partitions >= _MEMORY_FROM:
        line["MB"] = three_digits(memory_mb(row.case))
    return line | ({"answer": _agreement(row, theirs)} if theirs else {})


def _growth_lines(rows: Sequence[_Row]) -> Iterator[dict[str, str]]:
    """Yield how CPU time grows with the number of partitions, for us and each competitor."""
    for who in rows[0].measured:
        sizes = {f"{row.case.shape.partitions:,}": row.cpu_ms(who) for row in rows}
        first, *_, last = sizes.values()
        costs = {size: three_digits(cpu_ms) for size, cpu_ms in sizes.items()}
        growth = {"growth": f"x {three_digits(last / first)}"}
        yield {"workload": rows[0].case.workload, "who": who} | costs | growth


def _build_lines(large: Shape, budget: Repeats) -> Iterator[dict[str, str]]:
    """Yield the cost of building small and large groups from arrays, and large ones from names."""
    topics, members = [f"t{t}" for t in range(4)], [f"c{m:02}" for m in range(10)]
    counts, lags, owners = np.full(4, 25), np.arange(100), np.arange(100) % 10
    group = large.group()
    records = naming.topic_records(group), naming.member_records(group)
    arrays = group.topics, group.topic_sizes, group.members

    def small() -> None:
        for _ in range(1_000):
            Group.of(topics, counts, members, lags=lags, owners=owners)

    actions: dict[str, Callable[[], object]] = {
        "1,000 groups of 100 partitions and 10 members, from arrays": small,
        f"{large}, from arrays": partial(Group.of, *arrays, lags=group.lags),
        f"{large}, from records of names": partial(numbering.group_of, *records),
    }
    for what, action in actions.items():
        cost, _ = repeated(partial(timed, action), budget)
        yield {"group": what, _OURS: three_digits(1000 * cost.cpu_s)}


def _agreement(row: _Row, theirs: Sequence[str]) -> str:
    """Return how far the others' results agree with ours, by competitor if that differs."""
    verdicts = defaultdict(list)
    for name in theirs:
        verdict = compared(row.measured[_OURS].owners, row.measured[name].owners)
        verdicts[verdict].append(name)
    if len(verdicts) == 1:
        return next(iter(verdicts))
    return "; ".join(f"{verdict}: {', '.join(names)}" for verdict, names in verdicts.items())


def _sorted_counts(owners: Owners) -> LongArray:
    """Return the sorted partition counts of members with partitions."""
    counts = np.bincount(owners[owners >= 0])
    return np.sort(counts[counts > 0])


def _processor() -> str:
    """Return the processor's model name, if known."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
