"""Answers with few simulations, or none: what the next rebalance brings, at today's ids."""

from collections.abc import Sequence

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.engine import Plain
from evaluation.comparing.outcomes import Outcome, after_switch, at_next_rebalance
from evaluation.comparing.outlook import Depth


class NextRebalance(Plain):
    """Computes an answer whose switches are exact: no restart gives new ids."""

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return the next rebalance under each strategy."""
        del runs, is_noticed
        return at_next_rebalance(group, strategies)


class FirstDraws(Plain):
    """Computes an answer from its first simulations."""

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return each switch after a twentieth of its simulations."""
        return after_switch(group, strategies, runs, is_noticed=is_noticed, depth=Depth.FIRST)
