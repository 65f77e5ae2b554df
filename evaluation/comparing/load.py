"""What a comparison counts of each consumer: the sum of the group's weights, or its partitions."""

from dataclasses import dataclass

from assignors.model import Group, LongArray, Owners
from evaluation.bounds.bottlenecks import least_max_count
from evaluation.bounds.lag import consumer_count, lower_bound
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.outlook import Outlook, range_of
from evaluation.judging import LAG, PARTITIONS, JudgeBy, Measure
from evaluation.metrics import count_per_member, load_per_member
from evaluation.wording import amount, plural


@dataclass(frozen=True, kw_only=True)
class Load:
    """The load of a consumer, the same one for every outcome of a comparison."""

    measure: Measure = LAG
    """What decides: partitions, or the weights of this kind that the group carries."""

    @property
    def by_weight(self) -> bool:
        """Whether the group's weights decide; otherwise numbers of partitions."""
        return self.measure.by is not JudgeBy.PARTITIONS

    @property
    def noun(self) -> str:
        """What a consumer has most of: "lag"."""
        return self.measure.noun

    @property
    def unit(self) -> str:
        """The unit of a load: "records"."""
        return self.measure.unit

    def axis(self, whose: str) -> str:
        """Return what a chart of loads shows: "lag of each consumer in records"."""
        unit = f" in {self.unit}" if self.unit != self.noun else ""
        return f"{self.noun} of {whose}{unit}"

    def of(self, outcome: Outcome) -> int:
        """Return the load of an outcome's busiest consumer."""
        figures = outcome.figures
        return (figures.max_load or 0) if self.by_weight else figures.max_count

    def per_member(self, group: Group, owners: Owners) -> LongArray:
        """Return the load of every consumer (M,)."""
        return (load_per_member if self.by_weight else count_per_member)(group, owners)

    def bound(self, group: Group) -> int | None:
        """Return the lower bound of the busiest consumer's load; of partitions it is reached.

        None without consumers that subscribe to anything, or where no weight is known.
        """
        if self.by_weight:
            return lower_bound(group)
        return least_max_count(group) if consumer_count(group) else None

    def ends(self, outcome: Outcome) -> tuple[int, int] | None:
        """Return the 5th and 95th percentile of the busiest consumer's load after a switch.

        None if it is one figure.
        """
        if outcome.outlook is None:
            return None
        low, high = range_of(self.drawn(outcome.outlook))
        return None if low == high else (low, high)

    def drawn(self, outlook: Outlook) -> LongArray:
        """Return the busiest consumer's load in each draw, ascending."""
        return outlook.max_loads if self.by_weight else outlook.max_counts

    def said(self, outcome: Outcome) -> str:
        """Return the load of the busiest consumer with its unit."""
        load = self.of(outcome)
        return f"{amount(load)} {self.unit}" if self.by_weight else plural(load, "partition")

    def span_said(self, outcome: Outcome) -> str:
        """Return the range of the busiest consumer's load after a switch.

        "" where it is one figure, as written.
        """
        low, high = map(amount, self.ends(outcome) or (0, 0))
        return "" if low == high else f"{low} to {high}"


def load_in(group: Group, measure: Measure = LAG) -> Load:
    """Return what decides in a group: its weights, if any is known and above zero.

    Otherwise they do not tell strategies apart, and numbers of partitions decide. ``measure`` says
    what the group's weights are.
    """
    has_weight = bool(group.counted_weights[group.is_wanted].any())
    return Load(measure=measure if has_weight else PARTITIONS)
