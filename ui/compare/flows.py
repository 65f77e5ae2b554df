"""What a picture of an alarm shows as arriving and as read."""

from dataclasses import dataclass

import numpy as np

from assignors.model import FloatArray
from evaluation.measuring.movement import Moved
from evaluation.measuring.partition_times import PartitionTimes


@dataclass(frozen=True, eq=False, kw_only=True)
class FlowsShown:
    """Arrivals and reads of each partition (P,); NaN where unknown."""

    arriving: FloatArray
    reading: FloatArray
    is_per_second: bool
    """Whether these are rates; else records between two snapshots without times."""

    @property
    def arrives(self) -> str:
        """The name of the arrivals."""
        return "arrives/s" if self.is_per_second else "arrived"

    @property
    def reads(self) -> str:
        """The name of the reads."""
        return "reads/s" if self.is_per_second else "read"


def flows_of(times: PartitionTimes, moved: Moved | None) -> FlowsShown | None:
    """Return rates where they are known, else counts between snapshots; None without either.

    Counts, too, where rates rest on when texts were pasted. An offset that jumped was not read: how
    much was is unknown, not how far it moved.
    """
    counts = None
    if moved is not None and not np.isnan(moved.arrived).all():
        counts = FlowsShown(arriving=moved.arrived, reading=moved.read, is_per_second=False)
    is_told = ~np.isnan(times.consumed) | (times.skips.at > 0)
    has_rates = bool(is_told.any()) and not np.isnan(times.produced).all()
    if not has_rates or (counts is not None and times.is_approximate):
        return counts
    return FlowsShown(arriving=times.produced, reading=times.consumed, is_per_second=True)
