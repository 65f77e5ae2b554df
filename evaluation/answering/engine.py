"""What computes an answer's parts: plainly here, cached for the dashboard."""

from collections.abc import Sequence
from typing import Protocol

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.given import Given
from evaluation.assuming import running as running_strategies
from evaluation.assuming.running import Origin, Running
from evaluation.bounds import frontier as frontiers
from evaluation.comparing.outcomes import Outcome, solved


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


def running_in(given: Given, engine: Engine | None = None) -> Running:
    """Return the strategy that a group runs: stated, named by its text, or inferred."""
    return (engine or Plain()).running(
        given.group, given.client.settable, given.stated.runs, given.read_strategy
    )
