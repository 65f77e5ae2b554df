"""What computes an answer's parts: plainly here, cached for the dashboard."""

from collections.abc import Sequence
from typing import Protocol

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.given import Given
from evaluation.assuming import running as running_strategies
from evaluation.assuming.running import Origin, Running, candidates_of
from evaluation.bounds import frontier as frontiers
from evaluation.comparing.outcomes import Outcome, drawn_on, solved
from evaluation.comparing.outlook import Depth


class Engine(Protocol):
    """The slow parts of an answer; each is a function of its arguments alone."""

    def running(
        self,
        group: Group,
        candidates: tuple[Strategy, ...],
        stated: Strategy | None,
        read: Strategy | None,
    ) -> Running:
        """Return the strategy that the group runs."""
        ...

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return each outcome: the next rebalance of what runs, a switch to the others."""
        ...

    def frontier(self, group: Group) -> frontiers.Frontier | None:
        """Return what each number of moves brings; None without owners or known load."""
        ...


class Glance:
    """Simulates nothing: an answer at a glance says what is the matter, not what would help."""

    def running(
        self,
        group: Group,
        candidates: tuple[Strategy, ...],
        stated: Strategy | None,
        read: Strategy | None,
    ) -> Running:
        """Return what is stated or read; nothing is inferred."""
        del group, candidates
        known = stated or read
        origin = Origin.READ if known is read else Origin.STATED
        return Running(known, origin if known else Origin.UNKNOWN)

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return no outcome."""
        del group, strategies, runs, is_noticed
        return ()

    def frontier(self, group: Group) -> None:
        """Return nothing, for none is looked for."""


class Plain:
    """Computes everything in this process, and keeps nothing."""

    def running(
        self,
        group: Group,
        candidates: tuple[Strategy, ...],
        stated: Strategy | None,
        read: Strategy | None,
    ) -> Running:
        """Return the strategy that the group runs."""
        return running_strategies.running(group, candidates, stated=stated, read=read)

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return what to expect of each strategy."""
        return solved(group, strategies, runs, is_noticed=is_noticed)

    def frontier(self, group: Group) -> frontiers.Frontier | None:
        """Return what each number of moves brings."""
        return frontiers.frontier(group)


class Brief(Plain):
    """Draws little of each switch of one group, and keeps what it drew.

    Of those asked for, it draws as much as the group's own page does.
    """

    def __init__(self) -> None:
        self.asked: set[str] = set()
        """The names of their strategies."""
        self._drawn: dict[str, Outcome] = {}
        self._runs: Running | None = None
        self._frontier: list[frontiers.Frontier | None] = []

    def running(
        self,
        group: Group,
        candidates: tuple[Strategy, ...],
        stated: Strategy | None,
        read: Strategy | None,
    ) -> Running:
        """Return the strategy that the group runs."""
        if self._runs is None:
            self._runs = super().running(group, candidates, stated, read)
        return self._runs

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return what is known so far to expect of each strategy."""
        fresh = [each for each in strategies if each.name not in self._drawn]
        for outcome in solved(group, fresh, runs, is_noticed=is_noticed, depth=Depth.FIRST):
            self._drawn[outcome.name] = outcome
        for name in sorted(self.asked & self._drawn.keys()):
            while (look := self._drawn[name].outlook) and look.is_rough:
                more = drawn_on(group, self._drawn[name], runs, is_noticed=is_noticed)
                self._drawn[name] = more
        return [self._drawn[each.name] for each in strategies]

    def frontier(self, group: Group) -> frontiers.Frontier | None:
        """Return what each number of moves brings."""
        if not self._frontier:
            self._frontier.append(super().frontier(group))
        return self._frontier[0]


def running_in(given: Given, engine: Engine | None = None) -> Running:
    """Return the strategy that a group runs: stated, named by its text, or inferred."""
    candidates = candidates_of(given.client.settable, has_epochs=given.assumed.has_epochs)
    found = (engine or Plain()).running(given.group, candidates, given.runs, given.read_strategy)
    return found._replace(default=given.client.default) if given.group.has_claims else found
