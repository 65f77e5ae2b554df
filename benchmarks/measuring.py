"""The cost of an assignment, ours and others', and the tables that report it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple, TypeAlias, TypeVar

from assignors.model import Group, Owners
from assignors.numbering import Member
from assignors.registry import STRATEGIES
from assignors.rules import check
from assignors.strategy import Protocol

FEWEST_RUNS: Final = 3
_WHOLE: Final = 100
"""From here on, figures are shown without decimals."""

Owned: TypeAlias = tuple[str, str, list[int]]
"""Member, topic, partitions."""
_Answer = TypeVar("_Answer")


class UnavailableError(Exception):
    """A competitor that cannot be measured on this machine; the message says why."""


class Cost(NamedTuple):
    """What one assignment took."""

    cpu_ms: float
    """Of the thread or process that assigns: other work on the machine hardly affects it."""
    wall_ms: float


class Measured(NamedTuple):
    """The medians of several runs, and the answer they gave."""

    cost: Cost
    runs: int
    owners: Owners


class Budget(NamedTuple):
    """When to stop repeating: after this many runs, or this long once there are three."""

    runs: int
    budget_ms: float


@dataclass(frozen=True)
class Competitor:
    """Another implementation of Kafka's strategies."""

    name: str
    version: str
    strategies: frozenset[str]
    measure: Callable[[str, Group, Budget], Measured]
    """Run a strategy on a group as it would run there, with nothing kept from run to run."""


def timed(action: Callable[[], _Answer]) -> tuple[Cost, _Answer]:
    """Run the action once; return what it cost and what it returned."""
    cpu, wall = process_time(), perf_counter()
    answer = action()
    return Cost((process_time() - cpu) * 1000, (perf_counter() - wall) * 1000), answer


def medians(costs: list[Cost]) -> Cost:
    """Return the median of each kind of cost."""
    return Cost(median(c.cpu_ms for c in costs), median(c.wall_ms for c in costs))


def repeated(
    run: Callable[[], tuple[Cost, _Answer]], budget: Budget
) -> Iterator[tuple[Cost, _Answer]]:
    """Yield run after run until the budget is spent."""
    spent = 0.0
    for done in range(budget.runs):
        if done >= min(FEWEST_RUNS, budget.runs) and spent >= budget.budget_ms:
            return
        cost, answer = run()
        spent += cost.wall_ms
        yield cost, answer


def ours(strategy: str, group: Group, budget: Budget) -> Measured:
    """Measure our strategy; every run starts from a group with nothing memoised.

    The first run, which may compile, does not count; its answer is checked.
    """
    entry = STRATEGIES[strategy]
    owners = entry.assign(replace(group))
    check(group, owners, complete=entry.protocol is not Protocol.COOPERATIVE)
    costs = [
        cost for cost, _ in repeated(lambda: timed(partial(entry.assign, replace(group))), budget)
    ]
    return Measured(medians(costs), len(costs), owners)


def claims_by_topic(member: Member) -> list[tuple[str, list[int]]]:
    """Return the partitions that a member claims, as the consumer protocol lists them."""
    by_topic: dict[str, list[int]] = {}
    for topic, partition in member.owned:
        by_topic.setdefault(topic, []).append(partition)
    return list(by_topic.items())


def owners_of(group: Group, assigned: Iterable[Owned]) -> Owners:
    """Return the owner of every partition, from an assignment by name."""
    owners = group.nobody()
    first = dict(zip(group.topics, group.topic_starts.tolist(), strict=False))
    number = {member: m for m, member in enumerate(group.members)}
    for member, topic, partitions in assigned:
        owners[[first[topic] + partition for partition in partitions]] = number[member]
    return owners


def three_digits(value: float) -> str:
    """Return a number with three significant digits."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= _WHOLE else f"{value:.3g}"


def markdown(rows: Iterable[Mapping[str, str]]) -> str:
    """Return a table aligned as plain text, too; all but the first column to the right.

    A cell that a row lacks shows ``-``.
    """
    rows = list(rows)
    head = list(dict.fromkeys(name for row in rows for name in row))
    cells = [head, *([row.get(name, "-") for name in head] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [[row[0].ljust(widths[0]), *(map(str.rjust, row[1:], widths[1:]))] for row in cells]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])
