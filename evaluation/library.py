"""Strategies compared on one group, for programs; ``from assignors import compare``."""

from collections.abc import Iterable
from dataclasses import dataclass

from assignors.catalogue import given_in_person, strategies_asked
from assignors.catalogue import strategies as all_strategies
from assignors.certainty import Certainty
from assignors.kinds import GroupKind, require_consumers
from assignors.model import Group, Owners
from assignors.rules import check
from assignors.strategy import Strategy
from evaluation.answering.way_out import way_out_of
from evaluation.comparing.outcomes import at_next_rebalance as outcomes_of
from evaluation.metrics import Figures
from evaluation.stated import InvalidArgumentError, require_a


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Assignment:
    """Who owns what under one strategy, and what that is worth."""

    strategy: Strategy
    owners: Owners
    """(P,) the owners after all rounds."""
    next_round: Owners
    """(P,) the owners after the next round: what moves may be unowned (KIP-429)."""
    figures: Figures
    """Of the owners after all rounds."""
    certainty: Certainty
    """How certain the owners are before the rebalance."""
    group: Group

    def __repr__(self) -> str:
        figures = self.figures
        shown = f"max_load={figures.max_load}, moved={figures.moved}"
        return f"<Assignment {self.strategy.name}: {shown}, {self.certainty.text}>"

    def by_member(self) -> dict[str, tuple[str, ...]]:
        """Return the partitions of each member by name, after all rounds."""
        return self.group.named(self.owners)


def compare(
    group: Group,
    strategies: Iterable[str | Strategy] | None = None,
    *,
    kind: GroupKind = GroupKind.CONSUMER,
) -> dict[str, Assignment]:
    """Return the group's next rebalance under each strategy, by name, in the order given.

    Strategies are names of the catalogue or objects of your own; None stands for the whole
    catalogue. Consumers, ids and claims are those of the group: no restart is assumed.

    Raises UnsupportedKind for a kind of group that runs no strategy of consumer groups,
    UnknownStrategyError for what is neither a Strategy nor the name of one, InvalidArgumentError
    for what is no Group and for two strategies of one name, InvalidAssignmentError where a strategy
    breaks a rule of the protocol, and of these FailedStrategyError, from what it raised, for one of
    your own. Both have a note that names the strategy.

    >>> group = Group.fresh({"orders": 3}, ["a", "b"], lags={"orders": [5, 4, 3]})
    >>> found = compare(group, ["range", "lag-based"])
    >>> found["range"].by_member()
    {'a': ('orders-0', 'orders-1'), 'b': ('orders-2',)}
    >>> {name: each.figures.max_lag for name, each in found.items()}
    {'range': 9, 'lag-based': 7}
    """
    require_a(Group, "group", group, way_out_of(group))
    require_consumers(kind, group.id)
    wanted = strategies_asked(all_strategies().values() if strategies is None else strategies)
    if len(set(wanted)) < len(wanted):
        names = [strategy.name for strategy in wanted]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"two strategies are called {twice!r}; give each a name of its own"
        raise InvalidArgumentError(message)
    watched = [given_in_person(strategy) for strategy in wanted]
    return {
        strategy.name: Assignment(
            strategy=named,
            owners=outcome.owners,
            next_round=outcome.owners
            if strategy.target is None
            else check(group, strategy.assign(group), complete=False),
            figures=outcome.figures,
            certainty=outcome.certainty,
            group=group,
        )
        for named, strategy, outcome in zip(
            wanted, watched, outcomes_of(group, watched), strict=True
        )
    }
