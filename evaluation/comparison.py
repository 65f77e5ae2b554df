"""What is known of a group under several strategies, for all that show it or tell it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.advice import Advice
from evaluation.bounds.lag import deciding_partition
from evaluation.compare import Outcome
from evaluation.judging import Measure
from evaluation.load import Load
from evaluation.running import Running


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """A group, what it runs, what is advised, and the outcomes that stand side by side."""

    group: Group
    """With what it is judged by in place of its lags."""
    running: Running
    advice: Advice
    outcomes: Sequence[Outcome] = ()
    """The present owners, if there are any, then those of the strategies that are compared."""
    before: Mapping[str, Outcome] = field(default_factory=dict)
    """The baseline's outcomes by name; none while the baseline itself is on screen."""

    @property
    def runs(self) -> Strategy | None:
        """The strategy that the group runs, if anything tells."""
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
        """What stands in for the group's lags."""
        return self.load.measure

    @cached_property
    def bound(self) -> int | None:
        """The best possible load of the busiest consumer, see ``Load.bound``."""
        return self.load.bound(self.group)

    @cached_property
    def deciding_partition(self) -> int | None:
        """The partition whose lag alone determines the best possible; None if none does."""
        return deciding_partition(self.group) if self.load.by_lag else None

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

    def was(self, outcome: Outcome) -> int | None:
        """Return the baseline's load under the same strategy; None if that is not known."""
        before = self.before.get(outcome.name)
        return None if before is None else self.load.of(before)
