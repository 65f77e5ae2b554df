"""The figures of a verdict, each with its unit in its name."""

from dataclasses import asdict, dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class VerdictFigures:
    """What a verdict tells in numbers; None where that is unknown, or where it does not apply.

    Rates are in records/s; seconds are infinite for never.
    """

    lag_records: float | None = None
    """The records that wait: in its partitions, or in all of the group if it names none."""
    busiest_load: float | None = None
    even_load: float | None = None
    """The load that every consumer has where all have the same."""
    arriving_per_s: float | None = None
    reading_per_s: float | None = None
    before_per_s: float | None = None
    """What arrived, or was read, before that changed."""
    each_per_s: float | None = None
    """What one of several slow consumers reads, the median."""
    others_per_s: float | None = None
    """What one of the other consumers reads, the median."""
    usual_per_s: float | None = None
    """The median arrival rate of the group's other partitions."""
    alone_per_s: float | None = None
    """What a consumer for one partition alone reads."""
    growth_per_s: float | None = None
    """By how much lags grow, as a metric tells."""
    arrived_records: float | None = None
    """Between the first snapshot and the last."""
    cleared_records: float | None = None
    """The most that waited before, and was read."""
    read_between_records: float | None = None
    """Likewise."""
    lost_records: float | None = None
    skipped_records: float | None = None
    """By how many records offsets jumped ahead in all."""
    reset_records: float | None = None
    """By how many records offsets fell in all."""
    ahead_records: float | None = None
    """How far beyond the end of the log at most."""
    behind_s: float | None = None
    """How long what waits took to arrive."""
    oldest_s: float | None = None
    """How long the oldest record has waited."""
    ends_s: float | None = None
    """Until the backlog has ended as things are."""
    ends_alone_s: float | None = None
    """Likewise, on a consumer of its own."""
    deleted_in_s: float | None = None
    """Until the first records are deleted unread."""
    observed_s: float | None = None
    """From the first snapshot to the last."""
    needed_consumers: float | None = None
    """As many keep pace."""
    needed_there_consumers: float | None = None
    """As many do with the topics that its members alone read."""
    gone_consumers: float | None = None
    """As many left."""
    surplus_consumers: float | None = None
    """As many can never have work."""
    active_consumers: float | None = None
    """As many own something."""
    moving_partitions: float | None = None
    """As many change owner in the rebalance under way."""
    changes: float | None = None
    """How often owners changed."""
    owners: float | None = None
    """How many consumers have owned a partition since it stands."""
    killed_consumers: float | None = None
    """How many of them were gone one after another."""
    restarted_times: float | None = None
    """How often other consumers have taken over what stands."""
    offset: float | None = None
    """Of the next record to be read."""
    share: float | None = None
    """Of the group's lag, that its members or partitions hold."""

    def __repr__(self) -> str:
        known = ", ".join(f"{name}={value:g}" for name, value in self.known().items())
        return f"VerdictFigures({known})"

    def known(self) -> dict[str, float]:
        """Return those that are known, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def known_or_none(value: float) -> float | None:
    """Return a figure of which NaN says that it is unknown."""
    return None if np.isnan(value) else float(value)
