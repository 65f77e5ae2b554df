"""Costs, how they are taken, and who can be asked for them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple, TypeAlias, TypeVar

from assignors.model import Group, Owners
from assignors.numbering import Member

FEWEST_RUNS: Final = 3

Owned: TypeAlias = tuple[str, str, list[int]]
"""Member, topic, partitions."""
_Answer = TypeVar("_Answer")


class UnavailableError(Exception):
    """A competitor that cannot be measured on this machine; the message says why."""


class Cost(NamedTuple):
    """What one assignment took."""

    cpu_ms: float
    """Of the thread or process that assigns: neighbours on the machine hardly matter."""
    wall_ms: float


class Measured(NamedTuple):
    """The medians of several runs, and the answer they gave."""

    cost: Cost
    runs: int
    owners: Owners


class Budget(NamedTuple):
    """When to stop repeating: after so many runs, or so much time once there are three."""

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
    """Return the middle of each kind of cost."""
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


def claims_by_topic(member: Member) -> list[tuple[str, list[int]]]:
    """Return the partitions that a member says it owns, as the consumer protocol lists them."""
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
