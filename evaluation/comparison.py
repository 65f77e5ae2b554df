"""What is known of a group under several strategies, for all that show it or tell it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.advice import Advice
from evaluation.assumed import Assumed
from evaluation.bounds.lag import deciding_partition
from evaluation.compare import Outcome, assuming
from evaluation.judging import Measure
from evaluation.load import Load
from evaluation.running import Running


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """A group, what it runs, what is advised, and the outcomes that stand side by side."""

    group: Group
    """With the weights that it is judged by."""
    running: Running
    advice: Advice
    outcomes: Sequence[Outcome] = ()
    """The present owners, if there are any, then those of the strategies that are compared."""
    before: Mapping[str, Outcome] = field(default_factory=dict)
    """The baseline's outcomes by name; none while the baseline itself is on screen."""

    @property
    def runs(self) -> Strategy | None:
        """The strategy that the group runs, if it is known."""
        return self.running.strategy

    @property
    def now(self) -> Outcome | None:
        """The present owners; None if nobody owns anything."""
        return self.advice.now

    @property
    def load(self) -> Load:
        """What decides."""
        return self.advice.load

    @property
    def measure(self) -> Measure:
        """What decides: what the group's weights are, or partitions."""
        return self.load.measure

    @cached_property
    def bound(self) -> int | None:
        """The lower bound of the busiest consumer's load, see ``Load.bound``."""
        return self.load.bound(self.group)

    @cached_property
    def is_bound_reached(self) -> bool:
        """Whether an outcome that is known reaches the bound, which is then the best possible."""
        known = [self.now, *self.advice.recommended, *self.outcomes]
        return any(
            each is not None and not each.figures.unowned and self.load.of(each) == self.bound
            for each in known
        )

    @cached_property
    def deciding_partition(self) -> int | None:
        """The partition whose weight alone is the lower bound; None if none is."""
        return deciding_partition(self.group) if self.load.by_weight else None

    @property
    def best_first(self) -> list[Outcome]:
        """The present owners, then the strategies by their busiest consumer's load."""
        return sorted(
            self.outcomes,
            key=lambda o: (
                o.strategy is not None,
                self.load.of(o),
                o.strategy is not None and o.strategy.protocol is Protocol.EAGER,
            ),
        )

    def on(self, assumed: Assumed) -> Self:
        """Return it with the conditions on which predictions hold; without, if none can hold.

        Nothing is advised where the source does not tell which consumers there are.
        """
        advice = self.advice
        if not assumed.is_predictable(self.group):
            nothing = replace(advice, settable=None, custom=None, unreliable=None)
            return replace(self, advice=replace(nothing, left_out=(), withheld=()))
        settable, custom, unreliable = (
            None if each is None else assuming((each,), self.group, assumed)[0]
            for each in (advice.settable, advice.custom, advice.unreliable)
        )
        return replace(
            self,
            advice=replace(advice, settable=settable, custom=custom, unreliable=unreliable),
            outcomes=assuming(self.outcomes, self.group, assumed),
        )

    def was(self, outcome: Outcome) -> int | None:
        """Return the baseline's load under the same strategy; None if that is not known."""
        before = self.before.get(outcome.name)
        return None if before is None else self.load.of(before)
