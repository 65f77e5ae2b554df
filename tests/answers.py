"""Answers without simulations: what the next rebalance brings, at today's ids and owners."""

from collections.abc import Sequence

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.engine import Plain
from evaluation.comparing.outcomes import Outcome, at_next_rebalance


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
