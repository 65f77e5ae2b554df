"""What many small groups cost, as a pipeline meets them: microseconds a group."""

from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Final, NamedTuple, TypeVar

import numpy as np

from assignors.model import Group, Owners
from assignors.registry import STRATEGIES
from assignors.rules import check
from benchmarks.measuring import Budget, repeated, timed
from evaluation.bounds.lag import free_bound
from evaluation.metrics import figures_of_each

_MOST_MEMBERS: Final = 200
_UNEQUAL: Final = 10
"""In one of so many groups, half of the members leave out a topic."""

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


class FleetCost(NamedTuple):
    """Microseconds of CPU a group."""

    alone_us: float | None
    """On groups of which nothing was worked out before; None for what is not a strategy."""
    together_us: float
    """On groups that the strategies above have worked on already."""


def fleet(count: int) -> list[Group]:
    """Return groups of heavy-tailed size, half of them with a member that has just joined.

    Most have 4 to 60 partitions and 2 to 20 members, and the mean is about 40 partitions.
    """
    random = np.random.default_rng(20160411)
    return [_group(random, number) for number in range(count)]


def _group(random: np.random.Generator, number: int) -> Group:
    partitions = 2 + int(random.lognormal(3.0, 1.2))
    topics = int(random.integers(1, min(partitions, 5)))
    members = int(np.clip(random.lognormal(1.5, 0.7), 2, min(partitions, _MOST_MEMBERS)))
    sizes, every = np.full(topics, partitions // topics), np.arange(topics)
    some = every[:-1] if number % _UNEQUAL == 0 else every
    return Group.of(
        [f"topic-{topic:03}" for topic in range(topics)],
        sizes,
        [f"consumer-{member:04}-7d1c6a52" for member in range(members)],
        class_of_member=np.arange(members) % 2,
        class_topics=(every, some),
        owners=np.arange(sizes.sum()) % (members - number % 2),
        generations=np.zeros(members),
        lags=random.lognormal(5, 2, sizes.sum()),
    )


def fleet_costs(count: int, budget: Budget) -> dict[str, FleetCost]:
    """Return what each step costs a group, as the medians of several runs."""
    groups = fleet(count)
    together = [costs for _, costs in repeated(lambda: timed(lambda: _together(groups)), budget)]
    alone = [costs for _, costs in repeated(lambda: timed(lambda: _alone(groups)), budget)]
    found = {
        step: FleetCost(
            median(costs[step] for costs in alone) if step in alone[0] else None,
            median(costs[step] for costs in together),
        )
        for step in together[0]
    }
    return found | {"all": FleetCost(None, sum(cost.together_us for cost in found.values()))}


def _alone(groups: list[Group]) -> dict[str, float]:
    """Let every strategy settle groups that know nothing yet."""
    costs: dict[str, float] = {}
    for name, strategy in STRATEGIES.items():
        costs[name], _ = _each(strategy.settle, [replace(group) for group in groups])
    return costs


def _together(groups: list[Group]) -> dict[str, float]:
    """Build the groups, let one strategy after the other settle them, and judge the answers."""
    costs: dict[str, float] = {}
    costs["building the group"], fresh = _each(_built, groups)
    answers = []
    for name, strategy in STRATEGIES.items():
        costs[name], owners = _each(strategy.settle, fresh)
        answers.append(owners)
    stacks = [(group, np.array(each)) for group, *each in zip(fresh, *answers, strict=True)]
    costs["the rules"], _ = _each(_checked, stacks)
    costs["the figures"], _ = _each(lambda asked: figures_of_each(*asked), stacks)
    costs["the least possible lag"], _ = _each(free_bound, fresh)
    return costs


def _checked(stack: tuple[Group, Owners]) -> None:
    group, answers = stack
    for owners in answers:
        check(group, owners)


def _built(group: Group) -> Group:
    return Group.of(
        group.topics,
        group.topic_sizes,
        group.members,
        class_of_member=group.class_of_member,
        class_topics=np.split(group.class_topics, group.class_starts[1:-1]),
        owners=group.present_owners,
        generations=group.generations,
        lags=group.lags,
    )


def _each(step: Callable[[_Given], _Made], given: list[_Given]) -> tuple[float, list[_Made]]:
    """Return the microseconds that one of these takes, and what came of each."""
    cost, made = timed(lambda: [step(one) for one in given])
    return cost.cpu_ms * 1000 / len(given), made
