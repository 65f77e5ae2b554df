"""What a comparison counts of each consumer: its lag, or another weight, or its partitions."""

from dataclasses import dataclass

import numpy as np

from assignors.model import Group, LongArray, Owners
from evaluation.bounds.lag import best_possible_max_lag, consumer_count
from evaluation.compare import Outcome
from evaluation.judging import LAG, Measure
from evaluation.metrics import count_per_member, lag_per_member
from evaluation.wording import amount, plural


@dataclass(frozen=True, kw_only=True)
class Load:
    """The load of a consumer, the same one for every outcome of a comparison."""

    measure: Measure = LAG
    """What the weights are that stand in for lags."""
    by_lag: bool
    """Whether these weights count; otherwise numbers of partitions."""

    @property
    def noun(self) -> str:
        """What a consumer has most of: "lag"."""
        return self.measure.noun if self.by_lag else "partitions"

    @property
    def unit(self) -> str:
        """The unit of a load: "records"."""
        return self.measure.unit if self.by_lag else "partitions"

    def axis(self, whose: str) -> str:
        """Return what a chart of loads shows: "lag of each consumer in records"."""
        unit = f" in {self.unit}" if self.unit != self.noun else ""
        return f"{self.noun} of {whose}{unit}"

    def of(self, outcome: Outcome) -> int:
        """Return the load of an outcome's busiest consumer."""
        figures = outcome.figures
        return (figures.max_lag or 0) if self.by_lag else figures.max_count

    def per_member(self, group: Group, owners: Owners) -> LongArray:
        """Return the load of every consumer (M,)."""
        return (lag_per_member if self.by_lag else count_per_member)(group, owners)

    def bound(self, group: Group) -> int | None:
        """Return what no strategy brings the busiest consumer's load below; not always reached.

        None without consumers that subscribe to anything, or where lag counts and none is known.
        """
        if self.by_lag:
            return best_possible_max_lag(group)
        consumers = consumer_count(group)
        return -(-int(np.count_nonzero(group.is_wanted)) // consumers) if consumers else None

    def ends(self, outcome: Outcome) -> tuple[int, int] | None:
        """Return the 5th and 95th percentile of the busiest consumer's load after a switch.

        None if it is one figure.
        """
        if outcome.outlook is None:
            return None
        low, high = outcome.outlook.span(by_lag=self.by_lag)
        return None if low == high else (low, high)

    def said(self, outcome: Outcome) -> str:
        """Return the load of the busiest consumer with its unit."""
        load = self.of(outcome)
        return f"{amount(load)} {self.unit}" if self.by_lag else plural(load, "partition")

    def span_said(self, outcome: Outcome) -> str:
        """Return the range of the busiest consumer's load after a switch.

        "" where it is one figure, as written.
        """
        low, high = map(amount, self.ends(outcome) or (0, 0))
        return "" if low == high else f"{low} to {high}"


def load_in(group: Group, measure: Measure = LAG) -> Load:
    """Return what counts in a group: its lag, if any is known and above zero.

    Otherwise lag does not tell strategies apart, and numbers of partitions count. The weights of
    ``measure`` stand in for the group's lags.
    """
    return Load(measure=measure, by_lag=bool(group.counted_lags[group.is_wanted].any()))
